package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

const mb = int64(1 << 20)

// filling is a capture of a heap whose old generation has these sizes from dump to
// dump, while a thread allocates so much.
func filling(allocatedEach int64, old ...int64) []timeline.Observation {
	var all []timeline.Observation
	for i, used := range old {
		n := int64(i)
		o := observe(float64(i), thread(1, "a", allocated(n*allocatedEach), usedFor(float64(i)+1)))
		all = append(all, counting(o, timeline.Counters{
			GCCount: amountOf(2*n + 2), HeapMax: amountOf(1000 * mb), OldUsed: amountOf(used), EdenCapacity: amountOf(20 * mb),
		}))
	}
	return all
}

// usedFor makes a thread of an age that uses no CPU.
func usedFor(elapsed float64) part { return used(0, elapsed) }

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
			look[i].Dump.Threads[0].Elapsed = lasting(seconds + float64(i))
		}
		return look
	}
	old := func(look []timeline.Observation) []timeline.Observation { return aged(5000, look) }
	swept := func(look []timeline.Observation, collections ...int64) []timeline.Observation {
		for i := range look {
			look[i].Counters.OldCollections = amountOf(collections[i])
		}
		return look
	}
	aging := func(look []timeline.Observation, survivors ...int64) []timeline.Observation {
		for i := range look {
			look[i].Counters.SurvivorUsed = amountOf(survivors[i])
		}
		return look
	}
	finalizing := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			finalizer := thread(9, "Finalizer", used(0.1*float64(i), float64(i)+1), at("java.lang.ref.Finalizer$FinalizerThread.run"))
			look[i].Dump.Threads = append(look[i].Dump.Threads, finalizer)
		}
		return look
	}
	g1 := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.Collector, look[i].Counters.GCCount = "G1", amountOf(10+4*int64(i))
		}
		return look
	}
	full := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.FullCollections = amountOf(int64(min(i, 1)))
		}
		return look
	}
	shenandoah := func(phases int64, look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.Collector, look[i].Counters.GCCount = "Shenandoah", amountOf(1+phases*int64(i))
		}
		return look
	}
	collectedOnce := func(before int64, look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Counters.GCCount = amountOf(before + int64(i/2))
			look[i].Dump.Threads[0].Allocated.Value += 160 * mb // in eight seconds before the capture
		}
		return look
	}
	inMain := func(look []timeline.Observation) []timeline.Observation {
		for i := range look {
			look[i].Dump.Threads[0].Name = "main"
		}
		return look
	}
	pausing := func(dumps int, look []timeline.Observation) []timeline.Observation {
		for i := range dumps {
			sleeping(look[i].Dump.Threads[0])
		}
		return look
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"all of it stays in a young JVM", filling(20*mb, 100*mb, 120*mb, 140*mb), []string{"heap-growth/info/possible: a | "}},
		{"all that was ever made stayed", aged(8, filling(20*mb, 160*mb, 180*mb, 200*mb)), []string{"heap-growth/info/possible: a | "}},
		{"all that was ever made stayed, while main begins", inMain(aged(8, filling(20*mb, 160*mb, 180*mb, 200*mb))), []string{"heap-growth/info/possible: main | "}},
		{"all of it stayed in collections too, and main slept once", pausing(1, inMain(swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2))), []string{"heap-growth/info/possible: main | "}},
		{"all of it stayed in collections too, and main sleeps in between", pausing(2, inMain(swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2))), []string{"heap-growth/warning/likely: main | "}},
		{"a fifth of all that was ever made stayed", aged(8, filling(100*mb, 160*mb, 180*mb, 200*mb)), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of all that was ever made stayed, at a rate that fills the heap late", aged(8, filling(20*mb, 32*mb, 36*mb, 40*mb)), []string{"heap-growth/info/possible: a | "}},
		{"all of it stayed in collections too, while objects are finalized", finalizing(swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2)), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of what is made stays, more than has come since the start", aged(8, filling(100*mb, 260*mb, 280*mb, 300*mb)), nil},
		{"all of it stayed in collections too", swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2), []string{"heap-growth/warning/likely: a | "}},
		{"all of it stayed in collections too, while main begins", inMain(swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2)), []string{"heap-growth/info/possible: main | "}},
		{"all of it stayed in collections too, in a main that is long at it", inMain(swept(old(filling(20*mb, 100*mb, 120*mb, 140*mb)), 2, 2, 3)), []string{"heap-growth/warning/likely: main | "}},
		{"all of it stayed in the first collection", swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 1, 1, 1), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stayed in four of G1, but none came in the capture", g1(swept(aged(8, filling(100*mb, 160*mb, 180*mb, 200*mb)), 8, 8, 8)), []string{"heap-growth/info/possible: a | "}},
		{"more grew than was allocated, as the rest was before", swept(filling(10*mb, 50*mb, 65*mb, 80*mb), 2, 2, 2), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stays", filling(100*mb, 20*mb, 40*mb, 60*mb), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stayed in collections too", swept(filling(100*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stays in one of the capture, in an old JVM", swept(old(filling(100*mb, 20*mb, 40*mb, 60*mb)), 2, 3, 3), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in one of G1's two pauses for one, in an old JVM", g1(swept(old(filling(100*mb, 20*mb, 40*mb, 60*mb)), 2, 3, 3)), nil},
		{"a fifth of it stays in both of G1's pauses for one, in an old JVM", g1(swept(old(filling(100*mb, 20*mb, 40*mb, 60*mb)), 2, 4, 4)), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in a full one of G1, in an old JVM", full(g1(swept(old(filling(100*mb, 20*mb, 40*mb, 60*mb)), 2, 3, 3))), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in one whose young ones are to come, in an old JVM", swept(old(filling(100*mb, 20*mb, 40*mb, 60*mb)), 2, 2, 3), nil},
		{"a third of it stays in one whose young ones are to come, in an old JVM", swept(old(filling(60*mb, 20*mb, 40*mb, 60*mb)), 2, 2, 3), []string{"heap-growth/info/possible: a | "}},
		{"a fifth of it stays, but collections gave back a quarter of what came", swept(filling(100*mb, 5*mb, 25*mb, 45*mb), 2, 2, 2), []string{"heap-growth/info/possible: a | "}},
		{"a half of it stays", filling(40*mb, 20*mb, 40*mb, 60*mb), []string{"heap-growth/info/possible: a | "}},
		{"all of it stays while objects are finalized", finalizing(filling(20*mb, 20*mb, 40*mb, 60*mb)), []string{"heap-growth/info/possible: a | "}},
		{"survivors grow old", aging(filling(20*mb, 20*mb, 40*mb, 60*mb), 40*mb, 20*mb, 0), nil},
		{"a fifth of it stays in a JVM that would have been full long ago", old(filling(100*mb, 20*mb, 40*mb, 60*mb)), nil},
		{"all of it stays in an old JVM", old(filling(20*mb, 20*mb, 40*mb, 60*mb)), []string{"heap-growth/warning/likely: a | "}},
		{"all of it stays in an old JVM, as far as a collector tells in the midst of a collection", shenandoah(5, old(filling(20*mb, 20*mb, 40*mb, 60*mb))), []string{"heap-growth/info/possible: a | "}},
		{"all of it stays in an old JVM, after many such collections", shenandoah(25, old(filling(20*mb, 20*mb, 40*mb, 60*mb))), []string{"heap-growth/warning/likely: a | "}},
		{"a fifth of it stays in a JVM that began faster", filling(100*mb, 200*mb, 220*mb, 240*mb), nil},
		{"a twentieth of it stays", filling(400*mb, 100*mb, 120*mb, 140*mb), nil},
		{"a twentieth of it stays ever since, and the heap is full soon", filling(600*mb, 40*mb, 80*mb, 120*mb), []string{"heap-growth/info/possible: a | "}},
		{"a twentieth of it stays ever since, though it was collected again and again", swept(filling(600*mb, 40*mb, 80*mb, 120*mb), 6, 7, 8), []string{"heap-growth/warning/likely: a | "}},
		{"a twentieth of it stays ever since, while main begins", inMain(swept(filling(600*mb, 40*mb, 80*mb, 120*mb), 6, 7, 8)), []string{"heap-growth/info/possible: main | "}},
		{"a hundredth of it stays ever since", filling(4000*mb, 40*mb, 80*mb, 120*mb), []string{"heap-growth/info/possible: a | "}},
		{"next to nothing of it stays ever since", filling(8000*mb, 40*mb, 80*mb, 120*mb), nil},
		{"a collection gives back", filling(20*mb, 100*mb, 90*mb, 140*mb), nil},
		{"too slow to matter", filling(2*mb, 100*mb, 102*mb, 104*mb), nil},
		{"the first of all collections shows what there is", aged(8, collectedOnce(0, filling(20*mb, 0, 0, 200*mb))), nil},
		{"what grew is known from a collection before", aged(8, collectedOnce(1, filling(20*mb, 160*mb, 160*mb, 200*mb))), []string{"heap-growth/info/possible: a | "}},
		{"two dumps", filling(20*mb, 100*mb, 120*mb), []string{"heap-growth/info/possible: a | "}},
		{"nobody tells who allocates", swept(silent(filling(0, 100*mb, 120*mb, 140*mb)), 0, 1, 1), []string{"heap-growth/info/possible:  | "}},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(test.look...), test.want...) })
	}
	const doubt = "Take a second capture: no collection"
	sweptAll := func() []timeline.Observation { return swept(filling(20*mb, 20*mb, 40*mb, 60*mb), 2, 2, 2) }
	for i, look := range [][]timeline.Observation{filling(20*mb, 20*mb, 40*mb, 60*mb), sweptAll(), inMain(sweptAll())} {
		if advice := diagnose(look...).Findings[0].Advice; strings.HasPrefix(advice, doubt) != (i == 0) {
			t.Errorf("look %d: the advice is %q", i, advice)
		}
	}
}

