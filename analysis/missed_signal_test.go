package analysis

import (
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Threads in the middle of something that wait for a signal are a hint, whatever other threads do;
// workers, timed waits and waits for the end of the program are none.
func TestMissedSignals(t *testing.T) {
	latch := func(address uint64) part {
		return calls(stack.JUC+"CountDownLatch$Sync", address, stack.JUC+"CountDownLatch.await")
	}
	in := func(id int64, name string, wait part, methods ...string) *threaddump.Thread {
		return thread(id, name, at(append(methods, "java.lang.Thread.run")...), wait, used(1, 9))
	}
	notify := waiting(0xa)
	midway := []string{"Race.stand", "Race.cheer", "Race.lambda$main$0"}
	others := []*threaddump.Thread{
		idleServer(60), thread(61, "pool-9-thread-1", idleAt(0xc), used(1, 9)),
		thread(62, "sleeper", asleepIn("Clock.tick", "Clock.run"), used(1, 9)),
		thread(63, "busy", at("Sum.add", "Sum.run"), used(1, 9)),
	}
	one := []string{"missed-signal/info/possible: a | "}
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		want    []string
	}{
		"one in the middle of something":    {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...)}, one},
		"beside all kinds of threads":       {append([]*threaddump.Thread{in(1, "a", latch(0xa), midway...)}, others...), one},
		"in the method it was started with": {[]*threaddump.Thread{in(1, "a", latch(0xa), "Race.stand", "Race.run")}, nil},
		"several below their first method": {[]*threaddump.Thread{in(1, "a", latch(0xa), "Race.stand", "Race.run"),
			in(2, "b", latch(0xa), "Race.stand", "Race.run")}, []string{"missed-signal/info/possible: a,b | "}},
		"each at an object of its own": {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...),
			in(2, "b", latch(0xb), midway...)}, []string{"missed-signal/info/possible: a,b | "}},
		"in two methods at two objects": {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...),
			in(2, "b", latch(0xb), "Race.end", "Race.cheer", "Race.lambda$main$0")}, append(one, "missed-signal/info/possible: b | ")},
		"a notify in the middle":           {[]*threaddump.Thread{in(1, "a", notify, midway...)}, one},
		"a worker that takes its next job": {[]*threaddump.Thread{in(1, "a", notify, "Belt.take", "Hand.loop", "Hand.run")}, nil},
		"an accessor is no method":         {[]*threaddump.Thread{in(1, "a", notify, "Bell.listen", "Bell.access$000", "Bell$Hand.run")}, nil},
		"until the end of the program":     {[]*threaddump.Thread{in(1, "a", latch(0xa), "Node.awaitShutdown", "Node.serve", "Node.run")}, nil},
		"with a time limit":                {[]*threaddump.Thread{thread(1, "a", at(midway...), latch(0xa), timed, used(1, 9))}, nil},
		"for a task of its own that runs": {[]*threaddump.Thread{in(1, "a",
			calls(stack.JUC+"FutureTask", 0xa, stack.JUC+"FutureTask.get"), "Loom.ask", "Loom.order", "Loom.run"),
			worker(1, at("Loom.weave", "Loom.lambda$order$0", stack.JUC+"FutureTask.run"))}, nil},
		"main, kept up by a latch": {[]*threaddump.Thread{thread(1, "main", at("App.hold", "App.main"), latch(0xa), used(1, 9))}, nil},
		"main in the middle of its own work": {[]*threaddump.Thread{thread(1, "main",
			at("App.load", "App.boot", "App.main"), latch(0xa), used(1, 9))}, []string{"missed-signal/info/possible: main | "}},
	} {
		t.Run(name, func(t *testing.T) {
			expectOnlyAll(t, diagnose(observe(0, test.threads...), observe(1, test.threads...)), finding.KindMissedSignal, test.want...)
		})
	}
	moved := in(1, "a", latch(0xa), midway...)
	used(1.1, 10)(moved)
	expectOnly(t, diagnose(observe(0, in(1, "a", latch(0xa), midway...)), observe(1, moved)), finding.KindMissedSignal, "")
}

// expectOnlyAll compares the findings of one kind.
func expectOnlyAll(t *testing.T, r *Report, kind finding.Kind, want ...string) {
	t.Helper()
	only := *r
	only.Findings = nil
	for _, f := range r.Findings {
		if f.Kind == kind {
			only.Findings = append(only.Findings, f)
		}
	}
	expect(t, &only, want...)
}

// The title says what is waited for and where, and the object has the type that the wait has.
func TestMissedSignalsSayWhatIsMissing(t *testing.T) {
	for _, test := range []struct{ call, class, says string }{
		{stack.JUC + "CountDownLatch.await", stack.JUC + "CountDownLatch$Sync", "a CountDownLatch"},
		{stack.JUC + "CyclicBarrier.await", condition, "a CyclicBarrier"},
		{stack.JUC + "Phaser.arriveAndAwaitAdvance", stack.JUC + "Phaser", "a Phaser"},
		{stack.JUC + "Exchanger.exchange", stack.JUC + "Exchanger$Participant", "an Exchanger"},
		{stack.JUC + "FutureTask.get", stack.JUC + "FutureTask", "a result (FutureTask.get)"},
		{condition + ".await", condition, "a Condition"},
	} {
		all := []*threaddump.Thread{thread(11, "a", at("Oven.heat", "Oven.bake", "Oven.day", "java.lang.Thread.run"),
			calls(test.class, 0xa, test.call), used(1, 9))}
		r := diagnose(observe(0, all...), observe(1, all...))
		if len(r.Findings) != 1 || r.Findings[0].Title != "1 thread waits for "+test.says+" in Oven.heat" {
			t.Errorf("%s: %+v", test.call, r.Findings)
			continue
		}
		if object, waits := r.Findings[0].Resource.Type, r.Threads[0].WaitsFor.Type; object != waits {
			t.Errorf("%s: the object is a %q, the thread waits for a %q", test.call, object, waits)
		}
	}
}
