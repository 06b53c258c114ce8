package queuefull_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// The thread between two full queues takes from neither; that the first one is full because of
// the second no frame says.
func TestFullQueuesInARow(t *testing.T) {
	var look []timeline.Observation
	for i := range 3 {
		age := Used(0.01, 5+float64(i))
		look = append(look, Observe(float64(i),
			Thread(1, "read", age, Puts(0xa, "app.Reader.emit")),
			Thread(2, "convert", age, Puts(0xb, "app.Converter.pass")),
			Thread(3, "store", age,
				At("!java.lang.Thread.sleep", "app.Bucket.awaitQuota", "app.Converter.store", "app.Store.run")),
		))
		look[i].Dump.Threads[2].State = threaddump.TimedWaiting
	}
	Expect(t, Diagnose(look...), "queue-full/warning/likely: store | convert", "queue-full/warning/likely: read | ")
}

// The queue of a library is emptied by the library's own thread.
func TestQueueOfALibrary(t *testing.T) {
	appends := func(t *threaddump.Thread) {
		Puts(0xa, "ch.qos.logback.core.AsyncAppenderBase.put")(t)
		t.Stack = append(t.Stack[:5:5],
			Trace("ch.qos.logback.core.AsyncAppenderBase.append", "app.Desk.handle", "app.Desk.run")...)
	}
	var look []timeline.Observation
	for i := range 3 {
		age := Used(0.01, 5+float64(i))
		look = append(look, Observe(float64(i),
			Thread(1, "a", age, appends), Thread(2, "b", age, appends),
			Thread(3, "AsyncAppender-Worker", age,
				At("!java.io.FileOutputStream.writeBytes", "java.io.FileOutputStream.write",
					"ch.qos.logback.core.OutputStreamAppender.writeBytes",
					"ch.qos.logback.core.AsyncAppenderBase$Worker.run")),
		))
	}
	r := Diagnose(look...)
	Expect(t, r, "queue-full/warning/likely: AsyncAppender-Worker | a,b",
		"io-wait/warning/likely: AsyncAppender-Worker |  < queue-full-1")
	const place = "OutputStreamAppender.writeBytes"
	if e := r.Findings[1].Evidence; len(e) == 0 || !strings.Contains(e[0].Text, place) {
		t.Errorf("no %s in %v", place, e)
	}
}

// A thread behind a lock that the producer keeps is not the one that should empty its queue.
func TestWhoWaitsForTheProducerIsNotItsConsumer(t *testing.T) {
	var look []timeline.Observation
	for i := range 3 {
		age := Used(0.01, 5+float64(i))
		publishes := func(t *threaddump.Thread) { Puts(0xa, "app.Prices.publish")(t); Holds(0xb)(t) }
		look = append(look, Observe(float64(i), Thread(1, "publish", age, publishes),
			Thread(2, "join", age, At("app.Prices.join", "app.Desk.open", "app.Desk.run"), BlockedOn(0xb)),
			Thread(3, "leave", age, At("app.Prices.leave", "app.Desk.open", "app.Desk.run"), BlockedOn(0xb))))
	}
	Expect(t, Diagnose(look...), "lock-contention/critical/proven: publish | join,leave",
		"queue-full/warning/likely: publish |  < lock-contention-1")
}

// What is known of the consumer is said, and is where to look.
func TestTheConsumerOfAFullQueueIsNamed(t *testing.T) {
	swaps := Thread(2, "sink", Used(0.01, 9),
		At("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.Exchanger.exchange", "app.Feed$Sink.take",
			"app.Feed$Sink.run"))
	swaps.State, swaps.Condition = threaddump.Waiting, "waiting on condition"
	LockOn(swaps, threaddump.Parking, 0xb, "java.util.concurrent.Exchanger$Node")
	r := DiagnoseAll([][]*threaddump.Thread{
		{Thread(1, "a", Used(0.01, 9), Puts(0xa, "app.Feed.emit")),
			swaps}, {Thread(1, "a", Used(0.01, 10), Puts(0xa, "app.Feed.emit")), swaps},
		{Thread(1, "a", Used(0.01, 11), Puts(0xa, "app.Feed.emit")), swaps},
	})
	f := r.Findings[0]
	if !strings.HasSuffix(f.Title, `; its consumer "sink" waits for a hand-off`) ||
		!strings.HasPrefix(f.Advice, "Find why the consumer is slow") {
		t.Errorf("%q, %q", f.Title, f.Advice)
	}
}