func TestAHeapThatWasNotCollectedTellsNothing(t *testing.T) {
	look := filling(20*mb, 100*mb, 120*mb, 140*mb)
	for i := range look {
		look[i].Counters.GCCount = amountOf(7)
	}
	expect(t, diagnose(look...))
	look[0].Counters, look[1].Counters = nil, nil
	expect(t, diagnose(look...))
}

// What jstat said, second by second, of a JVM that keeps 8,000 short-lived sessions, a
// sixteenth of what it makes, and of one that fills a cache: their old generations were
// not collected yet. A leak looks the same, so that no more than a hint may come of it.
func TestAYoungHealthyHeapGivesNoAlarm(t *testing.T) {
	const kb = int64(1 << 10)
	type moment struct{ at, age, old, eden, collections int64 }
	for name, seen := range map[string][]moment{
		"sessions, G1":       {{0, 4200, 39797, 218112, 10}, {1300, 5500, 65285, 217088, 12}, {2300, 6500, 78132, 218112, 13}},
		"sessions, Parallel": {{0, 4200, 44731, 152576, 8}, {1200, 5400, 66208, 147456, 10}, {2400, 6600, 94316, 146432, 12}},
		"cache, G1":          {{0, 2200, 29940, 76800, 7}, {1200, 3400, 39988, 99328, 8}, {2300, 4500, 52404, 119808, 9}},
	} {
		var look []timeline.Observation
		for _, m := range seen {
			o := observe(float64(m.at)/1000, thread(1, "main", usedFor(float64(m.age)/1000)))
			look = append(look, counting(o, timeline.Counters{
				GCCount: amountOf(m.collections), HeapMax: amountOf(600 * mb), OldUsed: amountOf(m.old * kb), EdenCapacity: amountOf(m.eden * kb),
			}))
		}
		for _, f := range diagnose(look...).Findings {
			if f.Severity != finding.Info {
				t.Errorf("%s: %s %s: %s", name, f.Severity, f.Kind, f.Title)
			}
		}
	}
}

