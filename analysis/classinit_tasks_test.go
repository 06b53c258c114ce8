package analysis

import (
	"testing"

	"jstall/threaddump"
)

// A static initialiser that waits for a task which needs the class, and those that
// only look like it.
func TestInitialisersThatWaitForTheirTasks(t *testing.T) {
	initWait := func(class string) part {
		return func(th *threaddump.Thread) {
			th.Condition = inObjectWait
			lockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
	gets := func(class string) part {
		return calls(class, 0xa0, "java.util.concurrent."+class+".get")
	}
	worker := func(id int64, name string, frames ...string) *threaddump.Thread {
		all := append(frames, "java.util.concurrent.FutureTask.run",
			"java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
		return thread(id, name, at(all...))
	}
	asks := func(id int64, name string) *threaddump.Thread {
		w := worker(id, name, "Rings$$Lambda.call")
		initWait("Rings")(w)
		return w
	}
	initialiser := func(waits part) *threaddump.Thread {
		return thread(1, "a", at("Rings.<clinit>", "App.run"), waits)
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
		{"another one is at work", []*threaddump.Thread{initialiser(gets("FutureTask")), asks(2, "w1"), worker(3, "w2", "App.work")}, nil},
		{"tasks of another sort", []*threaddump.Thread{initialiser(gets("CompletableFuture")), asks(2, "w1")}, nil},
		{"an initialiser that computes", []*threaddump.Thread{thread(1, "a", at("Rings.<clinit>", "App.run")), asks(2, "w1")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := diagnose(observe(0, test.threads...), observe(1, test.threads...))
			var got []Finding
			for _, f := range r.Findings {
				if f.Kind == KindDeadlock {
					got = append(got, f)
				}
			}
			r.Findings = got
			expect(t, r, test.want...)
		})
	}
}

// One dump of JDK 8, which lists no threads, bears it where it is whole.
func TestOneDumpShowsAnInitialiserThatWaitsForItsTask(t *testing.T) {
	threads := func() *threaddump.Dump {
		d := dump(
			thread(1, "tile-renderer", at("geo.Projection.<clinit>", "geo.Tables.run"), calls("FutureTask", 0xa0, "java.util.concurrent.FutureTask.get")),
			thread(2, "w1", at("geo.Projection$$Lambda.call", "java.util.concurrent.FutureTask.run", "java.lang.Thread.run"), func(th *threaddump.Thread) {
				th.Condition = inObjectWait
			}))
		d.Version = "1.8.0_504"
		return d
	}
	whole, cut := threads(), threads()
	cut.Cut = true
	expect(t, diagnose(saved(whole)), "deadlock/critical/likely: tile-renderer,w1 | ", "missed-signal/info/possible: tile-renderer |  < deadlock-1")
	r := diagnose(saved(cut))
	if len(r.Findings) == 0 || r.Findings[0].Severity != Info {
		t.Errorf("a dump that is cut off: %+v", r.Findings)
	}
}
