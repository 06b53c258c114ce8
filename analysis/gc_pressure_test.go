package analysis

import (
	"strings"
	"testing"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// counting gives an observation counters.
func counting(o timeline.Observation, c timeline.Counters) timeline.Observation {
	o.Counters = &c
	return o
}

func gcThread(cpu, elapsed float64) *threaddump.Thread {
	t := &threaddump.Thread{Name: "GC Thread#0", TID: 0x7f0000000099, NativeID: 9, Condition: "runnable"}
	used(cpu, elapsed)(t)
	return t
}

func amountOf(n int64) timeline.Opt[int64] { return threaddump.Known(n) }

func lasting(s float64) timeline.Opt[time.Duration] {
	return threaddump.Known(time.Duration(s * float64(time.Second)))
}

func TestGCPressure(t *testing.T) {
	greedy := func(bytes int64) *threaddump.Thread { return thread(1, "a", allocated(bytes)) }
	calm := func(bytes int64) *threaddump.Thread { return thread(2, "b", allocated(bytes)) }
	look := func(gc float64, count int64, change func(*timeline.Counters)) []timeline.Observation {
		first := timeline.Counters{GCTime: lasting(5), GCCount: amountOf(10), Collector: "G1", OldUsed: amountOf(50), OldMax: amountOf(100), OldCollections: amountOf(0)}
		last := first
		last.GCTime, last.GCCount = lasting(5+gc), amountOf(10+count)
		if change != nil {
			change(&last)
		}
		return []timeline.Observation{
			counting(observe(0, greedy(1<<20), calm(0)), first),
			counting(observe(2, greedy(9<<20), calm(1<<20)), last),
		}
	}
	full := func(c *timeline.Counters) { c.OldUsed = amountOf(95) }
	entire := func(collector, cause string, n, old int64) func(*timeline.Counters) {
		return func(c *timeline.Counters) {
			c.Collector, c.LastGCCause, c.OldCollections, c.OldUsed = collector, cause, amountOf(n), amountOf(old)
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
		{"a fifth of it, all of them full", look(0.4, 20, entire("Parallel", "Ergonomics", 20, 87)), []string{"gc-pressure/warning/proven: a | "}},
		{"a fifth of it, some of them full", look(0.4, 20, entire("Parallel", "Ergonomics", 8, 87)), nil},
		{"a fifth of it, all of them full, over little that lives", look(0.4, 20, entire("Parallel", "Ergonomics", 20, 50)), nil},
		{"a fifth of it, all of them asked for", look(0.4, 20, entire("Parallel", "System.gc()", 20, 87)), nil},
		{"a fifth of it, all of them phases of marking", look(0.4, 20, entire("G1", "G1 Evacuation Pause", 20, 80)), nil},
		{"a fifth of it, with no more room than G1 wants for itself", look(0.4, 20, entire("G1", "G1 Evacuation Pause", 0, 87)), []string{"gc-pressure/warning/proven: a | "}},
		{"a fifth of it, with room that another collector may use", look(0.4, 20, entire("Serial", "Allocation Failure", 0, 87)), nil},
		{"full ones in no time", look(0.02, 20, entire("Serial", "Allocation Failure", 20, 87)), nil},
		{"one long collection", look(1.5, 1, nil), nil},
		{"cycles beside the application", look(1.5, 9, func(c *timeline.Counters) { c.Collector = "ZGC" }), nil},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(test.look...), test.want...) })
	}
}

func TestCollectorThreadsThatTakeTheCPU(t *testing.T) {
	burning := func(cpu float64) []*threaddump.Thread {
		return []*threaddump.Thread{gcThread(1+cpu, 9), thread(1, "a", used(1+cpu/3, 9))}
	}
	expect(t, diagnose(observe(0, burning(0)...), observe(2, burning(1.5)...)), "gc-pressure/warning/proven:  | ")
	expect(t, diagnose(observe(0, burning(0)...), observe(2, burning(0.5)...)))
	busy := func(cpu float64) []*threaddump.Thread {
		return []*threaddump.Thread{gcThread(1+cpu, 9), thread(1, "a", used(1+cpu, 9)), thread(2, "b", used(1+cpu, 9))}
	}
	r := diagnose(observe(0, busy(0)...), observe(2, busy(1.4)...))
	for _, f := range r.Findings {
		if f.Kind == finding.KindGCPressure {
			t.Errorf("a collector that takes a third of the CPU: %s", f.Title)
		}
	}
}

// Who waits for memory uses no CPU: of a collector that works beside the application, and
// collects without an end, a small part of a core is enough.
func TestCollectorThatHasMostOfLittleCPU(t *testing.T) {
	look := func(collector string, count int64, gc, app float64) *Report {
		at := func(when, part float64) timeline.Observation {
			return counting(observe(when, gcThread(1+gc*part, 9), thread(1, "a", used(1+app*part, 9))),
				timeline.Counters{GCTime: lasting(0), GCCount: amountOf(10 + int64(part*float64(count))), Collector: collector})
		}
		return diagnose(at(0, 0), at(2, 1))
	}
	want := "gc-pressure/warning/proven:  | "
	expect(t, look("Shenandoah", 400, 0.2, 0.04), want)
	expect(t, look("ZGC", 400, 0.8, 0.7), want)
	expect(t, look("ZGC", 400, 0.4, 0.7))
	expect(t, look("ZGC", 20, 0.8, 0.1))
	expect(t, look("ZGC", 400, 0.06, 0.01))
	expect(t, look("G1", 400, 0.2, 0.04))
}

