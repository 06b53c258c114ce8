package pooldeadlock_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

func TestPoolDeadlocks(t *testing.T) {
	task := stack.JUC + "FutureTask.run"
	inner := func(n int) *threaddump.Thread {
		return Worker(n, InTask(stack.JUC+"FutureTask", InGet("App.outer", task)...))
	}
	outer := func(n int) *threaddump.Thread {
		return Worker(n, InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...))
	}
	joins := func(n int, below ...string) *threaddump.Thread {
		frames := append([]string{UnsafePark, stack.JUC + "CompletableFuture.waitingGet", stack.JUC +
			"CompletableFuture.join", "App.walk"}, below...)
		return Worker(n, InTask(stack.JUC+"CompletableFuture$Signaller", frames...))
	}
	latch := func(n int, below ...string) *threaddump.Thread {
		return Worker(n,
			InTask(stack.JUC+"CountDownLatch$Sync",
				append([]string{UnsafePark, stack.JUC + "CountDownLatch.await", "App.walk"}, below...)...))
	}
	const walks, walker = "App.lambda$walk$0", "App$Walk.run"
	other := func(p Part) *threaddump.Thread { return Thread(50, "pool-2-thread-1", p, Used(1, 10)) }
	selector := Thread(60, "io", ParkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.events"),
		Used(1, 10))
	delayed := func(n int) *threaddump.Thread {
		return Worker(n, InTask(stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask",
			InGet("App.outer", "App.lambda$outer$0", task, stack.JUC+
				"ScheduledThreadPoolExecutor$ScheduledFutureTask.run")...))
	}
	tests := []struct {
		name string
		all  [][]*threaddump.Thread
		want string
	}{
		{"futures with unknown submitters", Same(inner(1), inner(2), Caller(1)), ""},
		{"futures of a lambda of their method", Same(outer(1), outer(2), Caller(1)),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | c-1"},
		{"workers of one name", Same(outer(1), Thread(102, "pool-1-thread-1",
			InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...), Used(1, 10)), Caller(1)),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-1 | c-1"},
		{"a worker that sleeps", Same(outer(1), Worker(2, Asleep("App.work", task))), ""},
		{"a free worker", Same(outer(1), Worker(2, IdleAt(0xa))), ""},
		{"a worker that selects for its server", Same(outer(1), outer(2),
			Worker(3,
				InTask("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
					"org.eclipse.jetty.io.ManagedSelector.select"))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor at work on the same class", Same(outer(1), other(Asleep("App.work", task))), ""},
		{"another executor at work on something else",
			Same(outer(1), outer(2), other(Asleep("net.stock.Shop.work", task))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor full of the same code", Same(outer(1), other(Asleep("App.work"))), ""},
		{"another executor that runs the same code now and then",
			Same(outer(1), outer(2), other(Asleep("App.work", stack.JUC+"FutureTask.runAndReset"))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"another executor without work", Same(outer(1), other(IdleAt(0xb))),
			"pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"a task in a separate thread", Same(outer(1),
			Thread(70, "t", ParkedIn("", "!java.lang.Thread.sleep", "App.work", task, "java.lang.Thread.run"),
				Used(1, 10))), ""},
		{"workers that were woken", [][]*threaddump.Thread{{outer(1), outer(2)}, {Woken(outer(1)), Woken(outer(2))}},
			""},
		{"one dump, one worker", Same(outer(1))[:1], "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"one dump, two workers", Same(outer(1), outer(2))[:1],
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"with a time limit",
			Same(outer(1),
				Worker(2, InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...), Timed)),
			"pool-deadlock/warning/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"behind another worker's lock", Same(
			Worker(1, InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...), Holds(0xa)),
			Worker(2, InTask("", "App.outer", task), BlockedOn(0xa))),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"behind another worker's lock, looking again for it now and then", [][]*threaddump.Thread{
			{Worker(1, InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...), Holds(0xa)),
				Worker(2, InTask("", "App.outer", task), BlockedOn(0xa))},
			{Worker(1, InTask(stack.JUC+"FutureTask", InGet("App.outer", "App.lambda$outer$0", task)...), Holds(0xa)),
				Woken(Worker(2, InTask("", "App.outer", task), BlockedOn(0xa)))},
		}, "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"delayed tasks", Same(delayed(1)), "pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"delayed tasks, and another scheduler", Same(delayed(1), Ticking(1)),
			"pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"results of unknown tasks", Same(joins(1, task), joins(2, task)), ""},
		{"results of tasks of the same method", Same(joins(1, walks), joins(2, walks), selector),
			"pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"results of tasks of an inner class", Same(joins(1, walker), joins(2, walker)), ""},
		{"one dump, tasks of the same method", Same(joins(1, walks))[:1],
			"pool-deadlock/critical/likely: pool-1-thread-1 | "},
		{"a task of their method that was seen to run", [][]*threaddump.Thread{
			{joins(1), joins(2), Worker(3, Asleep(walks))}, {joins(1), joins(2), Worker(3, IdleAt(0xa))}, {joins(1),
				joins(2), joins(3)}}, ""},
		{"results of tasks that another executor runs", Same(joins(1, walks), joins(2, walks), other(Asleep(walks))),
			""},
		{"a latch for tasks of the same method", Same(latch(1, walks), latch(2, walks)),
			"pool-deadlock/warning/likely: pool-1-thread-1,pool-1-thread-2 | "},
		{"a latch", Same(latch(1), latch(2)), ""},
		{"a latch for the end of the program", Same(latch(1)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, DiagnoseAll(test.all), finding.KindPoolDeadlock, test.want)
		})
	}
}