// A thread that waits for an event next to a cleaner at a full queue is hardly its consumer.
func TestWhoWaitsForACleanerIsNotItsConsumer(t *testing.T) {
	for want, root := range map[string]string{
		"single-thread-blocked/warning/likely: a | b": "jdk.internal.ref.CleanerImpl.run",
		"queue-full/warning/likely: a | ":             "app.Scans.run",
	} {
		var look []timeline.Observation
		for i := range 3 {
			age := Used(0.01, 5+float64(i))
			takes := ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take", "app.Scans.open",
				"app.Desk.scan", "java.lang.Thread.run")
			look = append(look,
				Observe(float64(i), Thread(2, "b", takes, age),
					Thread(1, "a", age, Puts(0xa, "app.Scans.confirm"), func(t *threaddump.Thread) {
						t.Stack = append(t.Stack[:5:5], Trace(root, "java.lang.Thread.run")...)
					})))
		}
		r := Diagnose(look...)
		r.Findings = r.Findings[:1]
		Expect(t, r, want)
	}
}

// A program written in one class has many threads in it: the consumer is one in the class of
// those who put; of more than a few none is named.
func TestTheConsumerAmongManyOfOneTopLevelClass(t *testing.T) {
	look := func(second float64, shows string) timeline.Observation {
		age := Used(0, 9+second)
		reads := At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read",
			"Board$"+shows+".show", "java.lang.Thread.run")
		threads := []*threaddump.Thread{
			Thread(1, "feed-1", age, Puts(0xa, "Board$Push.truck")), Thread(2, "feed-2", age,
				Puts(0xa, "Board$Push.truck")),
			Thread(3, "out", age,
				At("!sun.nio.ch.SocketDispatcher.write0", "java.io.OutputStream.write", "Board$Screen.send",
					"Board$Push.dispatch", "java.lang.Thread.run")),
		}
		for i := range int64(5) {
			threads = append(threads, Thread(10+i, "show", age, reads),
				Thread(20+i, "map", age, At("Board.rest", "Board$Maps.draw", "java.lang.Thread.run"), Sleeping))
		}
		return Observe(second, threads...)
	}
	for shows, want := range map[string]string{"Views": "queue-full/warning/likely: out | feed-1,feed-2",
		"Push": "queue-full/warning/likely: feed-1,feed-2 | "} {
		ExpectOnly(t, Diagnose(look(0, shows), look(1, shows), look(2, shows)), finding.KindQueueFull, want)
	}
}

// Another dump shows a thread take from a queue of the same class, in a method that it is still
// in: it works on what it took, whatever class it is in.
func TestAConsumerThatHasTakenBefore(t *testing.T) {
	takes := ParkedIn(Condition, UnsafePark, Condition+".await", stack.JUC+"ArrayBlockingQueue.take",
		"app.Courier.loop", "app.Courier.run")
	calls := At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "app.Courier.send",
		"app.Courier.loop", "app.Courier.run")
	other := At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "app.Reader.read",
		"app.Reader.run")
	for want, first := range map[string]Part{"queue-full/warning/likely: courier | a,b": takes,
		"queue-full/warning/likely: a,b | ": calls} {
		var look []timeline.Observation
		for i := range 3 {
			courier := calls
			if i == 0 {
				courier = first
			}
			age := Used(0.01, 5+float64(i))
			look = append(look,
				Observe(float64(i), Thread(1, "a", age, Puts(0xa, "app.Feed.emit")),
					Thread(2, "b", age, Puts(0xa, "app.Feed.emit")),
					Thread(3, "courier", age, courier), Thread(4, "reader", age, other)))
		}
		ExpectOnly(t, Diagnose(look...), finding.KindQueueFull, want)
	}
}

