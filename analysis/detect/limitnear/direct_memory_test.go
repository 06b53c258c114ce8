package limitnear_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// The JDK sleeps, and asks for collections, while direct memory is too full for a buffer.
func TestDirectMemoryThatIsUsedUp(t *testing.T) {
	below := []string{"java.nio.Bits.reserveMemory", "java.nio.DirectByteBuffer.<init>",
		"java.nio.ByteBuffer.allocateDirect", "App.frame", "App.pump"}
	under := func(top ...string) Part { return At(append(top, below...)...) }
	sleeps, asks, reserves, rests := under("!java.lang.Thread.sleep"), under("!java.lang.Runtime.gc",
		"java.lang.System.gc"), under(), At("!java.lang.Thread.sleep", "App.pump")
	look := func(parts ...Part) *analysis.Report {
		var all []timeline.Observation
		for i, p := range parts {
			th := Thread(1, "a", p, Used(float64(i)*0.001, 9+float64(i)))
			if len(th.Stack) > 0 && th.Stack[0].Method == "sleep" {
				th.State, th.StateDetail, th.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
			}
			all = append(all, Observe(float64(i), th))
		}
		return Diagnose(all...)
	}
	Expect(t, look(sleeps, rests, sleeps), "limit-near/warning/likely: a | ")
	Expect(t, look(asks, sleeps, rests), "limit-near/warning/likely: a | ")
	Expect(t, look(rests, sleeps, rests), "limit-near/warning/likely: a | ")
	Expect(t, look(rests, asks, rests), "limit-near/info/possible: a | ")
	Expect(t, look(reserves, reserves, rests))
	if f := look(sleeps, rests, sleeps).Findings[0]; f.Culprits[0].Frame != "App.frame" {
		t.Errorf("at %s", f.Culprits[0].Frame)
	}
}

// Where a thread of its own frees direct memory, one that sleeps may only wait for that.
func TestDirectMemoryThatIsBeingFreed(t *testing.T) {
	for root, want := range map[string]string{
		"java.nio.BufferCleaner$CleaningRunnable.run": "limit-near/info/possible: a | ",
		"java.lang.Runnable.run":                      "limit-near/warning/likely: a | ",
	} {
		var all []timeline.Observation
		for i := range 3 {
			a := Thread(1, "a", At("!java.lang.Thread.sleep", "App.pump"), Sleeping)
			if i == 1 {
				a = Thread(1, "a",
					At("!java.lang.Thread.sleep", "java.nio.Bits.reserveMemory", "java.nio.ByteBuffer.allocateDirect",
						"App.frame", "App.pump"), Sleeping)
			}
			cleans := Thread(2, "Common-Cleaner",
				At("java.lang.ref.ReferenceQueue.remove", root, "jdk.internal.misc.InnocuousThread.run"))
			all = append(all, Observe(float64(i), a, cleans))
		}
		ExpectOnly(t, Diagnose(all...), finding.KindLimitNear, want)
	}
}

// System.gc() is what frees direct memory.
func TestCollectionsForDirectMemoryAreNotToBeDisabled(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		asks := Thread(1, "a",
			At("!java.lang.Runtime.gc", "java.lang.System.gc", "java.nio.Bits.reserveMemory", "App.frame"))
		all = append(all, Counting(Observe(float64(i), asks), timeline.Counters{
			GCTime: Lasting(5 + 0.8*float64(i)), GCCount: AmountOf(10 * int64(i)), LastGCCause: "System.gc()",
		}))
	}
	found := Diagnose(all...).Findings
	if !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Kind == finding.KindGCPressure }) {
		t.Error("the collections are not told")
	}
	for _, f := range found {
		if strings.Contains(f.Advice, "DisableExplicitGC") || !strings.Contains(f.Advice, "MaxDirectMemorySize") {
			t.Errorf("%s: %s", f.Kind, f.Advice)
		}
	}
}
