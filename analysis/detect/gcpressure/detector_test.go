package gcpressure_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestGCPressure(t *testing.T) {
	greedy := func(bytes int64) *threaddump.Thread { return Thread(1, "a", Allocated(bytes)) }
	calm := func(bytes int64) *threaddump.Thread { return Thread(2, "b", Allocated(bytes)) }
	look := func(gc float64, count int64, change func(*timeline.Counters)) []timeline.Observation {
		first := timeline.Counters{GCTime: Lasting(5), GCCount: AmountOf(10), Collector: "G1", OldUsed: AmountOf(50),
			OldMax: AmountOf(100), OldCollections: AmountOf(0)}
		last := first
		last.GCTime, last.GCCount = Lasting(5+gc), AmountOf(10+count)
		if change != nil {
			change(&last)
		}
		return []timeline.Observation{
			Counting(Observe(0, greedy(1<<20), calm(0)), first),
			Counting(Observe(2, greedy(9<<20), calm(1<<20)), last),
		}
	}
	full := func(c *timeline.Counters) { c.OldUsed = AmountOf(95) }
	entire := func(collector, cause string, n, old int64) func(*timeline.Counters) {
		return func(c *timeline.Counters) {
			c.Collector, c.LastGCCause, c.OldCollections, c.OldUsed = collector, cause, AmountOf(n), AmountOf(old)
		}
	}
	for _, test := range []struct {
		name string
		look []timeline.Observation
		want []string
	}{
		{"a third of the time", look(0.7, 7, nil), []string{"gc-pressure/warning/proven: a | "}},
		{"nearly all of it", look(1.9, 9, nil), []string{"gc-pressure/critical/proven: a | "}},
		{"a tenth of it", look(0.22, 20, nil), nil},
		{"a tenth of it, the heap nearly full", look(0.22, 20, full), []string{"gc-pressure/warning/proven: a | "}},
		{"a nearly full heap that is collected in no time", look(0.02, 2, full), nil},
		{"a fifth of it, all of them full", look(0.4, 20, entire("Parallel", "Ergonomics", 20, 87)),
			[]string{"gc-pressure/warning/proven: a | "}},
		{"a fifth of it, some of them full", look(0.4, 20, entire("Parallel", "Ergonomics", 8, 87)), nil},
		{"a fifth of it, all of them full, over little that lives",
			look(0.4, 20, entire("Parallel", "Ergonomics", 20, 50)), nil},
		{"a fifth of it, all of them asked for", look(0.4, 20, entire("Parallel", "System.gc()", 20, 87)), nil},
		{"a fifth of it, all of them phases of marking", look(0.4, 20, entire("G1", "G1 Evacuation Pause", 20, 80)),
			nil},
		{"a fifth of it, with no more room than G1 wants for itself",
			look(0.4, 20, entire("G1", "G1 Evacuation Pause", 0, 87)), []string{"gc-pressure/warning/proven: a | "}},
		{"a fifth of it, with room that another collector may use",
			look(0.4, 20, entire("Serial", "Allocation Failure", 0, 87)), nil},
		{"full ones in no time", look(0.02, 20, entire("Serial", "Allocation Failure", 20, 87)), nil},
		{"one long collection", look(1.5, 1, nil), nil},
		{"concurrent cycles", look(1.5, 9, func(c *timeline.Counters) { c.Collector = "ZGC" }), nil},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
}

func TestCollectorThreadsThatTakeTheCPU(t *testing.T) {
	burning := func(cpu float64) []*threaddump.Thread {
		return []*threaddump.Thread{GCThread(1+cpu, 9), Thread(1, "a", Used(1+cpu/3, 9))}
	}
	Expect(t, Diagnose(Observe(0, burning(0)...), Observe(2, burning(1.5)...)), "gc-pressure/warning/proven:  | ")
	Expect(t, Diagnose(Observe(0, burning(0)...), Observe(2, burning(0.5)...)))
	busy := func(cpu float64) []*threaddump.Thread {
		return []*threaddump.Thread{GCThread(1+cpu, 9), Thread(1, "a", Used(1+cpu, 9)), Thread(2, "b", Used(1+cpu, 9))}
	}
	r := Diagnose(Observe(0, busy(0)...), Observe(2, busy(1.4)...))
	for _, f := range r.Findings {
		if f.Kind == finding.KindGCPressure {
			t.Errorf("a collector that takes a third of the CPU: %s", f.Title)
		}
	}
}

// A thread that waits for memory uses no CPU: a concurrent collector that runs without a pause between its cycles needs
// only a small part of a core to be the cause.
func TestCollectorThatHasMostOfLittleCPU(t *testing.T) {
	look := func(collector string, count int64, gc, app float64) *analysis.Report {
		at := func(when, part float64) timeline.Observation {
			return Counting(Observe(when, GCThread(1+gc*part, 9), Thread(1, "a", Used(1+app*part, 9))),
				timeline.Counters{GCTime: Lasting(0), GCCount: AmountOf(10 + int64(part*float64(count))),
					Collector: collector})
		}
		return Diagnose(at(0, 0), at(2, 1))
	}
	want := "gc-pressure/warning/proven:  | "
	Expect(t, look("Shenandoah", 400, 0.2, 0.04), want)
	Expect(t, look("ZGC", 400, 0.8, 0.7), want)
	Expect(t, look("ZGC", 400, 0.4, 0.7))
	Expect(t, look("ZGC", 20, 0.8, 0.1))
	Expect(t, look("ZGC", 400, 0.06, 0.01))
	Expect(t, look("G1", 400, 0.2, 0.04))
}

// In a heap that is nearly full after collections, a concurrent collector is pressure too if the program does little.
func TestCollectorThatHasMostOfLittleCPUInAFullHeap(t *testing.T) {
	look := func(gc float64, held int64) *analysis.Report {
		at := func(when, part float64) timeline.Observation {
			return Counting(Observe(when, GCThread(1+gc*part, 9), Thread(1, "a", Used(1+0.1*part, 9))),
				timeline.Counters{GCTime: Lasting(0.1 * part), GCCount: AmountOf(10 + int64(part*30)), Collector: "G1",
					OldUsed: AmountOf(held), OldMax: AmountOf(100)})
		}
		return Diagnose(at(0, 0), at(2, 1))
	}
	Expect(t, look(0.8, 90), "gc-pressure/warning/proven:  | ")
	Expect(t, look(0.8, 70))
	Expect(t, look(0.2, 90))
}

func TestGCPressureReportsItsFigures(t *testing.T) {
	first := timeline.Counters{GCTime: Lasting(1), GCCount: AmountOf(1), OldUsed: AmountOf(1 << 20),
		OldMax: AmountOf(100 << 20)}
	last := timeline.Counters{GCTime: Lasting(2), GCCount: AmountOf(9), OldUsed: AmountOf(97 << 20),
		OldMax: AmountOf(100 << 20)}
	r := Diagnose(Counting(Observe(0, Thread(1, "a")), first), Counting(Observe(2, Thread(1, "a")), last))
	Expect(t, r, "gc-pressure/warning/proven:  | ")
	text := r.Findings[0].Title
	for _, e := range r.Findings[0].Evidence {
		text += "\n" + e.Text
	}
	for _, want := range []string{"50 % of the time", "97 % full", "8 collections", "97 MB of 100 MB"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestCollectionsAskedForByHand(t *testing.T) {
	var look []timeline.Observation
	for i := range 3 {
		asks := Thread(1, "a", Used(0.01*float64(i), 5+float64(i)),
			At("!java.lang.Runtime.gc", "java.lang.System.gc", "App$Page.tidy", "App$Page.turn"))
		if i == 2 {
			asks = Thread(1, "a", Used(0.02, 7), At("!java.lang.Thread.sleep", "App$Page.turn"))
		}
		look = append(look,
			Counting(Observe(float64(i), asks, Thread(2, "b", Allocated(int64(i)<<20))), timeline.Counters{
				GCTime: Lasting(5 + 0.8*float64(i)), GCCount: AmountOf(10 * int64(i)), Collector: "G1",
			}))
	}
	r := Diagnose(look...)
	Expect(t, r, "gc-pressure/critical/proven: a | ")
	if f := r.Findings[0]; f.Culprits[0].Frame != "App$Page.tidy" || !strings.Contains(f.Title, `"a" calls System.gc()`) {
		t.Errorf("%s at %s", f.Title, f.Culprits[0].Frame)
	}
}

// A thread that sleeps between its calls of System.gc() is never seen in one: dumps are
// taken when a collection is over.
func TestCollectionsAskedForByHandAsCountersShow(t *testing.T) {
	look := func(now string, causes ...string) []timeline.Observation {
		var all []timeline.Observation
		for i, cause := range causes {
			all = append(all, Counting(Observe(float64(i), Thread(1, "a", Allocated(int64(i)<<20))), timeline.Counters{
				GCTime: Lasting(5 +
					0.8*float64(i)), GCCount: AmountOf(10 * int64(i)), Collector: "G1", GCCause: now,
				LastGCCause: cause,
			}))
		}
		return all
	}
	for _, test := range []struct {
		look []timeline.Observation
		want bool
	}{
		{look("", "System.gc()", "System.gc()", "System.gc()"), true},
		{look("System.gc()", "No GC", "No GC", "No GC"), true},
		{look("G1 Evacuation Pause", "System.gc()", "System.gc()", "System.gc()"), false},
		{look("", "System.gc()", "G1 Evacuation Pause", "System.gc()"), false},
		{look("", "", "", ""), false},
	} {
		f := Diagnose(test.look...).Findings[0]
		if told := strings.Contains(f.Title+f.Advice, "System.gc()"); told != test.want {
			t.Errorf("%s: %s", f.Title, f.Advice)
		}
	}
}

// A pause in which the collector has no CPU either is not its doing.
func TestPausesWithoutCPU(t *testing.T) {
	look := func(gc float64) *analysis.Report {
		at := func(when, part float64) timeline.Observation {
			return Counting(Observe(2*when, GCThread(1+gc*part, 9), Thread(1, "a", Allocated(int64(part)<<20))),
				timeline.Counters{GCTime: Lasting(5 + 0.7*part), GCCount: AmountOf(10 + int64(7*part)), Collector: "G1",
					OldUsed: AmountOf(50), OldMax: AmountOf(100)})
		}
		return Diagnose(at(0, 0), at(1, 1))
	}
	Expect(t, look(0.6), "gc-pressure/warning/proven: a | ")
	Expect(t, look(0.05))
}

// A collector that uses less than half of the CPU counts where it also stops the application for a tenth of the time.
func TestGCPressureByPausesAndCPU(t *testing.T) {
	for _, test := range []struct {
		name          string
		pauses, works float64 // seconds in two
		want          string
	}{
		{"both", 0.22, 1.1, "gc-pressure/warning/proven: a | "},
		{"short pauses", 0.1, 1.1, ""},
		{"a third of the CPU", 0.22, 0.6, ""},
	} {
		first := timeline.Counters{GCTime: Lasting(5), GCCount: AmountOf(10), Collector: "G1", OldUsed: AmountOf(50),
			OldMax: AmountOf(100), OldCollections: AmountOf(0)}
		last := first
		last.GCTime, last.GCCount = Lasting(5+test.pauses), AmountOf(30)
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, Diagnose(
				Counting(Observe(0, Thread(1, "a", Allocated(1<<20), Used(1, 9)), GCThread(1, 9)), first),
				Counting(Observe(2, Thread(1, "a", Allocated(9<<20), Used(2.3, 11)), GCThread(1+test.works, 11)), last),
			), finding.KindGCPressure, test.want)
		})
	}
}