func defined(classes int64) part {
	return func(t *threaddump.Thread) { t.DefinedClasses = threaddump.Known(classes) }
}

func TestMetaspaceGrowth(t *testing.T) {
	cpu := 0.7
	loading := func(age float64, loaders *timeline.ClassLoaders, loaded ...int64) []timeline.Observation {
		var all []timeline.Observation
		for i, n := range loaded {
			o := observe(float64(i), thread(1, "a", defined(n-loaded[0]), used(float64(i)*cpu, age+float64(i))), thread(2, "b", defined(0)))
			o.Loaders = loaders
			all = append(all, counting(o, timeline.Counters{LoadedClasses: amountOf(n), UnloadedClasses: amountOf(5)}))
		}
		return all
	}
	many := &timeline.ClassLoaders{Class: "App$Loader", Loaders: 200, Classes: 1200, Alike: 150}
	few := &timeline.ClassLoaders{Class: "org.osgi.Loader", Loaders: 200, Classes: 900, Alike: 20}
	starting := loading(5, few, 1000, 1100, 1210)
	named := func(look []timeline.Observation, counts ...int64) []timeline.Observation {
		for i := range look {
			look[i].Counters.ClassesByName = amountOf(counts[i])
		}
		return look
	}
	inMain := loading(5, few, 1000, 1100, 1210)
	for _, o := range inMain {
		o.Dump.Threads[0].Name = "main"
	}
	cpu = 0.1
	calm := loading(5, few, 1000, 1100, 1210)
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"in a JVM that is up for long", loading(900, nil, 1000, 1100, 1210), []string{"metaspace-growth/warning/likely: a | "}},
		{"in one that starts", starting, []string{"metaspace-growth/info/possible: a | "}},
		{"in one that starts, by main", inMain, nil},
		{"in one that has started and does little", calm, []string{"metaspace-growth/warning/likely: a | "}},
		{"in one that starts and does little, asked for by name", named(loading(5, nil, 1000, 1100, 1210), 500, 560, 620), []string{"metaspace-growth/info/possible: a | "}},
		{"in one that starts and does little, made at run time", named(loading(5, nil, 1000, 1100, 1210), 500, 510, 520), []string{"metaspace-growth/warning/likely: a | "}},
		{"by name, in a JVM that is up for long", named(loading(900, nil, 1000, 1100, 1210), 500, 600, 710), []string{"metaspace-growth/warning/likely: a | "}},
		{"in one that starts, a loader for each class", loading(5, many, 1000, 1100, 1210), []string{"metaspace-growth/warning/likely: a | "}},
		{"in bursts", loading(900, many, 1000, 1500, 1520), nil},
		{"a few", loading(900, nil, 1000, 1010, 1020), nil},
		{"that stops", loading(900, nil, 1000, 1200, 1200), nil},
		{"one interval", loading(900, nil, 1000, 1100), []string{"metaspace-growth/info/possible: a | "}},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(test.look...), test.want...) })
	}
}

