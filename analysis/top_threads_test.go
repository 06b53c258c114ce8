package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Classes that stay keep what they made: a heap that grows by the same thread's doing
// stands behind them, and one that another fills beside them.
func TestAHeapThatGrowsWithItsClasses(t *testing.T) {
	for heapBy, want := range map[string]string{"a": "heap-growth/warning/likely: a |  < metaspace-growth-1", "b": "heap-growth/warning/likely: b | "} {
		var all []timeline.Observation
		for i := range 3 {
			n := int64(i)
			maker := thread(1, "a", at("App.load", "App.run"), allocated(25*n*mb), used(0.01*float64(i), 900+float64(i)))
			maker.DefinedClasses = threaddump.Known(100 * n)
			other := thread(2, "b", at("App.put", "App.run"), sleeping, allocated(0), used(0, 900+float64(i)))
			if heapBy == "b" {
				maker.Allocated, other.Allocated = threaddump.Known(int64(0)), threaddump.Known(25*n*mb)
			}
			all = append(all, counting(observe(float64(i), maker, other), timeline.Counters{
				LoadedClasses: amountOf(1000 + 100*n), UnloadedClasses: amountOf(0), GCCount: amountOf(2*n + 2), OldCollections: amountOf(min(n, 1)),
				HeapMax: amountOf(1000 * mb), OldUsed: amountOf((100 + 20*n) * mb), EdenCapacity: amountOf(20 * mb),
			}))
		}
		r := diagnose(all...)
		if got := found(r); !slices.Contains(got, want) || !slices.Contains(got, "metaspace-growth/warning/likely: a | ") {
			t.Errorf("filled by %s: %q", heapBy, got)
		}
	}
}

// What a thread does is not seen in the helper that it sleeps in, nor in the constructor of
// what it makes, if anywhere in their callers.
func TestDoersAreNotNamedAfterTheirPause(t *testing.T) {
	for _, test := range []struct {
		methods []string
		want    string
	}{
		{[]string{"!java.lang.Thread.sleep", "App.nap", "App.reload", "App.run"}, "App.reload"},
		{[]string{"!java.lang.Thread.sleep", "App.serve", "App.run"}, "App.serve"},
		{[]string{"!java.lang.Thread.sleep", "App.pause"}, "App.pause"},
		{[]string{"java.lang.ClassLoader.<init>", "App$Loader.<init>", "App$Plugins.<init>", "App.reload", "App.run"}, "App.reload"},
		{[]string{"java.lang.ClassLoader.<init>", "App$Loader.<init>"}, "App$Loader.<init>"},
		{[]string{"App.<init>", "App.main"}, "App.<init>"},
	} {
		f := factsOf(thread(1, "a", at(test.methods...)))
		if refs, _ := timeline.BlameWork(f.Timeline, f.Alive()); refs[0].Frame != test.want {
			t.Errorf("%v: got %s", test.methods, refs[0].Frame)
		}
	}
}

// Workers of one pool that share the work evenly are named together; so many of all kinds are not.
func TestACrewAllocatesMost(t *testing.T) {
	look := func(names string) *Report {
		var all []timeline.Observation
		for i := range int64(3) {
			var threads []*threaddump.Thread
			for n := range int64(8) {
				name := fmt.Sprintf("web-%d", n)
				if names == "" || n > 5 {
					name = strings.Repeat("x", int(n+1))
				}
				threads = append(threads, thread(n+1, name, allocated(10*i*mb), used(0, 900+float64(i))))
			}
			all = append(all, counting(observe(float64(i), threads...), timeline.Counters{
				GCCount: amountOf(2*i + 2), OldCollections: amountOf(min(i, 1)), HeapMax: amountOf(1000 * mb), OldUsed: amountOf((100 + 20*i) * mb), EdenCapacity: amountOf(20 * mb),
			}))
		}
		return diagnose(all...)
	}
	crew := look("web").Findings[0]
	if n := len(crew.Culprits); n != 6 || !strings.HasSuffix(crew.Title, `; threads named "web-#" allocate most`) {
		t.Errorf("%d: %s", n, crew.Title)
	}
	if all := look("").Findings[0]; len(all.Culprits) > 0 || strings.Contains(all.Title, "allocate") {
		t.Errorf("%v: %s", all.Culprits, all.Title)
	}
}
