package spin_test

import (
	"strings"
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// pausing is parked by the application itself, for some time.
func pausing(places ...string) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "parking", "waiting on condition"
		t.Stack = Trace(append([]string{"!jdk.internal.misc.Unsafe.park",
			"java.util.concurrent.locks.LockSupport.parkNanos"}, places...)...)
	}
}

// A thread that sleeps and looks, again and again, polls: the kernel has counted how often
// it woke up. Work takes longer than a capture.
func TestPolling(t *testing.T) {
	look := func(share float64, turns int64, place Part, others ...*threaddump.Thread) (all []timeline.Observation) {
		for i := range 3 {
			s := float64(i)
			o := Observe(s,
				append([]*threaddump.Thread{Thread(1, "a", place, Used(share*s, 9+s), Allocated(0)),
					Thread(3, "c", Used(0, 9))}, others...)...)
			o.Tasks = map[int64]timeline.Task{1001: {Turns: threaddump.Known(1000 + turns*int64(i))}}
			all = append(all, o)
		}
		return all
	}
	await, step := pausing("App.awaitCursor", "App.write", "App.run"), pausing("App.step", "App.run")
	joiner := Thread(2, "b", At("App.report", "App.print", "App.run"), Used(0, 9), waitsInJoin)
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"a fifth of a core for looks", look(0.2, 9000, await), []string{"spin/info/possible: a | "}},
		{"while another waits for its end", look(0.2, 9000, await, joiner), []string{"spin/info/possible: a | b"}},
		{"a fifth of a core for work", look(0.2, 60, await), nil},
		{"whatever its method is called", look(0.1, 9000, step), []string{"spin/info/possible: a | "}},
		{"now and then", look(0.001, 20, await), nil},
		{"now and then, on duty", look(0.001, 20, step), nil},
		{"once a second", look(0.0001, 1, await), nil},
		{"that the kernel did not count", look(0.2, 0, await), nil},
		{"as a library means it", look(0.2, 9000, pausing("org.agrona.concurrent.BackoffIdleStrategy.idle", "App.run")), nil},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
	f := Diagnose(look(0.2, 9000, await)...).Findings[0]
	if !strings.Contains(f.Title, "in a loop with LockSupport.parkNanos, and uses 20 % of a core") ||
		!strings.Contains(f.Evidence[0].Text, "18,000 times in 2.0 s") {
		t.Errorf("%q %q", f.Title, f.Evidence[0].Text)
	}
}

// One dump may catch a thread that polls at its look; where two of three do, it must have
// paused a thousand times in a second.
func TestPollingIsCaughtLooking(t *testing.T) {
	await, look := pausing("App.awaitCursor", "App.run"), At("App.awaitCursor", "App.run")
	wakes, other := At(stack.JUC+"locks.LockSupport.parkNanos", "App.awaitCursor", "App.run"), At("App.drain", "App.run")
	leaving := func(t *threaddump.Thread) {
		await(t)
		t.State, t.StateDetail, t.Condition = threaddump.Runnable, "", "runnable"
	}
	const hint = "spin/info/possible: a | "
	for name, test := range map[string]struct {
		places [3]Part
		turns  int64
		dumps  string
		want   []string
	}{
		"first":             {[3]Part{look, await, await}, 9000, "2", []string{hint}},
		"last":              {[3]Part{await, await, look}, 9000, "2", []string{hint}},
		"waking":            {[3]Part{await, wakes, await}, 9000, "2", []string{hint}},
		"twice":             {[3]Part{look, await, look}, 9000, "1", []string{hint}},
		"leaving the pause": {[3]Part{await, leaving, await}, 9000, "each", []string{hint}},
		"twice, seldom":     {[3]Part{look, await, look}, 900, "", nil},
		"at each of three":  {[3]Part{look, look, look}, 9000, "", nil},
		"elsewhere":         {[3]Part{await, other, await}, 9000, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var all []timeline.Observation
			for i, place := range test.places {
				s := float64(i)
				o := Observe(s, Thread(1, "a", place, Used(0.2*s, 9+s), Allocated(0)), Thread(3, "c", Used(0, 9)))
				o.Tasks = map[int64]timeline.Task{1001: {Turns: threaddump.Known(1000 + test.turns*int64(i))}}
				all = append(all, o)
			}
			r := Diagnose(all...)
			Expect(t, r, test.want...)
			if len(test.want) > 0 &&
				(!strings.Contains(r.Findings[0].Evidence[0].Text, "in "+test.dumps+" of 3 dumps") ||
					len(r.Findings[0].Evidence) != 2) {
				t.Errorf("%v", r.Findings[0].Evidence)
			}
		})
	}
}

func waitsInJoin(t *threaddump.Thread) {
	Waiting(0xd0)(t)
	t.Stack = append(Trace("!java.lang.Object.wait0", "java.lang.Thread.join"), t.Stack[1:]...)
}
