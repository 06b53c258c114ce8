package heapgrowth_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
)

// silent makes the first thread of a capture tell nothing of what it allocates, as on JDK 8.
func silent(look []timeline.Observation) []timeline.Observation {
	for i := range look {
		look[i].Dump.Threads[0].Allocated = timeline.Opt[int64]{}
	}
	return look
}

func TestHeapGrowth(t *testing.T) {
	aged := func(seconds float64, look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Dump.Threads[0].Elapsed = Lasting(seconds + float64(i))
		}
		return look
	}
	old := func(look []timeline.Observation) []timeline.Observation { return aged(5000, look) }
	swept := func(look []timeline.Observation, collections ...int64) []timeline.Observation {
		for i := range look {
			look[i].Counters.OldCollections = AmountOf(collections[i])
		}
		return look
	}
	aging := func(look []timeline.Observation, survivors ...int64) []timeline.Observation {
		for i := range look {
			look[i].Counters.SurvivorUsed = AmountOf(survivors[i])
		}
		return look
	}
	finalizing := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			finalizer := Thread(9, "Finalizer", Used(0.1*float64(i), float64(i)+1),
				At("java.lang.ref.Finalizer$FinalizerThread.run"))
			look[i].Dump.Threads = append(look[i].Dump.Threads, finalizer)
		}
		return look
	}
	g1 := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.Collector, look[i].Counters.GCCount = "G1", AmountOf(10+4*int64(i))
		}
		return look
	}
	full := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.FullCollections = AmountOf(int64(min(i, 1)))
		}
		return look
	}
	shenandoah := func(phases int64, look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.Collector, look[i].Counters.GCCount = "Shenandoah", AmountOf(1+phases*int64(i))
		}
		return look
	}
	collectedOnce := func(before int64, look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.GCCount = AmountOf(before + int64(i/2))
			look[i].Dump.Threads[0].Allocated.Value += 160 * MB // in eight seconds before the capture
		}
		return look
	}
	inMain := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Dump.Threads[0].Name = "main"
		}
		return look
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"all of it stays in a young JVM", Filling(20*MB, 100*MB, 120*MB, 140*MB),
			[]string{"heap-growth/info/possible: a | "}},
		{"all of it stays in a young JVM that has room for more than a minute",
			Filling(5*MB, 10*MB, 15*MB, 20*MB), nil},
		{"all that was ever made stayed", aged(8, Filling(20*MB, 160*MB, 180*MB, 200*MB)),
			[]string{"heap-growth/info/possible: a | "}},
		{"all of it stayed in collections too, while objects are finalized",
			finalizing(swept(Filling(20*MB, 20*MB, 40*MB, 60*MB), 2, 2,
				2)), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of what is made stays, more than has come since the start",
			aged(8, Filling(100*MB, 260*MB, 280*MB, 300*MB)), nil},
		{"all of it stayed in collections too, in a main that is long at it",
			inMain(swept(old(Filling(20*MB, 100*MB, 120*MB, 140*MB)), 2, 2,
				3)), []string{"heap-growth/warning/likely: main | "}},
		{"all of it stayed in the first collection", swept(Filling(20*MB, 20*MB, 40*MB, 60*MB), 1, 1, 1),
			[]string{"heap-growth/info/possible: a | "}},
		{"more grew than was allocated, as the rest was before",
			swept(old(Filling(10*MB, 50*MB, 65*MB, 80*MB)), 2, 2, 2),
			[]string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stays in one of the capture, in an old JVM",
			swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 3, 3), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in one of G1's two pauses for one, in an old JVM",
			g1(swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 3, 3)), nil},
		{"a fifth of it stays in both of G1's pauses for one, in an old JVM",
			g1(swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 4,
				4)), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in a full one of G1, in an old JVM",
			full(g1(swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 3,
				3))), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in one whose young ones are to come, in an old JVM",
			swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 2, 3), nil},
		{"a third of it stays in one whose young ones are to come, in an old JVM",
			swept(old(Filling(60*MB, 20*MB, 40*MB, 60*MB)), 2, 2, 3), []string{"heap-growth/info/possible: a | "}},
		{"a half of it stays", Filling(40*MB, 20*MB, 40*MB, 60*MB), []string{"heap-growth/info/possible: a | "}},
		{"all of it stays while objects are finalized", finalizing(Filling(20*MB, 20*MB, 40*MB, 60*MB)),
			[]string{"heap-growth/info/possible: a | "}},
		{"survivors grow old", aging(Filling(20*MB, 20*MB, 40*MB, 60*MB), 40*MB, 20*MB, 0), nil},
		{"a fifth of it stays in a JVM that would have been full long ago", old(Filling(100*MB, 20*MB, 40*MB, 60*MB)),
			nil},
		{"all of it stays in an old JVM", old(Filling(20*MB, 20*MB, 40*MB, 60*MB)),
			[]string{"heap-growth/warning/likely: a | "}},
		{"all of it stays in an old JVM, by counters read during a collection",
			shenandoah(5, old(Filling(20*MB, 20*MB, 40*MB, 60*MB))), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stays in a JVM that began faster", Filling(100*MB, 200*MB, 220*MB, 240*MB), nil},
		{"a twentieth of it stays", Filling(400*MB, 100*MB, 120*MB, 140*MB), nil},
		{"a collection gives back", Filling(20*MB, 100*MB, 90*MB, 140*MB), nil},
		{"too slow to matter", Filling(2*MB, 100*MB, 102*MB, 104*MB), nil},
		{"the first of all collections shows what there is", aged(8, collectedOnce(0, Filling(20*MB, 0, 0, 200*MB))),
			nil},
		{"what grew is known from a collection before",
			aged(8,
				collectedOnce(1, Filling(20*MB, 160*MB, 160*MB, 200*MB))), []string{"heap-growth/info/possible: a | "}},
		{"two dumps", Filling(20*MB, 100*MB, 120*MB), []string{"heap-growth/info/possible: a | "}},
		{"allocating threads unknown", swept(silent(Filling(0, 100*MB, 120*MB, 140*MB)), 0, 1, 1),
			[]string{"heap-growth/info/possible:  | "}},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
	const doubt = "Take a second capture: no collection"
	freedNothing := swept(old(Filling(100*MB, 20*MB, 40*MB, 60*MB)), 2, 3, 3)
	for i, look := range [][]timeline.Observation{Filling(20*MB, 20*MB, 40*MB, 60*MB), freedNothing} {
		if advice := Diagnose(look...).Findings[0].Advice; strings.HasPrefix(advice, doubt) != (i == 0) {
			t.Errorf("look %d: the advice is %q", i, advice)
		}
	}
}

