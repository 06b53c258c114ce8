package spin_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func TestSpin(t *testing.T) {
	yields := At("!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.step", "App.run")
	tries := At("java.util.concurrent.locks.ReentrantLock.tryLock", "App.step", "App.run")
	polls := At("java.util.concurrent.ConcurrentLinkedQueue.poll", "App.drain", "App.run")
	selects := At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.loop", "App.run")
	tells := At("java.util.HashSet.add", "sun.nio.ch.SelectorImpl.processReadyEvents", "sun.nio.ch.SelectorImpl.select",
		"App.loop", "App.run")
	looks := At("java.util.HashMap$HashIterator.remove", "App.pump", "App.loop", "App.run")
	writes := At("!sun.nio.ch.SocketDispatcher.write0", "sun.nio.ch.SocketChannelImpl.write", "App.pump", "App.loop", "App.run")
	serves := At("java.util.ArrayList.indexOf", "App.answer", "App.pump", "App.loop", "App.run")
	works := At("java.util.ArrayList.indexOf", "App.step", "App.run")
	strategy := At("!java.lang.Thread.yield0", "java.lang.Thread.yield",
		"com.lmax.disruptor.YieldingWaitStrategy.waitFor", "App.run")
	// look is three dumps, a second apart, of a thread at the given places.
	look := func(share float64, places ...Part) []timeline.Observation {
		var all []timeline.Observation
		for i, place := range places {
			all = append(all,
				Observe(float64(i), Thread(1, "a", place, Used(float64(i)*share, 9+float64(i)), Allocated(0))))
		}
		return all
	}
	allocating := func(each int64, look []timeline.Observation) []timeline.Observation {
		for i, o := range look {
			o.Dump.Threads[0].Allocated = threaddump.Known(int64(i) * each)
		}
		return look
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"yields", look(1, yields, yields, yields), []string{"spin/warning/likely: a | "}},
		{"tries a lock, seen so in two of three", look(1, tries, works, tries), []string{"spin/warning/likely: a | "}},
		{"asks an empty queue", look(1, polls, polls, polls), []string{"spin/warning/likely: a | "}},
		{"a selector that returns at once", look(1, selects, selects, selects), []string{"spin/warning/likely: a | "}},
		{"a selector that has found something", look(1, selects, tells, tells), []string{"spin/warning/likely: a | "}},
		{"a look at what was selected", look(1, selects, looks, tells), []string{"spin/warning/likely: a | "}},
		{"two looks at what was selected", look(1, selects, looks, looks), []string{"hot-thread/warning/proven: a | "}},
		{"an event loop that writes", look(1, selects, writes, selects), []string{"hot-thread/warning/proven: a | "}},
		{"an event loop that answers", look(1, selects, serves, selects), []string{"hot-thread/warning/proven: a | "}},
		{"an event loop that works", look(1, selects, works, selects), []string{"hot-thread/warning/proven: a | "}},
		{"a busy selector", look(0.6, selects, selects, selects), nil},
		{"seen asking once", look(1, works, works, yields), []string{"hot-thread/warning/proven: a | "}},
		{"that makes objects", allocating(4<<20, look(1, yields, yields, yields)),
			[]string{"hot-thread/warning/proven: a | "}},
		{"an iterator for each return of a selector", allocating(50<<20, look(1, selects, selects, selects)),
			[]string{"spin/warning/likely: a | "}},
		{"a node for each key", allocating(200<<20, look(1, selects, tells, selects)),
			[]string{"spin/warning/likely: a | "}},
		{"a server that is caught selecting", allocating(500<<20, look(1, selects, selects, selects)),
			[]string{"hot-thread/warning/proven: a | "}},
		{"that yields now and then", look(0.1, yields, yields, yields), nil},
		{"as a library means it", look(1, strategy, strategy, strategy), []string{"spin/info/possible: a | "}},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
}

