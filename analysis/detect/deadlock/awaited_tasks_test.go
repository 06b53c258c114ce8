package deadlock_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// A static initialiser that waits for a task which needs the class, and those that
// only look like it.
func TestInitialisersThatWaitForTheirTasks(t *testing.T) {
	initWait := func(class string) Part {
		return func(th *threaddump.Thread) {
			th.Condition = stack.InObjectWait
			LockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
	gets := func(class string) Part {
		return Calls(class, 0xa0, "java.util.concurrent."+class+".get")
	}
	worker := func(id int64, name string, frames ...string) *threaddump.Thread {
		all := append(frames, "java.util.concurrent.FutureTask.run",
			"java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run",
			"java.lang.Thread.run")
		return Thread(id, name, At(all...))
	}
	asks := func(id int64, name string) *threaddump.Thread {
		w := worker(id, name, "Rings$$Lambda.call")
		initWait("Rings")(w)
		return w
	}
	initialiser := func(waits Part) *threaddump.Thread {
		return Thread(1, "a", At("Rings.<clinit>", "App.run"), waits)
	}
	deadlock := []string{"deadlock/critical/likely: a,w1 | "}
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"the only runner", []*threaddump.Thread{initialiser(gets("FutureTask")), asks(2, "w1")}, deadlock},
		{"all runners", []*threaddump.Thread{initialiser(gets("FutureTask")), asks(2, "w1"), asks(3, "w2")},
			[]string{"deadlock/critical/likely: a,w1 | w2"}},
		{"another one is at work",
			[]*threaddump.Thread{initialiser(gets("FutureTask")), asks(2, "w1"), worker(3, "w2", "App.work")}, nil},
		{"tasks of another sort", []*threaddump.Thread{initialiser(gets("CompletableFuture")), asks(2, "w1")}, nil},
		{"an initialiser that computes",
			[]*threaddump.Thread{Thread(1, "a", At("Rings.<clinit>", "App.run")), asks(2, "w1")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(Observe(0, test.threads...), Observe(1, test.threads...))
			Expect(t, OnlyDeadlocks(r), test.want...)
		})
	}
}

// One dump of JDK 8, which lists no threads, bears it where it is whole.
func TestOneDumpShowsAnInitialiserThatWaitsForItsTask(t *testing.T) {
	threads := func() *threaddump.Dump {
		d := Dump(
			Thread(1, "tile-renderer", At("geo.Projection.<clinit>", "geo.Tables.run"),
				Calls("FutureTask", 0xa0, "java.util.concurrent.FutureTask.get")),
			Thread(2, "w1",
				At("geo.Projection$$Lambda.call", "java.util.concurrent.FutureTask.run",
					"java.lang.Thread.run"), func(th *threaddump.Thread) {
					th.Condition = stack.InObjectWait
				}))
		d.Version = "1.8.0_504"
		return d
	}
	whole, cut := threads(), threads()
	cut.Cut = true
	Expect(t, Diagnose(Saved(whole)), "deadlock/critical/likely: tile-renderer,w1 | ")
	r := Diagnose(Saved(cut))
	if len(r.Findings) == 0 || r.Findings[0].Severity != finding.Info {
		t.Errorf("a dump that is cut off: %+v", r.Findings)
	}
}

// A thread that keeps a lock and waits for a task which wants that lock, and those that
// only look like it.
func TestLocksKeptWhileATaskWantsThem(t *testing.T) {
	const execute = "java.util.concurrent.ThreadPoolExecutor$Worker.run"
	keeper := func(waits Part) *threaddump.Thread {
		return Thread(1, "t", At("Books.close", "App.run"), waits, Holds(0xa), Used(1, 9))
	}
	gets := Calls(stack.JUC+"FutureTask", 0xf, stack.JUC+"FutureTask.awaitDone", stack.JUC+"FutureTask.get")
	joined := Calls(stack.JUC+"CompletableFuture$Signaller", 0xf, stack.JUC+"CompletableFuture.join")
	task := func(id int64, name, runs string, frames ...string) *threaddump.Thread {
		return Thread(id, name, At(append(frames, runs, execute, "java.lang.Thread.run")...), Used(1, 9))
	}
	wants := func(th *threaddump.Thread) *threaddump.Thread {
		BlockedOn(0xa)(th)
		return th
	}
	future, stage := stack.JUC+"FutureTask.run", stack.JUC+"CompletableFuture$AsyncSupply.run"
	own := wants(task(2, "w1", future, "Books.add", "Books.lambda$close$0"))
	other := wants(task(2, "w1", future, "Books.add", "Import.call"))
	deadlock := []string{"deadlock/critical/likely: t,w1 | "}
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    []string
	}{
		{"the only runner", []*threaddump.Thread{keeper(gets), other}, deadlock},
		{"behind another", []*threaddump.Thread{
			keeper(gets), Thread(3, "m", At("App.flush"), BlockedOn(0xa), Holds(0xb), Used(1, 9)), Thread(2, "w1",
				At("Books.add", "Import.call", future), BlockedOn(0xb), Used(1, 9)),
		}, []string{"deadlock/critical/likely: t,w1,m | "}},
		{"another one is at work", []*threaddump.Thread{keeper(gets), other, task(3, "w2", future, "App.work")}, nil},
		{"another task of the same executor is at work",
			[]*threaddump.Thread{keeper(gets), own, task(3, "w2", future, "App.work", "Books.lambda$close$1")}, nil},
		{"who completes it is not known",
			[]*threaddump.Thread{keeper(joined), wants(task(2, "w1", stage, "Books.add", "Import.get")),
				Ticking(1)}, nil},
		{"its own stage",
			[]*threaddump.Thread{keeper(joined),
				wants(task(2, "w1", stage, "Books.add", "Books.lambda$close$0"))}, deadlock},
		{"a delayed task that is not due",
			[]*threaddump.Thread{keeper(Calls(stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask", 0xf,
				stack.JUC+"FutureTask.get")), other, Ticking(1)}, nil},
		{"a wait with an end", []*threaddump.Thread{keeper(func(th *threaddump.Thread) {
			gets(th)
			th.State = threaddump.TimedWaiting
		}), own}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(Observe(0, test.threads...), Observe(1, test.threads...))
			Expect(t, OnlyDeadlocks(r), test.want...)
			for _, f := range r.Findings {
				if f.Kind == finding.KindMissedSignal {
					t.Errorf("a task is on the way to bring it: %s", f.Title)
				}
			}
		})
	}
	Expect(t, Diagnose(Observe(0, keeper(gets), own)), "deadlock/info/possible: t,w1 | ")
}
