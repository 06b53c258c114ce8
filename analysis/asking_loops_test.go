package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// Compiled, a loop that asks shows no call: its class file tells it from one that computes.
func TestLoopsThatOnlyAskByTheirClassFile(t *testing.T) {
	at := func(t *threaddump.Thread) {
		t.Stack = stack("App.turn", "App.run")
		t.Stack[0].Line = 13
	}
	look := func(l *Loop) *Report {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			all = append(all, observe(s, thread(1, "a", at, used(0.9*s, 9+s), allocated(0))))
		}
		if l != nil {
			all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": *l}}})
		}
		return diagnose(all...)
	}
	const cas, spins = juc + "atomic.AtomicBoolean.compareAndSet", "java.lang.Thread.onSpinWait"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	for _, test := range []struct {
		name string
		loop *Loop
		want string
	}{
		{"no class file", nil, hot},
		{"asks", &Loop{Calls: []string{cas, spins}}, spin},
		{"asks and counts", &Loop{Calls: []string{cas}, Counts: true}, spin},
		{"asks a StampedLock", &Loop{Calls: []string{juc + "locks.StampedLock.tryConvertToWriteLock"}}, spin},
		{"asks whether it is interrupted", &Loop{Calls: []string{"java.lang.Thread.currentThread", "java.lang.Thread.isInterrupted"}}, spin},
		{"looks at a field", &Loop{}, spin},
		{"counts", &Loop{Counts: true}, hot},
		{"asks and computes", &Loop{Calls: []string{cas}, Computes: true}, hot},
		{"counts the elements of an array", &Loop{Calls: []string{juc + "atomic.AtomicIntegerArray.get"}, Counts: true}, hot},
		{"adds up what a queue has", &Loop{Calls: []string{juc + "ConcurrentLinkedQueue.poll"}, Counts: true}, hot},
		{"calls more", &Loop{Calls: []string{cas, "App.step"}}, hot},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := look(test.loop)
			expect(t, r, test.want)
			if e := r.Findings[0].Evidence[0].Text; (test.want == spin) != strings.HasPrefix(e, "by its class file the loop ") {
				t.Errorf("first evidence %q", e)
			}
		})
	}
}

// A loop that asks by small methods of the program's own may be seen in one of these.
func TestLoopsThatAskByMethodsOfTheirOwn(t *testing.T) {
	at := func(t *threaddump.Thread) {
		t.Stack = stack("App.isDone", "App.turn", "App.run")
		t.Stack[0].Line, t.Stack[1].Line = 5, 13
	}
	for _, test := range []struct{ looks, want string }{
		{"App.isDone:5", "spin/warning/likely: a | "},
		{"App.other:6", "hot-thread/warning/proven: a | "},
	} {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			all = append(all, observe(s, thread(1, "a", at, used(0.9*s, 9+s), allocated(0))))
		}
		all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": {}}, Looks: map[string]bool{test.looks: true}}})
		expect(t, diagnose(all...), test.want)
	}
}

// A loop with work in it does nothing but ask where every dump shows it on the way round that has none.
func TestLoopsThatAskOnTheWayRound(t *testing.T) {
	const get, spins = juc + "atomic.AtomicLong.get", "java.lang.Thread.onSpinWait"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	work := Loop{Calls: []string{get, spins}, Computes: true}
	for _, test := range []struct {
		name      string
		lines     []int
		round     Loop
		counted   bool
		collector string
		version   string
		want      string
	}{
		{"always there", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", spin},
		{"twice is too few", []int{13, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", hot},
		{"at its work once", []int{13, 14, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", hot},
		{"without giving way", []int{13, 13, 13}, Loop{Calls: []string{get}}, false, "", "17.0.1+1", hot},
		{"with work there too", []int{13, 13, 13}, Loop{Calls: []string{get, spins}, Computes: true}, false, "", "17.0.1+1", hot},
		{"past a loop that counts", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "G1", "17.0.1+1", spin},
		{"past a loop that counts, where it shows nobody", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "Serial", "17.0.1+1", hot},
		{"past a loop that counts, before it did", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "G1", "25.412-b08", hot},
		{"past a loop that counts, without counters", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "", "17.0.1+1", hot},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []Observation
			for i, line := range test.lines {
				s := float64(i)
				all = append(all, observe(s, thread(1, "a", used(0.9*s, 9+s), allocated(0), func(t *threaddump.Thread) {
					t.Stack = stack("App.turn", "App.run")
					t.Stack[0].Line, t.Stack[0].Text = line, fmt.Sprintf("App.turn(App.java:%d)", line)
				})))
				all[i].Dump.Version = test.version
				if test.collector != "" {
					all[i].Counters = &Counters{Collector: test.collector}
				}
			}
			loops := map[string]Loop{"App.turn:13": work, "App.turn:14": {Computes: true}}
			expect(t, diagnose(append(all, Observation{Bytecode: &Bytecode{Loops: loops, Rounds: map[string]Round{"App.turn:13": {Loop: test.round, Counted: test.counted}}}})...), test.want)
		})
	}
}

// A swap of boxed numbers that never succeeds makes objects all the time, and computes the new one.
func TestLoopsThatSwapBoxes(t *testing.T) {
	const swap, box, get = juc + "atomic.AtomicReference.compareAndSet", "java.lang.Integer.valueOf", juc + "atomic.AtomicReference.get"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	yields := at("!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.turn", "App.run")
	runs := at("App.turn", "App.run")
	for _, test := range []struct {
		name  string
		top   part
		calls []string
		swaps bool
		want  string
	}{
		{"swaps", runs, []string{get, box, swap}, true, spin},
		{"swaps with a pause", yields, []string{get, box, swap, "java.lang.Thread.yield"}, true, spin},
		{"swaps for the object that is there", runs, []string{get, box, swap}, false, hot},
		{"swaps other objects", runs, []string{get, "App$State.<init>", swap}, false, hot},
		{"makes boxes for others", runs, []string{get, box}, false, hot},
		{"pauses in work", yields, []string{"App.step", "java.lang.Thread.yield"}, false, hot},
	} {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			a := thread(1, "a", test.top, used(0.9*s, 9+s), allocated(int64(i)*6<<30))
			for _, fr := range a.Stack {
				fr.Line = 13
			}
			all = append(all, observe(s, a))
		}
		all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": {Calls: test.calls, Computes: true, Swaps: test.swaps}}}})
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(all...), test.want) })
	}
}
