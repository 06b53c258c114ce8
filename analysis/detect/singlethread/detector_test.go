package singlethread_test

import (
	"fmt"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestBlockedSingles(t *testing.T) {
	sleepAt := func(id int64, name string, frames ...string) *threaddump.Thread {
		return Thread(id, name, ParkedIn("", append([]string{"!java.lang.Thread.sleep"}, frames...)...), Used(1, 10))
	}
	const timer = "java.util.TimerThread.run"
	scheduled := []string{stack.JUC + "ScheduledThreadPoolExecutor$ScheduledFutureTask.run"}
	periodic := []string{stack.JUC + "FutureTask.runAndReset", stack.JUC +
		"ScheduledThreadPoolExecutor$ScheduledFutureTask.run"}
	job := func(below ...string) *threaddump.Thread {
		return Worker(1, Asleep(append([]string{"App.job"}, below...)...))
	}
	latch := func(id int64) *threaddump.Thread {
		return Thread(id, "l",
			ParkedIn(stack.JUC+"CountDownLatch$Sync", UnsafePark, stack.JUC+"CountDownLatch.await", "App.ask",
				"java.lang.Thread.run"), Used(1, 10))
	}
	selects := func() *threaddump.Thread {
		return Thread(1, "io-1",
			ParkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "Loop.turn", "Loop.run"),
			Used(1, 10))
	}
	selecting := selects()
	finalizer := sleepAt(3, "Finalizer", "App.finalize", "java.lang.ref.Finalizer$FinalizerThread.run")
	hook := sleepAt(9, "h", "App.close", "java.lang.Thread.run")
	Used(1, 5)(hook)
	leaving := Thread(1, "main",
		ParkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join",
			"java.lang.ApplicationShutdownHooks.runHooks", "java.lang.Shutdown.runHooks", "java.lang.System.exit",
			"App.main"), WaitingState, Used(1, 10))
	exits := Worker(1, InTask("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join",
		"java.lang.ApplicationShutdownHooks.runHooks", "java.lang.Shutdown.runHooks", "java.lang.System.exit",
		"App.job"), WaitingState)
	drains := Thread(9, "h",
		ParkedIn("", UnsafePark, stack.JUC+"ThreadPoolExecutor.awaitTermination", "App.drain",
			"java.lang.Thread.run"), Used(1, 5))
	told := Thread(9, "h",
		At("!java.lang.Object.wait0", "java.lang.Object.wait", "App.untilStopped",
			"java.lang.Thread.run"), WaitingState, Used(1, 10))
	pausing := func(id int64) *threaddump.Thread {
		return Thread(id, "l",
			ParkedIn(stack.JUC+"CountDownLatch$Sync", UnsafePark, stack.JUC+"CountDownLatch.await", "App.run",
				"java.lang.Thread.run"), Timed, Used(1, 10))
	}
	naps := func(cpu float64) *threaddump.Thread {
		t := sleepAt(8, "g", "App.nap", "java.lang.Thread.run")
		Used(cpu, 5)(t)
		return t
	}
	reads := func(method string) *threaddump.Thread {
		return Thread(1, "Timer-0",
			At("!sun.nio.ch.Net.poll", method, "java.net.Socket$SocketInputStream.read", "App.tick", timer),
			Used(1, 10))
	}
	tests := []struct {
		name string
		all  [][]*threaddump.Thread
		want string
	}{
		{"a timer", Same(sleepAt(1, "Timer-0", "App.tick", timer)), "single-thread-blocked/warning/likely: Timer-0 | "},
		{"a timer between two tasks",
			Same(Thread(1, "Timer-0",
				ParkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.util.TimerThread.mainLoop",
					timer), WaitingState)), ""},
		{"a timer whose task sleeps again and again", [][]*threaddump.Thread{
			{sleepAt(1, "Timer-0", "App.tick", timer)}, {Woken(sleepAt(1, "Timer-0", "App.tick", timer))},
		}, "single-thread-blocked/info/possible: Timer-0 | "},
		{"a timer in a read", Same(reads("sun.nio.ch.NioSocketImpl.implRead")),
			"single-thread-blocked/warning/likely: Timer-0 | "},
		{"a timer, with threads that wait for a latch and a task in its class",
			Same(sleepAt(1, "Timer-0", "App.tick", timer), latch(2),
				Thread(3, "t", ParkedIn(stack.JUC+"FutureTask", InGet("App.ask", "java.lang.Thread.run")...),
					Used(1, 10))),
			"single-thread-blocked/warning/likely: Timer-0 | l"},
		{"a timer in a read with a time limit", Same(reads("sun.nio.ch.NioSocketImpl.timedRead")),
			"single-thread-blocked/info/possible: Timer-0 | "},
		{"the finalizer behind one that waits itself", Same(
			Thread(3, "Finalizer", At("App.finalize", "java.lang.ref.Finalizer$FinalizerThread.run"), BlockedOn(0xa),
				Used(1, 10)),
			Thread(2, "k",
				ParkedIn(stack.JUC+"CountDownLatch$Sync", UnsafePark, stack.JUC+"CountDownLatch.await", "App.keep",
					"java.lang.Thread.run"), Holds(0xa), Used(1, 10))),
			"single-thread-blocked/warning/likely: Finalizer,k | "},
		{"one dump", Same(sleepAt(1, "Timer-0", "App.tick", timer))[:1],
			"single-thread-blocked/info/possible: Timer-0 | "},
		{"a timer behind a lock", Same(
			Thread(1, "Timer-0", At("App.tick", timer), BlockedOn(0xa), Used(1, 10)), Thread(2, "k", At("App.keep"),
				Sleeping, Holds(0xa), Used(1, 10))),
			"single-thread-blocked/warning/likely: Timer-0,k | "},
		{"the finalizer", Same(finalizer), "single-thread-blocked/warning/likely: Finalizer | "},
		{"Netty's event loop",
			Same(sleepAt(1, "e-1", "App.read", "io.netty.channel.nio.NioEventLoop.run", "java.lang.Thread.run")),
			"single-thread-blocked/warning/likely: e-1 | "},
		{"an event loop in a library",
			Same(sleepAt(1, "e-1", "io.netty.handler.Throttle.read", "io.netty.channel.nio.NioEventLoop.run",
				"java.lang.Thread.run")), ""},
		{"a loop, with one that selects",
			Same(selecting, onLine(9, sleepAt(2, "io-2", "Loop.serve", "Loop.turn", "Loop.run"))),
			"single-thread-blocked/warning/likely: io-2 | "},
		{"a loop without line numbers",
			Same(onLine(0, selects()), onLine(0, sleepAt(2, "io-2", "Loop.serve", "Loop.turn", "Loop.run"))),
			"single-thread-blocked/warning/likely: io-2 | "},
		{"one that was started by way of the line that starts the loop",
			Same(selecting, onLine(7, sleepAt(2, "x", "Other.serve", "Loop.turn", "Loop.run"))), ""},
		{"a loop of another class, with one that selects",
			Same(selecting, sleepAt(2, "x", "Other.serve", "Other.run")), ""},
		{"a scheduler in its one job", Same(job(scheduled...)),
			"single-thread-blocked/info/possible: pool-1-thread-1 | "},
		{"a scheduler in a job that is to run again", Same(job(periodic...)),
			"single-thread-blocked/warning/likely: pool-1-thread-1 | "},
		{"a scheduler that others wait for", Same(job(scheduled...), latch(20)),
			"single-thread-blocked/warning/likely: pool-1-thread-1 | l"},
		{"the only thread with something to do pauses",
			Same(sleepAt(1, "bus", "App.handle", "App.run"), latch(20), latch(21)), ""},
		{"one of two threads with something to do",
			Same(sleepAt(1, "bus", "App.handle", "App.run"), sleepAt(2, "x", "App.run"), latch(20), latch(21)), ""},
		{"a hook that waits for the executor of another class",
			Same(exits, Thread(9, "h", ParkedIn("", UnsafePark, stack.JUC+"ThreadPoolExecutor.awaitTermination",
				"Mail.drain", "java.lang.Thread.run"), Used(1, 5))),
			"single-thread-blocked/warning/likely: h | pool-1-thread-1"},
		{"a hook that waits for one whose tasks get on", [][]*threaddump.Thread{
			{leaving, drains, Worker(2, InTask("", "App.pack", "App.job"))}, {leaving, drains,
				Worker(2, InTask("", "App.ship", "App.job"))}},
			"single-thread-blocked/info/possible: h | main"},
		{"a hook, and one started in the same moment that comes round",
			[][]*threaddump.Thread{{leaving, naps(1), hook},
				{leaving, naps(1.01), hook}}, "single-thread-blocked/warning/likely: h | main"},
		{"one that waits for a notification while others wait", Same(latch(2), latch(3), told), ""},
		{"others that pause between their turns",
			Same(pausing(2), pausing(3), sleepAt(9, "h", "App.load", "App.fill", "java.lang.Thread.run")), ""},
		{"a shutdown hook", Same(leaving, hook, sleepAt(5, "old", "App.run")),
			"single-thread-blocked/warning/likely: h | main"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, DiagnoseAll(test.all), finding.KindSingleThreadBlocked, test.want)
		})
	}
}