func TestAHeapThatWasNotCollectedProvesNothing(t *testing.T) {
	look := Filling(20*MB, 100*MB, 120*MB, 140*MB)
	for i := range look {
		look[i].Counters.GCCount = AmountOf(7)
	}
	Expect(t, Diagnose(look...))
	look[0].Counters, look[1].Counters = nil, nil
	Expect(t, Diagnose(look...))
}

// What jstat said, second by second, of a JVM that keeps 8,000 short-lived sessions, a
// sixteenth of what it makes, and of one that fills a cache: their old generations were
// not collected yet. A leak looks the same, so that no more than a hint may come of it.
func TestAYoungHealthyHeapGivesNoAlarm(t *testing.T) {
	const kb = int64(1 << 10)
	type moment struct{ at, age, old, eden, collections int64 }
	for name, seen := range map[string][]moment{
		"sessions, G1": {{0, 4200, 39797, 218112, 10}, {1300, 5500, 65285, 217088, 12},
			{2300, 6500, 78132, 218112, 13}},
		"sessions, Parallel": {{0, 4200, 44731, 152576, 8}, {1200, 5400, 66208, 147456, 10},
			{2400, 6600, 94316, 146432, 12}},
		"cache, G1": {{0, 2200, 29940, 76800, 7}, {1200, 3400, 39988, 99328, 8},
			{2300, 4500, 52404, 119808, 9}},
	} {
		var look []timeline.Observation
		for _, m := range seen {
			o := Observe(float64(m.at)/1000, Thread(1, "main", UsedFor(float64(m.age)/1000)))
			look = append(look, Counting(o, timeline.Counters{
				GCCount: AmountOf(m.collections), HeapMax: AmountOf(600 * MB), OldUsed: AmountOf(m.old * kb),
				EdenCapacity: AmountOf(m.eden * kb),
			}))
		}
		for _, f := range Diagnose(look...).Findings {
			if f.Severity != finding.Info {
				t.Errorf("%s: %s %s: %s", name, f.Severity, f.Kind, f.Title)
			}
		}
	}
}
