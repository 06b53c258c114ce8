package spin_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestSpin(t *testing.T) {
	yields := At("!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.step", "App.run")
	tries := At("java.util.concurrent.locks.ReentrantLock.tryLock", "App.step", "App.run")
	polls := At("java.util.concurrent.ConcurrentLinkedQueue.poll", "App.drain", "App.run")
	selects := At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.loop", "App.run")
	writes := At("!sun.nio.ch.SocketDispatcher.write0", "sun.nio.ch.SocketChannelImpl.write", "App.pump", "App.loop",
		"App.run")
	works := At("java.util.ArrayList.indexOf", "App.step", "App.run")
	parksNot := func(t *threaddump.Thread) {
		At("App.score", "App.run")(t)
		t.State = threaddump.Waiting
		LockOn(t, threaddump.Parking, 7, "org.apache.pekko.dispatch.PekkoJdk9ForkJoinPool")
	}
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
		{"an event loop that writes", look(1, selects, writes, selects), []string{"hot-thread/warning/proven: a | "}},
		{"an event loop that works", look(1, selects, works, selects), []string{"hot-thread/warning/proven: a | "}},
		{"a busy selector", look(0.6, selects, selects, selects), nil},
		{"seen asking once", look(1, works, works, yields), []string{"hot-thread/warning/proven: a | "}},
		{"that makes objects", allocating(4<<20, look(1, yields, yields, yields)),
			[]string{"hot-thread/warning/proven: a | "}},
		{"an iterator for each return of a selector", allocating(50<<20, look(1, selects, selects, selects)),
			[]string{"spin/warning/likely: a | "}},
		{"a server that is caught selecting", allocating(500<<20, look(1, selects, selects, selects)),
			[]string{"hot-thread/warning/proven: a | "}},
		{"with a line of a wait and no method that waits", look(1, parksNot, parksNot, parksNot),
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
