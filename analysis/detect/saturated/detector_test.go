package saturated_test

import (
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestSaturatedExecutors(t *testing.T) {
	task := stack.JUC + "FutureTask.run"
	busy := func(n int) *threaddump.Thread { return Worker(n, Asleep("App.work", task)) }
	idle := Worker(9, IdleAt(0xa))
	atLatch := func(n int) *threaddump.Thread {
		return Worker(n,
			InTask(stack.JUC+"CountDownLatch$Sync", UnsafePark, stack.JUC+"CountDownLatch.await", "App.pack",
				"App.work"))
	}
	ends := func(method string) *threaddump.Thread {
		return Thread(1, "main",
			ParkedIn(Condition, UnsafePark, stack.JUC+"ThreadPoolExecutor.awaitTermination", method), Timed,
			Used(1, 10))
	}
	request := []string{"App.handle", "org.quartz.core.JobRunShell.run"}
	const exchange = "sun.net.httpserver.ServerImpl$Exchange.run"
	const wrapped = "org.springframework.aop.interceptor.AsyncExecutionInterceptor.lambda$invoke$0"
	pausing := func(n int, handedBy ...string) *threaddump.Thread {
		return Worker(n, Asleep(append([]string{"App.backOff", "App.handle"}, handedBy...)...), Timed)
	}
	paced := func(id int64, name string, cpu float64) *threaddump.Thread {
		frames := append([]string{UnsafePark, stack.JUC + "locks.LockSupport.parkNanos",
			"io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission"}, request...)
		return Thread(id, name, ParkedIn("", append(frames, "org.quartz.simpl.SimpleThreadPool$WorkerThread.run")...),
			Timed, Used(cpu, 10))
	}
	tests := []struct {
		name string
		all  [][]*threaddump.Thread
		want string
	}{
		{"more callers than workers", Same(busy(1), Caller(1), Caller(2)),
			"executor-saturated/warning/likely: pool-1-thread-1 | c-1,c-2"},
		{"a free worker", Same(busy(1), idle, Caller(1), Caller(2)), ""},
		{"a worker that was free once", [][]*threaddump.Thread{
			{Worker(1, IdleAt(0xa)), Caller(1), Caller(2)}, {busy(1), Caller(1), Caller(2)},
		}, ""},
		{"no callers", Same(busy(1), busy(2)), ""},
		{"who waits for the executor to end", Same(atLatch(1), atLatch(2), ends("App.main")),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | main"},
		{"who waits for the executor to end, one worker", Same(atLatch(1), ends("App.main")), ""},
		{"who waits for the executor to end, whose tasks sleep", Same(busy(1), busy(2), ends("App.main")), ""},
		{"who waits for an executor to end in other code", Same(atLatch(1), atLatch(2), ends("Mail.main")), ""},
		{"one dump", Same(busy(1), Caller(1), Caller(2))[:1],
			"executor-saturated/info/possible: pool-1-thread-1 | c-1,c-2"},
		{"callers that were woken", [][]*threaddump.Thread{
			{busy(1), Caller(1), Caller(2)}, {busy(1), Woken(Caller(1)), Woken(Caller(2))},
		}, ""},
		{"callers that may have been woken", Same(busy(1), untold(Caller(1)), untold(Caller(2))),
			"executor-saturated/info/possible: pool-1-thread-1 | c-1,c-2"},
		{"fewer callers than workers that were never woken", Same(busy(1), busy(2), Caller(1)),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | c-1"},
		{"main behind the one task that is its program",
			Same(busy(1), Thread(1, "main", ParkedIn(stack.JUC+"FutureTask", InGet("App.main")...), Used(1, 10))),
			"executor-saturated/info/possible: pool-1-thread-1 | main"},
		{"consumers",
			Same(Worker(1,
				InTask(stack.JUC+"LinkedBlockingQueue", UnsafePark, stack.JUC+"LinkedBlockingQueue.take", "App.eat",
					task)), Caller(1), Caller(2)), ""},
		{"callers of another class, tasks of another kind",
			Same(Worker(1, Asleep("Other.work")), Caller(1), Caller(2)), ""},
		{"requests of a framework", Same(
			Thread(1, "w-1", quartzWorker(request...), Used(1, 10)), Thread(2, "w-2", quartzWorker(request...),
				Used(1, 10))),
			"executor-saturated/warning/likely: w-1,w-2 | "},
		{"requests that a rate limiter lets go on one by one", [][]*threaddump.Thread{
			{paced(1, "w-1", 1), paced(2, "w-2", 1)}, {paced(1, "w-1", 1.001), paced(2, "w-2", 1.001)}}, ""},
		{"requests that pause before another try",
			Same(pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "},
		{"two requests that pause", Same(pausing(1, exchange), pausing(2, exchange)), ""},
		{"jobs that pause", Same(pausing(1), pausing(2), pausing(3)), ""},
		{"jobs that a library wraps", Same(pausing(1, wrapped), pausing(2, wrapped), pausing(3, wrapped)), ""},
		{"requests that pause, and have tried again once", [][]*threaddump.Thread{
			{pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)}, {pausing(1, exchange),
				pausing(2, exchange), Woken(pausing(3, exchange))},
			{pausing(1, exchange), pausing(2, exchange), Woken(pausing(3, exchange))},
		}, "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "},
		{"requests that send something now and then", [][]*threaddump.Thread{
			{pausing(1, exchange), pausing(2, exchange), pausing(3, exchange)}, {pausing(1, exchange),
				pausing(2, exchange), Woken(pausing(3, exchange))},
		}, ""},
		{"loops on workers of the application's own",
			Same(Worker(1, Asleep("App.loop")), Worker(2, Asleep("App.loop"))), ""},
		{"a submitter that has to run its task itself", Same(busy(1), busy(2), Thread(1, "s",
			ParkedIn("", "!java.lang.Thread.sleep", "App.work", stack.JUC+
				"ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution",
				stack.JUC+"ThreadPoolExecutor.reject", stack.JUC+"ThreadPoolExecutor.execute", "App.push"),
			Used(1, 10))),
			"executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | s"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, DiagnoseAll(test.all), finding.KindExecutorSaturated, test.want)
		})
	}
}

// untold is a thread of JDK 8, which prints no CPU time.
func untold(t *threaddump.Thread) *threaddump.Thread {
	t.CPU = timeline.Opt[time.Duration]{}
	return t
}

func quartzWorker(frames ...string) Part {
	return ParkedIn("",
		append(append([]string{"!java.lang.Thread.sleep"}, frames...),
			"org.quartz.simpl.SimpleThreadPool$WorkerThread.run")...)
}