// The JVM counts what classes take at collections only.
func TestMetaspaceIsToldIfItMoved(t *testing.T) {
	look := func(used ...int64) *Report {
		var all []timeline.Observation
		for i, n := range used {
			all = append(all, counting(observe(float64(i), thread(1, "a", func(t *threaddump.Thread) { t.Elapsed = threaddump.Known(sec(900 + float64(i))) })),
				timeline.Counters{LoadedClasses: amountOf(int64(100 * i)), UnloadedClasses: amountOf(0), MetaspaceUsed: amountOf(n)}))
		}
		return diagnose(all...)
	}
	for _, test := range []struct {
		used []int64
		want bool
	}{{[]int64{7 * mb, 7 * mb, 7 * mb}, false}, {[]int64{0, 0, 7 * mb}, false}, {[]int64{7 * mb, 7 * mb, 9 * mb}, true}} {
		r := look(test.used...)
		expect(t, r, "metaspace-growth/warning/likely:  | ")
		if got := strings.Contains(fmt.Sprint(r.Findings[0].Evidence), "metaspace:"); got != test.want {
			t.Errorf("%v: %v", test.used, r.Findings[0].Evidence)
		}
	}
}

// A heap that fills at one rate since the start, though it is collected again and again,
// is full soon, however much garbage is made beside.
func TestHeapThatFillsInVain(t *testing.T) {
	look := func(age float64, collections int64) *Report {
		all := filling(2000*mb, 792*mb, 800*mb, 808*mb)
		for i := range all {
			all[i].Dump.Threads[0].Elapsed = lasting(age + float64(i))
			all[i].Counters.OldCollections = amountOf(collections * int64(i))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(100, 1), finding.KindHeapGrowth, "heap-growth/warning/likely: a | ")
	expectOnly(t, look(100, 0), finding.KindHeapGrowth, "")
	expectOnly(t, look(5000, 1), finding.KindHeapGrowth, "")
}

// One collection in the capture says little of what stays; all that was allocated since the
// start says more, if threads allocate as they have ever since.
func TestHeapGrowthLikeEverSince(t *testing.T) {
	look := func(age, ever, loaded int64) []timeline.Observation {
		var all []timeline.Observation
		for i := range int64(3) {
			o := observe(float64(i), thread(1, "a", allocated((ever+9*i)*mb), usedFor(float64(age+i))))
			all = append(all, counting(o, timeline.Counters{
				GCCount: amountOf(loaded + i/2), HeapMax: amountOf(1000 * mb), OldUsed: amountOf((560 + 10*(i/2)) * mb), EdenCapacity: amountOf(10 * mb),
			}))
		}
		return all
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want string
	}{
		{"all of it stayed", look(63, 565, 58), "heap-growth/warning/likely: a | "},
		{"most was loaded by threads that have ended", look(63, 565, 120), "heap-growth/info/possible: a | "},
		{"half of it was garbage", look(63, 1200, 58), "heap-growth/info/possible: a | "},
		{"it came in a short time, long ago", look(600, 565, 58), "heap-growth/info/possible: a | "},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(test.look...), test.want) })
	}
}
