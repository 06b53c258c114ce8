package analysis

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// The JDK sleeps, and asks for collections, while direct memory is too full for a buffer.
func TestDirectMemoryThatIsUsedUp(t *testing.T) {
	below := []string{"java.nio.Bits.reserveMemory", "java.nio.DirectByteBuffer.<init>", "java.nio.ByteBuffer.allocateDirect", "App.frame", "App.pump"}
	under := func(top ...string) part { return at(append(top, below...)...) }
	sleeps, asks, reserves, rests := under("!java.lang.Thread.sleep"), under("!java.lang.Runtime.gc", "java.lang.System.gc"), under(), at("!java.lang.Thread.sleep", "App.pump")
	look := func(parts ...part) *Report {
		var all []timeline.Observation
		for i, p := range parts {
			th := thread(1, "a", p, used(float64(i)*0.001, 9+float64(i)))
			if len(th.Stack) > 0 && th.Stack[0].Method == "sleep" {
				th.State, th.StateDetail, th.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
			}
			all = append(all, observe(float64(i), th))
		}
		return diagnose(all...)
	}
	expect(t, look(sleeps, rests, sleeps), "limit-near/warning/likely: a | ")
	expect(t, look(asks, sleeps, rests), "limit-near/warning/likely: a | ")
	expect(t, look(rests, sleeps, rests), "limit-near/warning/likely: a | ")
	expect(t, look(rests, asks, rests), "limit-near/info/possible: a | ")
	expect(t, look(reserves, reserves, rests))
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
			a := thread(1, "a", at("!java.lang.Thread.sleep", "App.pump"), sleeping)
			if i == 1 {
				a = thread(1, "a", at("!java.lang.Thread.sleep", "java.nio.Bits.reserveMemory", "java.nio.ByteBuffer.allocateDirect", "App.frame", "App.pump"), sleeping)
			}
			cleans := thread(2, "Common-Cleaner", at("java.lang.ref.ReferenceQueue.remove", root, "jdk.internal.misc.InnocuousThread.run"))
			all = append(all, observe(float64(i), a, cleans))
		}
		expectOnly(t, diagnose(all...), finding.KindLimitNear, want)
	}
}

// System.gc() is what frees direct memory.
func TestCollectionsForDirectMemoryAreNotToBeDisabled(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		asks := thread(1, "a", at("!java.lang.Runtime.gc", "java.lang.System.gc", "java.nio.Bits.reserveMemory", "App.frame"))
		all = append(all, counting(observe(float64(i), asks), timeline.Counters{
			GCTime: lasting(5 + 0.8*float64(i)), GCCount: amountOf(10 * int64(i)), LastGCCause: "System.gc()",
		}))
	}
	found := diagnose(all...).Findings
	if !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Kind == finding.KindGCPressure }) {
		t.Error("the collections are not told")
	}
	for _, f := range found {
		if strings.Contains(f.Advice, "DisableExplicitGC") || !strings.Contains(f.Advice, "MaxDirectMemorySize") {
			t.Errorf("%s: %s", f.Kind, f.Advice)
		}
	}
}
