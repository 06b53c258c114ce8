package analysis

import (
	"testing"

	"jstall/threaddump"
)

// A class whose superclass waits has no <clinit> frame yet; two whole dumps show
// who initialises it.
func TestSubclassInitialisation(t *testing.T) {
	for _, named := range []bool{true, false} {
		waitFor := func(class string) part { return waitsForClass(class, named) }
		look := func(sec float64) Observation {
			o := observe(sec, thread(1, "a", at("Base.<clinit>", "App.run"), waitFor("Sub")), thread(2, "b", waitFor("Base")))
			o.Dump.SMR = &threaddump.SMR{Length: 2}
			return o
		}
		expect(t, diagnose(look(0)), "deadlock/info/possible: a,b | ")
		expect(t, diagnose(look(0), look(1)), "deadlock/critical/likely: a,b | ")
		cutOff := look(0)
		cutOff.Dump.SMR.Length = 3
		if r := diagnose(cutOff); len(deadlocked(r)) > 0 {
			t.Errorf("a dump that lacks threads proves %q", found(r))
		}
	}
}

// Of several that wait for a class, one is on its way into a subclass of it; not so where
// another thread is in a static initialiser.
func TestOneOfSeveralInitialisesTheSubclass(t *testing.T) {
	for _, named := range []bool{true, false} {
		waitFor := func(class string) part { return waitsForClass(class, named) }
		look := func(sec float64, more ...*threaddump.Thread) Observation {
			threads := append([]*threaddump.Thread{
				thread(1, "a", at("Base.<clinit>", "App.run"), waitFor("Sub")),
				thread(2, "b", at("App.one"), waitFor("Base")), thread(3, "c", at("App.two"), waitFor("Base")),
			}, more...)
			o := observe(sec, threads...)
			o.Dump.SMR = &threaddump.SMR{Length: len(threads)}
			return o
		}
		r := diagnose(look(0), look(1))
		expect(t, r, "deadlock/critical/likely: a,b,c | ")
		if title := r.Findings[0].Title; title != `"a" and one of "b" and "c" are deadlocked, and the others wait behind them` {
			t.Error(title)
		}
		for _, row := range r.Threads {
			if row.Name == "a" && (row.WaitsFor == nil || row.WaitsFor.Owner != nil) {
				t.Errorf("what a waits for: %+v", row.WaitsFor)
			}
		}
		once := diagnose(look(0))
		if title := once.Findings[0].Title; title != `"a" and one of "b" and "c" may be deadlocked, and the others wait behind them` {
			t.Error(title)
		}
		late := diagnose(look(0), look(1, thread(5, "late", at("App.one"), waitFor("Base"))))
		expectOnly(t, late, KindDeadlock, "deadlock/critical/likely: a,b,c,late | ")
		other := func() *threaddump.Thread { return thread(4, "d", at("Other.<clinit>", "App.run")) }
		if r := diagnose(look(0, other()), look(1, other())); len(deadlocked(r)) > 0 {
			t.Errorf("beside another initialiser: %q", found(r))
		}
	}
}

// waitsForClass waits for the initialisation of a class, which only newer JVMs name.
func waitsForClass(class string, named bool) part {
	return func(th *threaddump.Thread) {
		th.Condition = inObjectWait
		if named {
			lockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
}