// What is named is the method that the program called, not what the JDK does in it.
func TestSpinnersAskInWhatTheyCall(t *testing.T) {
	for want, frames := range map[string][]string{
		"Thread.yield": {"!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.step"},
		"ReentrantLock.tryLock": {stack.JUC + "locks.ReentrantLock$Sync.tryLock", stack.JUC +
			"locks.ReentrantLock.tryLock", "App.step"},
	} {
		var all []timeline.Observation
		for i := range 3 {
			all = append(all,
				Observe(float64(i), Thread(1, "a", At(frames...), Used(float64(i), 9+float64(i)), Allocated(0))))
		}
		if title := Diagnose(all...).Findings[0].Title; !strings.HasSuffix(title, "polls, in "+want) {
			t.Errorf("%q, want %q", title, want)
		}
	}
}

func TestSpinnersWithTheSameWorkAreOneFinding(t *testing.T) {
	steps := func(second int64) []*threaddump.Thread {
		s := float64(second)
		return []*threaddump.Thread{
			Thread(1, "a", At("!java.lang.Thread.yield", "App.pass"), Used(s*0.7, 9+s)),
			// a node for each lock that it loses
			Thread(2, "b", At("App.pass"), Used(s*0.7, 9+s), Allocated(second<<22)),
		}
	}
	Expect(t, Diagnose(Observe(0, steps(0)...), Observe(1, steps(1)...), Observe(2, steps(2)...)),
		"spin/warning/likely: a,b | ")
}

// A companion is seen at the work of the spinner once, or the spinner once at its.
func TestSpinnersCompanionsAreSeenAtTheirWorkOnce(t *testing.T) {
	asks, steps, passes := At("!java.lang.Thread.yield", "App.step", "App.pass"), At("App.step",
		"App.pass"), At("App.pass")
	for name, places := range map[string][3][2]Part{
		"once at its work":        {{asks, passes}, {asks, steps}, {asks, passes}},
		"the spinner at its":      {{asks, passes}, {passes, passes}, {asks, passes}},
		"each asks once at it":    {{passes, asks}, {passes, steps}, {asks, steps}},
		"each asks and is beside": {{asks, passes}, {passes, asks}, {asks, passes}},
	} {
		t.Run(name, func(t *testing.T) {
			Expect(t, dance(places), "spin/warning/likely: a,b | ")
		})
	}
	others := At("App.count", "App.run")
	Expect(t, dance([3][2]Part{{asks, others}, {asks, others}, {asks, others}}), "spin/warning/likely: a | ")
}

// dance is what three dumps, a second apart, tell of two busy threads at the given places.
func dance(places [3][2]Part) *analysis.Report {
	var all []timeline.Observation
	for i, p := range places {
		s := float64(i)
		all = append(all, Observe(s, Thread(1, "a", p[0], Used(s*0.7, 9+s)), Thread(2, "b", p[1], Used(s*0.7, 9+s))))
	}
	return Diagnose(all...)
}

// Who waits for the end of a spinner is its victim.
func TestWhoWaitsForASpinner(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		s := float64(i)
		spins := Thread(1, "a", At("java.lang.Thread.yield", "App.look", "App.run"), Used(s*0.7, 9+s))
		asks := Thread(2, "b", At("App.feed", "App.day", "java.lang.Thread.run"), Joins(0xb), Used(0, 9+s))
		all = append(all, Observe(s, spins, asks))
	}
	ExpectOnly(t, Diagnose(all...), finding.KindSpin, "spin/warning/likely: a | b")
}