// All event loops of a server at a full queue are a warning from one dump, one of them is a hint.
func TestOneDumpOfAFullQueue(t *testing.T) {
	loop := func(id int64, name string, in Part) *threaddump.Thread {
		th := Thread(id, name, in)
		th.Stack = append(th.Stack[:len(th.Stack)-1],
			Trace("io.netty.channel.nio.NioEventLoop.run", "java.lang.Thread.run")...)
		return th
	}
	put, selects := Puts(0xa, "app.Feed.emit"), At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "x.y")
	first, second := loop(1, "io-1", put), loop(2, "io-2", put)
	idle, works := loop(3, "io-3", selects), Thread(4, "writer",
		At("app.Feed$Writer.encode", "app.Feed$Writer.drain", "java.lang.Thread.run"))
	ExpectOnly(t, OneDump(first, second), finding.KindQueueFull, "queue-full/warning/likely: io-1,io-2 | ")
	// Where a loop is free, what is wrong is that the others are blocked.
	ExpectOnly(t, OneDump(first, second, idle), finding.KindQueueFull, "")
	ExpectOnly(t, OneDump(first, second, idle), finding.KindSingleThreadBlocked,
		"single-thread-blocked/warning/likely: io-1,io-2 | ")
	ExpectOnly(t, OneDump(first, second, works), finding.KindQueueFull, "queue-full/info/possible: writer | io-1,io-2")
}

// A library makes producers wait for room.
func TestProducerFlowControlOfLibraries(t *testing.T) {
	sends := func(id int64, name string, frames ...string) *threaddump.Thread {
		return Thread(id, name, At(append(frames, "app.Shop.publish", "app.Shop.run")...), Waiting(0xa0+uint64(id)))
	}
	const mq = "org.apache.activemq."
	reply := []string{mq + "transport.FutureResponse.getResult", mq + "transport.ResponseCorrelator.request", mq +
		"ActiveMQConnection.syncSendPacket", mq + "ActiveMQSession.send"}
	ExpectOnly(t, OneDump(sends(1, "a", mq+"usage.Usage.waitForSpace", mq+"ActiveMQMessageProducer.send")),
		finding.KindQueueFull, "queue-full/info/possible: a | ")
	ExpectOnly(t, OneDump(sends(1, "a", reply...), sends(2, "b", reply...)), finding.KindQueueFull,
		"queue-full/info/possible: a,b | ")
	// one waits for the answer to its message
	ExpectOnly(t, OneDump(sends(1, "a", reply...)), finding.KindQueueFull, "")
}

// A ring of the program's own, in which producers park for it; parked in a method of another
// name, they may wait for anything.
func TestAFullRingOfTheProgramsOwn(t *testing.T) {
	look := func(method string) *analysis.Report {
		var look []timeline.Observation
		for i := range 3 {
			age := Used(0.01, 5+float64(i))
			posts := func(t *threaddump.Thread) {
				At("app.Outbox."+method, "app.Desk.serve", "app.Desk.run")(t)
				Calls("app.Outbox", 0xa)(t)
			}
			look = append(look, Observe(float64(i), Thread(1, "a", posts, age), Thread(2, "b", posts, age),
				Thread(3, "courier", AsleepIn("app.Courier.retry", "app.Courier.run"), Timed, age)))
		}
		return Diagnose(look...)
	}
	Expect(t, look("post"), "queue-full/warning/likely: a,b | ")
	ExpectOnly(t, look("confirm"), finding.KindQueueFull, "")
}
