package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// ofKinds lists the findings of some kinds, as found does, other than those that
// another one explains.
func ofKinds(r *Report, kinds ...finding.Kind) []string {
	var own []string
	for i, line := range found(r) {
		if slices.Contains(kinds, r.Findings[i].Kind) && r.Findings[i].ExplainedBy == "" {
			own = append(own, line)
		}
	}
	return own
}

func TestSaturatedExecutors(t *testing.T) {
	task := stack.JUC + "FutureTask.run"
	busy := func(n int) *threaddump.Thread { return worker(n, asleep("App.work", task)) }
	idle := worker(9, idleAt(0xa))
	atLatch := func(n int) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"CountDownLatch$Sync", unsafePark, stack.JUC+"CountDownLatch.await", "App.pack", "App.work"))
	}
	ends := func(method string) *threaddump.Thread {
		return thread(1, "main", parkedIn(condition, unsafePark, stack.JUC+"ThreadPoolExecutor.awaitTermination", method), timed, used(1, 10))
	}
	request := []string{"App.handle", "org.quartz.core.JobRunShell.run"}
	const exchange = "sun.net.httpserver.ServerImpl$Exchange.run"
	const wrapped = "org.springframework.aop.interceptor.AsyncExecutionInterceptor.lambda$invoke$0"
	pausing := func(n int, handedBy ...string) *threaddump.Thread {
		return worker(n, asleep(append([]string{"App.backOff", "App.handle"}, handedBy...)...), timed)
	}
	paced := func(id int64, name string, cpu float64) *threaddump.Thread {
		frames := append([]string{unsafePark, stack.JUC + "locks.LockSupport.parkNanos", "io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission"}, request...)
		return thread(id, name, parkedIn("", append(frames, "org.quartz.simpl.SimpleThreadPool$WorkerThread.run")...), timed, used(cpu, 10))
	}
	tests := []struct {
		name string
		all  [][]*threaddump.Thread
		want string
	}{
		{"more callers than workers", same(busy(1), caller(1), caller(2)),
			"executor-saturated/warning/likely: pool-1-thread-1 | c-1,c-2"},
		{"a free worker", same(busy(1), idle, caller(1), caller(2)), ""},
		{"a worker that was free once", [][]*threaddump.Thread{
			{worker(1, idleAt(0xa)), caller(1), caller(2)}, {busy(1), caller(1), caller(2)},
		}, ""},
		{"no callers", same(busy(1), busy(2)), ""},
		{"who waits for the executor to end", same(atLatch(1), atLatch(2), ends("App.main")),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | main"},
		{"who waits for the executor to end, one worker", same(atLatch(1), ends("App.main")), ""},
		{"who waits for the executor to end, whose tasks sleep", same(busy(1), busy(2), ends("App.main")), ""},
		{"who waits for an executor to end in other code", same(atLatch(1), atLatch(2), ends("Mail.main")), ""},
		{"one dump", same(busy(1), caller(1), caller(2))[:1],
			"executor-saturated/info/possible: pool-1-thread-1 | c-1,c-2"},
		{"callers that were woken", [][]*threaddump.Thread{
			{busy(1), caller(1), caller(2)}, {busy(1), woken(caller(1)), woken(caller(2))},
		}, ""},
		{"callers of which nothing tells whether they were woken", same(busy(1), untold(caller(1)), untold(caller(2))),
			"executor-saturated/info/possible: pool-1-thread-1 | c-1,c-2"},
		{"fewer callers than workers that were never woken", same(busy(1), busy(2), caller(1)),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | c-1"},
		{"main behind the one task that is its program", same(busy(1), thread(1, "main", parkedIn(stack.JUC+"FutureTask", inGet("App.main")...), used(1, 10))),
			"executor-saturated/info/possible: pool-1-thread-1 | main"},
		{"consumers", same(worker(1, inTask(stack.JUC+"LinkedBlockingQueue", unsafePark, stack.JUC+"LinkedBlockingQueue.take", "App.eat", task)), caller(1), caller(2)), ""},
		{"callers of another class, tasks of another kind", same(worker(1, asleep("Other.work")), caller(1), caller(2)), ""},
		{"requests of a framework", same(
			thread(1, "w-1", quartzWorker(request...), used(1, 10)), thread(2, "w-2", quartzWorker(request...), used(1, 10))),
			"executor-saturated/warning/likely: w-1,w-2 | "},
		{"requests that a rate limiter lets go on one by one", [][]*threaddump.Thread{
			{paced(1, "w-1", 1), paced(2, "w-2", 1)}, {paced(1, "w-1", 1.001), paced(2, "w-2", 1.001)}}, ""},
		{"requests that pause before another try", same(pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "},
		{"two requests that pause", same(pausing(1, exchange), pausing(2, exchange)), ""},
		{"jobs that pause", same(pausing(1), pausing(2), pausing(3)), ""},
		{"jobs that a library wraps", same(pausing(1, wrapped), pausing(2, wrapped), pausing(3, wrapped)), ""},
		{"requests that pause, and have tried again once", [][]*threaddump.Thread{
			{pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)}, {pausing(1, exchange), pausing(2, exchange), woken(pausing(3, exchange))},
			{pausing(1, exchange), pausing(2, exchange), woken(pausing(3, exchange))},
		}, "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "},
		{"requests that send something now and then", [][]*threaddump.Thread{
			{pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)}, {pausing(1, exchange), pausing(2, exchange), woken(pausing(3, exchange))},
		}, ""},
		{"loops on workers of the application's own", same(worker(1, asleep("App.loop")), worker(2, asleep("App.loop"))), ""},
		{"a submitter that has to run its task itself", same(busy(1), busy(2), thread(1, "s",
			parkedIn("", "!java.lang.Thread.sleep", "App.work", stack.JUC+"ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution",
				stack.JUC+"ThreadPoolExecutor.reject", stack.JUC+"ThreadPoolExecutor.execute", "App.push"), used(1, 10))),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | s"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnoseAll(test.all), finding.KindExecutorSaturated, test.want)
		})
	}
}

