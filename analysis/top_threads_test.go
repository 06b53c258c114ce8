package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Classes that stay keep what they made: a heap that the same thread fills is an effect of them, and one that another
// thread fills is a separate finding.
func TestAHeapThatGrowsWithItsClasses(t *testing.T) {
	for heapBy, want := range map[string]string{"a": "heap-growth/warning/likely: a |  < metaspace-growth-1",
		"b": "heap-growth/warning/likely: b | "} {
		var all []timeline.Observation
		for i := range 3 {
			n := int64(i)
			maker := Thread(1, "a", At("App.load", "App.run"), Allocated(25*n*MB),
				Used(0.01*float64(i), 900+float64(i)))
			maker.DefinedClasses = threaddump.Known(100 * n)
			other := Thread(2, "b", At("App.put", "App.run"), Sleeping, Allocated(0), Used(0, 900+float64(i)))
			if heapBy == "b" {
				maker.Allocated, other.Allocated = threaddump.Known(int64(0)), threaddump.Known(25*n*MB)
			}
			o := Observe(float64(i), maker, other)
			o.Loaders = &timeline.ClassLoaders{Class: "App$Loader", Loaders: 200, Classes: 1200, Alike: 150}
			all = append(all, Counting(o, timeline.Counters{
				LoadedClasses: AmountOf(1000 + 100*n), UnloadedClasses: AmountOf(0), GCCount: AmountOf(2*n +
					2), OldCollections: AmountOf(min(n, 1)),
				HeapMax: AmountOf(1000 * MB), OldUsed: AmountOf((100 + 20*n) * MB), EdenCapacity: AmountOf(20 * MB),
			}))
		}
		r := Diagnose(all...)
		if got := Found(r); !slices.Contains(got, want) ||
			!slices.Contains(got, "metaspace-growth/warning/likely: a | ") {
			t.Errorf("filled by %s: %q", heapBy, got)
		}
	}
}

// Workers of one pool that share the work evenly are named together; so many of all kinds are not.
func TestACrewAllocatesMost(t *testing.T) {
	look := func(names string) *analysis.Report {
		var all []timeline.Observation
		for i := range int64(3) {
			var threads []*threaddump.Thread
			for n := range int64(8) {
				name := fmt.Sprintf("web-%d", n)
				if names == "" || n > 5 {
					name = strings.Repeat("x", int(n+1))
				}
				threads = append(threads, Thread(n+1, name, Allocated(10*i*MB), Used(0, 900+float64(i))))
			}
			all = append(all, Counting(Observe(float64(i), threads...), timeline.Counters{
				GCCount: AmountOf(2*i +
					2), OldCollections: AmountOf(min(i, 1)), HeapMax: AmountOf(1000 * MB),
				OldUsed: AmountOf((100 + 20*i) * MB), EdenCapacity: AmountOf(20 * MB),
			}))
		}
		return Diagnose(all...)
	}
	pool := look("web").Findings[0]
	if n := len(pool.Culprits); n != 6 || !strings.HasSuffix(pool.Title, `; threads named "web-*" allocate most`) {
		t.Errorf("%d: %s", n, pool.Title)
	}
	if all := look("").Findings[0]; len(all.Culprits) > 0 || strings.Contains(all.Title, "allocate") {
		t.Errorf("%v: %s", all.Culprits, all.Title)
	}
}