// onLine has the thread in all its methods on that line.
func onLine(n int, t *threaddump.Thread) *threaddump.Thread {
	for _, f := range t.Stack {
		f.Line, f.Text = n, fmt.Sprintf("%s(App.java:%d)", f.Name(), n)
	}
	return t
}

// An event loop that waits without a time limit is blocked, as one dump shows.
func TestOneDumpShowsABlockedLoop(t *testing.T) {
	const netty, windows = "io.netty.channel.nio.NioEventLoop.run", "java.awt.EventDispatchThread.run"
	loop := func(wait Part, below string) *threaddump.Thread {
		return Thread(1, "e-1", At("Desk.read", "io.netty.handler.Codec.decode", below, "java.lang.Thread.run"), wait,
			Used(1, 10))
	}
	puts := Calls(Condition, 0xa, stack.JUC+"ArrayBlockingQueue.put")
	reads := func(method string) *threaddump.Thread {
		return Thread(1, "e-1", At("!sun.nio.ch.Net.poll", method, "java.net.Socket$SocketInputStream.read",
			"Desk.read", netty, "java.lang.Thread.run"), Used(1, 10))
	}
	const blocked, hint = "single-thread-blocked/warning/likely: e-1", "single-thread-blocked/info/possible: e-1"
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    string
	}{
		{"in a put", []*threaddump.Thread{loop(puts, netty)}, blocked + " | "},
		{"in a sleep", []*threaddump.Thread{loop(Sleeping, netty)}, hint + " | "},
		{"of windows", []*threaddump.Thread{loop(puts, windows)}, blocked + " | "},
		{"for what may block", []*threaddump.Thread{loop(puts, "io.netty.util.concurrent.DefaultEventExecutor.run")},
			""},
		{"in a read", []*threaddump.Thread{reads("sun.nio.ch.NioSocketImpl.implRead")}, blocked + " | "},
		{"in a read with a time limit", []*threaddump.Thread{reads("sun.nio.ch.NioSocketImpl.timedRead")}, hint +
			" | "},
	} {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, OneDump(test.threads...), finding.KindSingleThreadBlocked, test.want)
		})
	}
}