func TestPoolDeadlocks(t *testing.T) {
	task := stack.JUC + "FutureTask.run"
	inner := func(n int) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"FutureTask", inGet("App.outer", task)...))
	}
	outer := func(n int) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...))
	}
	joins := func(n int, below ...string) *threaddump.Thread {
		frames := append([]string{unsafePark, stack.JUC + "CompletableFuture.waitingGet", stack.JUC + "CompletableFuture.join", "App.walk"}, below...)
		return worker(n, inTask(stack.JUC+"CompletableFuture$Signaller", frames...))
	}
	latch := func(n int, below ...string) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"CountDownLatch$Sync", append([]string{unsafePark, stack.JUC + "CountDownLatch.await", "App.walk"}, below...)...))
	}
	const walks, walker = "App.lambda$walk$0", "App$Walk.run"
	other := func(p part) *threaddump.Thread { return thread(50, "pool-2-thread-1", p, used(1, 10)) }
	selector := thread(60, "io", parkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.events"), used(1, 10))
	delayed := func(n int) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask",
			inGet("App.outer", "App.lambda$outer$0", task, stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask.run")...))
	}
	tests := []struct {
		name string
		all  [][]*threaddump.Thread
		want string
	}{
		{"futures of what nobody is known to submit", same(inner(1), inner(2), caller(1)), ""},
		{"futures of a lambda of their method", same(outer(1), outer(2), caller(1)),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | c-1"},
		{"workers of one name", same(outer(1), thread(102, "pool-1-thread-1",
			inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), used(1, 10)), caller(1)),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-1 | c-1"},
		{"a worker that sleeps", same(outer(1), worker(2, asleep("App.work", task))), ""},
		{"a free worker", same(outer(1), worker(2, idleAt(0xa))), ""},
		{"a worker that selects for its server", same(outer(1), outer(2),
			worker(3, inTask("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "org.eclipse.jetty.io.ManagedSelector.select"))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor at work on the same class", same(outer(1), other(asleep("App.work", task))), ""},
		{"another executor at work on something else", same(outer(1), outer(2), other(asleep("net.stock.Shop.work", task))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor full of the same code", same(outer(1), other(asleep("App.work"))), ""},
		{"another executor that runs the same code now and then",
			same(outer(1), outer(2), other(asleep("App.work", stack.JUC+"FutureTask.runAndReset"))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor without work", same(outer(1), other(idleAt(0xb))),
			"pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"two executors crosswise", same(outer(1),
			thread(50, "pool-2-thread-1", inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), used(1, 10))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-2-thread-1 | "},
		{"a task in a thread of its own", same(outer(1),
			thread(70, "t", parkedIn("", "!java.lang.Thread.sleep", "App.work", task, "java.lang.Thread.run"), used(1, 10))), ""},
		{"workers that were woken", [][]*threaddump.Thread{{outer(1), outer(2)}, {woken(outer(1)), woken(outer(2))}}, ""},
		{"one dump, one worker", same(outer(1))[:1], "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"one dump, two workers", same(outer(1), outer(2))[:1], "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"with a time limit", same(outer(1), worker(2, inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), timed)),
			"pool-deadlock/warning/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"behind another worker's lock", same(
			worker(1, inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), holds(0xa)),
			worker(2, inTask("", "App.outer", task), blockedOn(0xa))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"behind another worker's lock, looking again for it now and then", [][]*threaddump.Thread{
			{worker(1, inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), holds(0xa)),
				worker(2, inTask("", "App.outer", task), blockedOn(0xa))},
			{worker(1, inTask(stack.JUC+"FutureTask", inGet("App.outer", "App.lambda$outer$0", task)...), holds(0xa)),
				woken(worker(2, inTask("", "App.outer", task), blockedOn(0xa)))},
		}, "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"delayed tasks", same(delayed(1)), "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"delayed tasks beside another scheduler", same(delayed(1), ticking(1)), "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"results of what nobody is known to run", same(joins(1, task), joins(2, task)), ""},
		{"results of tasks of their own method", same(joins(1, walks), joins(2, walks), selector),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"results of tasks of an inner class", same(joins(1, walker), joins(2, walker)), ""},
		{"one dump, tasks of their own method", same(joins(1, walks))[:1], "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"a task of their method that was seen to run", [][]*threaddump.Thread{
			{joins(1), joins(2), worker(3, asleep(walks))}, {joins(1), joins(2), worker(3, idleAt(0xa))}, {joins(1), joins(2), joins(3)}}, ""},
		{"results of tasks that another executor runs", same(joins(1, walks), joins(2, walks), other(asleep(walks))), ""},
		{"a latch of their own tasks", same(latch(1, walks), latch(2, walks)),
			"pool-deadlock/warning/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"a latch", same(latch(1), latch(2)), ""},
		{"a latch for the end of the program", same(latch(1)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnoseAll(test.all), finding.KindPoolDeadlock, test.want)
		})
	}
}

// ticking is the worker of a scheduler between two runs of a task.
func ticking(cpu float64) *threaddump.Thread {
	schedule := stack.JUC + "ScheduledThreadPoolExecutor$DelayedWorkQueue.take"
	return thread(70, "tick", parkedIn(condition, unsafePark, condition+".awaitNanos", schedule,
		stack.JUC+"ThreadPoolExecutor.getTask", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), timed, used(cpu, 10))
}

// idleServer is the thread of a server of the JDK that waits for connections.
func idleServer(id int64) *threaddump.Thread {
	return thread(id, "http", parkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
		"sun.net.httpserver.ServerImpl$Dispatcher.run", "java.lang.Thread.run"), used(1, 10))
}

func same(threads ...*threaddump.Thread) [][]*threaddump.Thread {
	return [][]*threaddump.Thread{threads, threads}
}

func diagnoseAll(all [][]*threaddump.Thread) *Report {
	var looks []timeline.Observation
	for i, threads := range all {
		looks = append(looks, observe(float64(i), threads...))
	}
	return diagnose(looks...)
}

// expectOnly wants one finding of a kind, or none.
func expectOnly(t *testing.T, r *Report, kind finding.Kind, want string) {
	t.Helper()
	if got := strings.Join(ofKinds(r, kind), "\n"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// woken has used as much CPU since the first dump as it costs to wake up a few times.
func woken(t *threaddump.Thread) *threaddump.Thread {
	used(1.0002, 11)(t)
	return t
}

// untold is a thread of JDK 8, which prints no CPU time.
func untold(t *threaddump.Thread) *threaddump.Thread {
	t.CPU = timeline.Opt[time.Duration]{}
	return t
}

func quartzWorker(frames ...string) part {
	return parkedIn("", append(append([]string{"!java.lang.Thread.sleep"}, frames...), "org.quartz.simpl.SimpleThreadPool$WorkerThread.run")...)
}

// A task that several workers wait for may never have been in a queue.
func TestWorkersWaitForOneTask(t *testing.T) {
	waitsFor := func(n int, task uint64) *threaddump.Thread {
		return worker(n, inTask(stack.JUC+"FutureTask", inGet("App.price", "App.lambda$price$0")...),
			func(t *threaddump.Thread) { t.Locks[0].Address = task })
	}
	for second, want := range map[uint64]bool{0xa: true, 0xb: false} {
		r := diagnoseAll(same(waitsFor(1, 0xa), waitsFor(2, second)))
		if got := strings.Contains(r.Findings[0].Advice, "Several wait for one task"); got != want || r.Findings[0].Kind != finding.KindPoolDeadlock {
			t.Errorf("%#x: %+v", second, r.Findings[0])
		}
	}
}
