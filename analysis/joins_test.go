package analysis

import (
	"testing"

	"jstall/threaddump"
)

// A thread that joins another one, and holds what a third one wants: which of the
// two it joins no dump tells, so that it is a warning, and the advice is of joins.
func TestJoinWhileHoldingWhatOthersWant(t *testing.T) {
	joiner := thread(11, "a", at("Crew.end", "Crew.day", "java.lang.Thread.run"), joins(0xb), holds(0xc))
	wants := thread(12, "b", at("Crew.work", "Crew.day", "java.lang.Thread.run"), blockedOn(0xc))
	other := thread(13, "c", at("Crew.rest", "Crew.day", "java.lang.Thread.run"), sleeping)
	r := diagnoseAll(same(joiner, wants, other))
	expectOnly(t, r, KindDeadlock, "deadlock/warning/possible: a,b | ")
	for _, f := range r.Findings {
		if f.Kind == KindDeadlock && f.Advice != "Do not join a thread while holding what it needs to end." {
			t.Errorf("advice: %q", f.Advice)
		}
	}
	quick := thread(11, "a", at("Crew.end", "Crew.day", "java.lang.Thread.run"), joins(0xb), timed, holds(0xc))
	expectOnly(t, diagnoseAll(same(quick, wants, other)), KindDeadlock, "")
	free := thread(11, "a", at("Crew.end", "Crew.day", "java.lang.Thread.run"), joins(0xb))
	expectOnly(t, diagnoseAll([][]*threaddump.Thread{{free, wants, other}, {free, wants, other}}), KindDeadlock, "")
}

// A main that joins itself waits for none of those who miss a signal.
func TestWhoJoinsItselfWaitsForNobody(t *testing.T) {
	const plain = "java.lang.Thread"
	main := thread(1, "main", at("App.main"), joins(0xb))
	for name, test := range map[string]struct {
		other *threaddump.Thread
		want  bool
	}{
		"beside a worker":                {worker(1, asleep("App.job")), true},
		"beside a thread of its own":     {thread(2, "a", asleepIn("App.day", plain+".run")), false},
		"beside one of a class":          {thread(2, "a", asleepIn("App.day", "App.run")), true},
		"beside the server's dispatcher": {thread(2, "s", at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", serverLoops[0]+".run", plain+".run")), true},
	} {
		f := factsOf(main, test.other)
		if got := f.joinsNobody(f.alive()[0]); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func asleepIn(frames ...string) part {
	return parkedIn("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}

// Threads of classes that have inherited their run method join each other in a circle: each
// object is another thread, and a thread with the name of its class is it.
func TestWhoIsJoinedIsEachAnother(t *testing.T) {
	joiner := func(id int64, name string, address uint64, class string) *threaddump.Thread {
		return thread(id, name, at("Device.settle", "Device.run"), joinsOf(class, address), used(1, 9))
	}
	for names, want := range map[[3]string]string{
		{"x", "y", "z"}:             `3 threads block each other for ever: "x", "z" and "y"`,
		{"dome", "guide", "camera"}: `3 threads block each other for ever: "camera", "guide" and "dome"`,
	} {
		threads := []*threaddump.Thread{
			thread(1, "main", at("Device.main"), joinsOf("lab.Device$Dome", 0xa), used(1, 9)),
			joiner(2, names[0], 0xb, "lab.Device$Camera"), joiner(3, names[1], 0xa, "lab.Device$Dome"), joiner(4, names[2], 0xc, "lab.Device$Guide"),
		}
		r := diagnoseAll(same(threads...))
		if len(r.Findings) == 0 || r.Findings[0].Title != want {
			t.Errorf("%q: %+v", names, r.Verdict)
		}
	}
}