// The only thread of a scheduler is blocked: the report begins with that, and the finding that no worker is left for
// the threads that wait for its tasks follows from it.
func TestASchedulersOnlyThreadIsBlockedWhileOthersWait(t *testing.T) {
	threads := []*threaddump.Thread{Worker(1,
		Asleep("App.job", stack.JUC+"FutureTask.run", stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask.run")),
		Caller(20), Caller(21), Caller(22)}
	Expect(t, Diagnose(Observe(0, threads...), Observe(2, threads...)),
		"single-thread-blocked/warning/likely: pool-1-thread-1 | c-20,c-21,c-22",
		"executor-saturated/warning/likely: pool-1-thread-1 | c-20,c-21,c-22 < single-thread-blocked-1")
}

// A cleaner in the class where other threads wait for permits is the one that should give them back.
func TestACleanerThatShouldGivePermitsBack(t *testing.T) {
	wants := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Host.open", "Map.draw", "java.lang.Thread.run"),
			Calls(stack.JUC+"Semaphore$NonfairSync", 0xa, stack.JUC+"Semaphore.acquire"), Used(1, 9))
	}
	cleans := Thread(3, "c", AsleepIn("Host.goodbye", "jdk.internal.ref.CleanerImpl.run", "java.lang.Thread.run"),
		Timed, Used(1, 9))
	var look []timeline.Observation
	for i := range 3 {
		look = append(look, Observe(float64(i), wants(1, "a"), wants(2, "b"), cleans))
	}
	r := Diagnose(look...)
	Expect(t, r, "single-thread-blocked/warning/likely: c | a,b",
		"resource-exhausted/warning/likely: a,b |  < single-thread-blocked-1")
}

// Tasks that come round may end, and the hook with them.
func TestHooksThatWaitForPacedTasks(t *testing.T) {
	leaving := Thread(1, "main",
		ParkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join",
			"java.lang.ApplicationShutdownHooks.runHooks", "java.lang.Shutdown.runHooks", "java.lang.System.exit",
			"App.main"), WaitingState, Used(1, 10))
	drains := Thread(9, "h",
		ParkedIn("", UnsafePark, stack.JUC+"ThreadPoolExecutor.awaitTermination", "App.drain",
			"java.lang.Thread.run"), Used(1, 5))
	paced := func() *threaddump.Thread { return Worker(2, Asleep("App.job")) }
	for want, later := range map[string]*threaddump.Thread{
		"single-thread-blocked/info/possible: h | main":  Woken(paced()),
		"single-thread-blocked/warning/likely: h | main": paced(),
	} {
		ExpectOnly(t, Diagnose(Observe(0, leaving, drains, paced()), Observe(1, leaving, drains, later)),
			finding.KindSingleThreadBlocked, want)
	}
}
