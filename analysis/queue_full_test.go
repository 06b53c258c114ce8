package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// puts makes a thread wait for room in an ArrayBlockingQueue.
func puts(queue uint64, method string) part {
	return func(t *threaddump.Thread) {
		t.Stack = stack("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
			"java.util.concurrent.ArrayBlockingQueue.put", method, method[:len(method)-1]+"Stage.run")
		t.State, t.Condition = threaddump.Waiting, "waiting on condition"
		lockOn(t, threaddump.Parking, queue, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

// The thread between two full queues takes from neither: the last one is to blame for
// both.
func TestFullQueuesInARow(t *testing.T) {
	var look []Observation
	for i := range 3 {
		age := used(0.01, 5+float64(i))
		look = append(look, observe(float64(i),
			thread(1, "read", age, puts(0xa, "app.Reader.emit")),
			thread(2, "convert", age, puts(0xb, "app.Converter.pass")),
			thread(3, "store", age, at("!java.lang.Thread.sleep", "app.Bucket.awaitQuota", "app.Store.run")),
		))
		look[i].Dump.Threads[2].State = threaddump.TimedWaiting
	}
	expect(t, diagnose(look...), "queue-full/warning/likely: store | convert", "queue-full/warning/likely: store | read < queue-full-1")
}

// The queue of a library is emptied by the library's own thread.
func TestQueueOfALibrary(t *testing.T) {
	appends := func(t *threaddump.Thread) {
		puts(0xa, "ch.qos.logback.core.AsyncAppenderBase.put")(t)
		t.Stack = append(t.Stack[:5:5], stack("ch.qos.logback.core.AsyncAppenderBase.append", "app.Desk.handle", "app.Desk.run")...)
	}
	var look []Observation
	for i := range 3 {
		age := used(0.01, 5+float64(i))
		look = append(look, observe(float64(i),
			thread(1, "a", age, appends), thread(2, "b", age, appends),
			thread(3, "AsyncAppender-Worker", age, at("!java.io.FileOutputStream.writeBytes", "java.io.FileOutputStream.write",
				"ch.qos.logback.core.OutputStreamAppender.writeBytes", "ch.qos.logback.core.AsyncAppenderBase$Worker.run")),
		))
	}
	r := diagnose(look...)
	expect(t, r, "queue-full/warning/likely: AsyncAppender-Worker | a,b", "io-wait/warning/likely: AsyncAppender-Worker |  < queue-full-1")
	const place = "OutputStreamAppender.writeBytes"
	if e := r.Findings[1].Evidence; len(e) == 0 || !strings.Contains(e[0].Text, place) {
		t.Errorf("no %s in %v", place, e)
	}
}
