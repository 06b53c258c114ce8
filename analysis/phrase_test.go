package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// A wait for a process or a thread to end is reported as such, not as the object that the JDK waits at meanwhile.
func TestWaitsForAnEndAreNamed(t *testing.T) {
	child := Thread(1, "keeper", ParkedIn(stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject", UnsafePark,
		stack.JUC+
			"locks.AbstractQueuedSynchronizer$ConditionObject.await", "java.lang.ProcessImpl.waitFor", "App.convert",
		"App.run"), Holds(0xa), Used(1, 10))
	hook := Thread(9, "bye", At("App.close", "App.run"), Joins(0xd), Used(1, 5))
	leaving := Thread(2, "main",
		ParkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join",
			"java.lang.ApplicationShutdownHooks.runHooks", "java.lang.Shutdown.runHooks", "java.lang.System.exit",
			"App.main"), WaitingState, Used(1, 10))
	flusher := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, Sleeping, At("App.flush", "java.lang.Thread.run"), Used(1, 10))
	}
	latch := Thread(1, "opener", Latched(0xc), Holds(0xa), Used(1, 10))
	pooled := Thread(1, "reloader",
		ParkedIn(stack.JUC+"SynchronousQueue$TransferQueue", UnsafePark, stack.JUC+"SynchronousQueue.poll",
			"com.zaxxer.hikari.util.ConcurrentBag.borrow",
			"com.zaxxer.hikari.pool.HikariPool.getConnection", "com.zaxxer.hikari.HikariDataSource.getConnection",
			"App.reload", "App.run"), Holds(0xa), Used(1, 10))
	full := Thread(1, "feeder", At("App.run"), Puts(0xc, "App.feed"), Holds(0xa), Used(1, 10))
	sends := Thread(1, "sender",
		At("org.apache.kafka.clients.producer.internals.ProducerMetadata.awaitUpdate",
			"org.apache.kafka.clients.producer.KafkaProducer.waitOnMetadata",
			"org.apache.kafka.clients.producer.KafkaProducer.send", "App.ship", "App.run"), Waiting(0xc), Timed,
		Holds(0xa),
		Used(1, 10))
	for _, test := range []struct {
		name    string
		kind    finding.Kind
		threads []*threaddump.Thread
		want    string
	}{
		{"a process", finding.KindLockContention,
			[]*threaddump.Thread{child, Thread(2, "a", At("App.run"), BlockedOn(0xa)),
				Thread(3, "b", At("App.run"), BlockedOn(0xa))},
			`held by "keeper", which waits for a child process to end`},
		{"a latch", finding.KindLockContention,
			[]*threaddump.Thread{latch, Thread(2, "a", At("App.run"), BlockedOn(0xa)),
				Thread(3, "b", At("App.run"), BlockedOn(0xa))},
			`held by "opener", which waits for a CountDownLatch`},
		{"an object of a pool", finding.KindLockContention,
			[]*threaddump.Thread{pooled, Thread(2, "a", At("App.run"), BlockedOn(0xa)),
				Thread(3, "b", At("App.run"), BlockedOn(0xa))},
			`held by "reloader", which waits for an object of a pool`},
		{"room in a queue", finding.KindLockContention,
			[]*threaddump.Thread{full, Thread(2, "a", At("App.run"), BlockedOn(0xa)),
				Thread(3, "b", At("App.run"), BlockedOn(0xa))},
			`held by "feeder", which waits for space in a full ArrayBlockingQueue`},
		{"an answer", finding.KindLockContention,
			[]*threaddump.Thread{sends, Thread(2, "a", At("App.run"), BlockedOn(0xa)),
				Thread(3, "b", At("App.run"), BlockedOn(0xa))},
			`held by "sender", which waits for the answer to KafkaProducer.send`},
		{"a plain thread", finding.KindSingleThreadBlocked, []*threaddump.Thread{leaving, hook, flusher(5, "flusher")},
			`hook "bye" waits for a thread to end`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range DiagnoseAll(Same(test.threads...)).Findings {
				if f.Kind != test.kind {
					continue
				}
				if !strings.Contains(f.Title, test.want) {
					t.Errorf("%q, want %q", f.Title, test.want)
				}
				if answer := strings.Contains(f.Advice,
					"Check the server that should answer"); answer != (test.name == "an answer") {
					t.Error(f.Advice)
				}
				return
			}
			t.Errorf("no %s", test.kind)
		})
	}
}

// The other end of I/O is named where the kernel shows it.
func TestTheOtherEndIsNamed(t *testing.T) {
	threads := append(Behind(2, 0xa),
		Thread(1, "sync",
			At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "App.sync"), Holds(0xa)))
	for file, want := range map[string]string{"client-socket": "waits to read from 10.0.0.5:80", "": "waits to read"} {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), threads...)
			if file != "" {
				o.Tasks = map[int64]timeline.Task{threads[2].NativeID: {State: "S", File: file, Peer: "10.0.0.5:80"}}
			}
			all = append(all, o)
		}
		if title := Diagnose(all...).Findings[0].Title; !strings.HasSuffix(title, want) {
			t.Errorf("%q, want %q", title, want)
		}
	}
}

// One worker in I/O whose result a caller waits for is a slow call: its executor may
// start more.
func TestOneWorkerInIOIsNoSaturation(t *testing.T) {
	convert := Worker(1,
		InTask("", "!java.lang.Object.wait", "java.lang.ProcessImpl.waitFor", "App.convert", stack.JUC+
			"FutureTask.run"), WaitingState)
	asks := Thread(20, "web",
		ParkedIn(stack.JUC+"FutureTask", UnsafePark, stack.JUC+"FutureTask.get", "App.page", "App.run"), Used(1, 10))
	r := DiagnoseAll([][]*threaddump.Thread{{convert, asks}, {convert, asks}, {convert, asks}})
	Expect(t, r, "io-wait/warning/likely: pool-1-thread-1 | web",
		"executor-saturated/info/possible: pool-1-thread-1 | web < io-wait-1")
}

// A thread in native code that uses no CPU does not run, even if the JVM calls it RUNNABLE.
func TestNativeCodeThatRestsDoesNotRun(t *testing.T) {
	for name, test := range map[string]struct {
		frame string
		cpu   float64
		want  string
	}{
		"native and resting": {"!db.Native.step", 0.001, "which is in native code, with almost no CPU"},
		"native and at work": {"!db.Native.step", 0.09, "which runs"},
		"Java, and resting":  {"db.Engine.step", 0.001, "which runs"},
	} {
		t.Run(name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				when := float64(i)
				look = append(look,
					Observe(when,
						Thread(1, "poster", At(test.frame, "App.post", "App.run"), Holds(0xa),
							Used(when*test.cpu, 5+when)),
						Thread(2, "a", At("App.run"), BlockedOn(0xa)), Thread(3, "b", At("App.run"), BlockedOn(0xa))))
			}
			if f := Diagnose(look...).Findings[0]; !strings.HasSuffix(f.Title, test.want) {
				t.Errorf("%q", f.Title)
			}
		})
	}
}