// Spinners that each own a lock seem to want each other's; where no dump tells owners, one
// that does is advised.
func TestSpinnersThatHoldLocks(t *testing.T) {
	const livelock = "each of them holds a lock (livelock)"
	for name, test := range map[string]struct {
		a, b    Part
		says    bool
		advised bool
	}{
		"each owns one":   {Owns(0xa), Owns(0xb), true, false},
		"one owns one":    {Owns(0xa), Daemon, false, false},
		"none is seen to": {Daemon, Daemon, false, true},
	} {
		var all []timeline.Observation
		for i := range 3 {
			s := float64(i)
			all = append(all, Observe(s,
				Thread(1, "a", At("!java.lang.Thread.yield", "App.enter"), Used(s*0.9, 9+s), test.a),
				Thread(2, "b", At("!java.lang.Thread.yield", "App.enter"), Used(s*0.9, 9+s), test.b)))
		}
		f := Diagnose(all...).Findings[0]
		if f.Kind != finding.KindSpin || strings.Contains(f.Title, livelock) != test.says ||
			strings.Contains(f.Advice, "--locks always") != test.advised {
			t.Errorf("%s: %s %q %q", name, f.Kind, f.Title, f.Advice)
		}
	}
}

// Two that step aside for each other are caught asking now and then: one of them once
// is an accident, each of them once is none.
func TestSpinnersAreCountedTogether(t *testing.T) {
	works, asks := At("App.pass"), At("!java.lang.Thread.yield", "App.pass")
	Expect(t, dance([3][2]Part{{works, works}, {asks, works}, {works, asks}}), "spin/warning/likely: a,b | ")
	Expect(t, dance([3][2]Part{{works, works}, {asks, works}, {works, works}}), "hot-thread/warning/proven: a,b | ")
}

// An update of a ConcurrentHashMap whose function updates it again waits for itself.
func TestAnUpdateWithinAnUpdateSpins(t *testing.T) {
	const update = "java.util.concurrent.ConcurrentHashMap.computeIfAbsent"
	look := func(frames ...string) (all []timeline.Observation) {
		for i := range 3 {
			all = append(all, Observe(float64(i), Thread(1, "a", At(frames...), Used(float64(i), 9+float64(i)))))
		}
		return all
	}
	r := Diagnose(look(update, "App.stem", "App.root", update, "App.run")...)
	Expect(t, r, "spin/warning/likely: a | ")
	if f := r.Findings[0]; !strings.Contains(f.Title, "from within an update") ||
		!strings.Contains(f.Advice, "JDK-8062841") {
		t.Errorf("%q, %q", f.Title, f.Advice)
	}
	Expect(t, Diagnose(look(update, "App.stem", "App.run")...), "hot-thread/warning/proven: a | ")
}

// A selector that is asked to wait and does not has something ready all the time; one
// that is asked not to wait need not.
func TestSelectorsThatDoNotWait(t *testing.T) {
	for frames, want := range map[string][2]string{
		"sun.nio.ch.SelectorImpl.select": {"in a selector that always returns at once",
			"Check the keys of the selector"},
		"sun.nio.ch.SelectorImpl.selectNow": {"only polls, in SelectorImpl.selectNow", "Block instead of polling"},
	} {
		var all []timeline.Observation
		for i := range 3 {
			s := float64(i)
			all = append(all,
				Observe(s,
					Thread(1, "a", At("!sun.nio.ch.EPoll.wait", frames, "App.loop", "App.run"), Used(s, 9+s),
						Allocated(0))))
		}
		f := Diagnose(all...).Findings[0]
		if f.Kind != finding.KindSpin || !strings.Contains(f.Title, want[0]) || !strings.HasPrefix(f.Advice, want[1]) {
			t.Errorf("%s: %s %q %q", frames, f.Kind, f.Title, f.Advice)
		}
	}
}

// What a thread that hardly gets a CPU does with it two dumps cannot tell.
func TestWhoHardlyRunsIsNotSeenToSpin(t *testing.T) {
	for share, want := range map[float64]bool{0.2: true, 0.01: false} {
		var all []timeline.Observation
		for i := range 3 {
			o := StarvingAt(float64(i), nil, [2]float64{share, 0.78})
			At("!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.step", "App.run")(o.Dump.Threads[0])
			all = append(all, o)
		}
		r := Diagnose(all...)
		if got := slices.ContainsFunc(r.Findings, func(f finding.Finding) bool {
			return f.Kind == finding.KindSpin
		}); got != want {
			t.Errorf("%v of a core: %+v", share, r.Findings)
		}
	}
}