// In a heap that is nearly full after collections a collector beside a program that does little is pressure too.
func TestCollectorThatHasMostOfLittleCPUInAFullHeap(t *testing.T) {
	look := func(gc float64, held int64) *Report {
		at := func(when, part float64) timeline.Observation {
			return counting(observe(when, gcThread(1+gc*part, 9), thread(1, "a", used(1+0.1*part, 9))),
				timeline.Counters{GCTime: lasting(0.1 * part), GCCount: amountOf(10 + int64(part*30)), Collector: "G1", OldUsed: amountOf(held), OldMax: amountOf(100)})
		}
		return diagnose(at(0, 0), at(2, 1))
	}
	expect(t, look(0.8, 90), "gc-pressure/warning/proven:  | ")
	expect(t, look(0.8, 70))
	expect(t, look(0.2, 90))
}

func TestGCPressureTellsItsFigures(t *testing.T) {
	first := timeline.Counters{GCTime: lasting(1), GCCount: amountOf(1), OldUsed: amountOf(1 << 20), OldMax: amountOf(100 << 20)}
	last := timeline.Counters{GCTime: lasting(2), GCCount: amountOf(9), OldUsed: amountOf(97 << 20), OldMax: amountOf(100 << 20)}
	r := diagnose(counting(observe(0, thread(1, "a")), first), counting(observe(2, thread(1, "a")), last))
	expect(t, r, "gc-pressure/warning/proven:  | ")
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
		asks := thread(1, "a", used(0.01*float64(i), 5+float64(i)), at("!java.lang.Runtime.gc", "java.lang.System.gc", "App$Page.tidy", "App$Page.turn"))
		if i == 2 {
			asks = thread(1, "a", used(0.02, 7), at("!java.lang.Thread.sleep", "App$Page.turn"))
		}
		look = append(look, counting(observe(float64(i), asks, thread(2, "b", allocated(int64(i)<<20))), timeline.Counters{
			GCTime: lasting(5 + 0.8*float64(i)), GCCount: amountOf(10 * int64(i)), Collector: "G1",
		}))
	}
	r := diagnose(look...)
	expect(t, r, "gc-pressure/critical/proven: a | ")
	if f := r.Findings[0]; f.Culprits[0].Frame != "App$Page.tidy" || !strings.Contains(f.Title, `"a" calls System.gc()`) {
		t.Errorf("%s at %s", f.Title, f.Culprits[0].Frame)
	}
}

// A thread that sleeps between its calls of System.gc() is never seen in one: dumps are
// taken when a collection is over.
func TestCollectionsAskedForByHandAsTheCountersTell(t *testing.T) {
	look := func(now string, causes ...string) []timeline.Observation {
		var all []timeline.Observation
		for i, cause := range causes {
			all = append(all, counting(observe(float64(i), thread(1, "a", allocated(int64(i)<<20))), timeline.Counters{
				GCTime: lasting(5 + 0.8*float64(i)), GCCount: amountOf(10 * int64(i)), Collector: "G1", GCCause: now, LastGCCause: cause,
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
		f := diagnose(test.look...).Findings[0]
		if told := strings.Contains(f.Title+f.Advice, "System.gc()"); told != test.want {
			t.Errorf("%s: %s", f.Title, f.Advice)
		}
	}
}

// One dump that shows who asks is enough where the counters tell that somebody does.
func TestWhoeverIsSeenToAskIsNamedAsTheCountersTell(t *testing.T) {
	look := func(cause string) *Report {
		var all []timeline.Observation
		for i := range 3 {
			asks := thread(1, "a", at("!java.lang.Thread.sleep", "App$Page.turn"))
			if i == 2 {
				asks = thread(1, "a", at("!java.lang.Runtime.gc", "java.lang.System.gc", "App$Page.tidy", "App$Page.turn"))
			}
			all = append(all, counting(observe(float64(i), asks, thread(2, "b", allocated(int64(i)<<20))), timeline.Counters{
				GCTime: lasting(5 + 0.8*float64(i)), GCCount: amountOf(10 * int64(i)), Collector: "G1", LastGCCause: cause,
			}))
		}
		return diagnose(all...)
	}
	expect(t, look("System.gc()"), "gc-pressure/critical/proven: a | ")
	expect(t, look("G1 Evacuation Pause"), "gc-pressure/critical/proven: b | ")
}

// A pause in which the collector has no CPU either is not its doing.
func TestPausesWithoutCPU(t *testing.T) {
	look := func(gc float64) *Report {
		at := func(when, part float64) timeline.Observation {
			return counting(observe(2*when, gcThread(1+gc*part, 9), thread(1, "a", allocated(int64(part)<<20))),
				timeline.Counters{GCTime: lasting(5 + 0.7*part), GCCount: amountOf(10 + int64(7*part)), Collector: "G1", OldUsed: amountOf(50), OldMax: amountOf(100)})
		}
		return diagnose(at(0, 0), at(1, 1))
	}
	expect(t, look(0.6), "gc-pressure/warning/proven: a | ")
	expect(t, look(0.05))
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
		first := timeline.Counters{GCTime: lasting(5), GCCount: amountOf(10), Collector: "G1", OldUsed: amountOf(50), OldMax: amountOf(100), OldCollections: amountOf(0)}
		last := first
		last.GCTime, last.GCCount = lasting(5+test.pauses), amountOf(30)
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(
				counting(observe(0, thread(1, "a", allocated(1<<20), used(1, 9)), gcThread(1, 9)), first),
				counting(observe(2, thread(1, "a", allocated(9<<20), used(2.3, 11)), gcThread(1+test.works, 11)), last),
			), finding.KindGCPressure, test.want)
		})
	}
}
