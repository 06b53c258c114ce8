package analysis

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

// The JDK sleeps, and asks for collections, while direct memory is too full for a buffer.
func TestDirectMemoryThatIsUsedUp(t *testing.T) {
	below := []string{"java.nio.Bits.reserveMemory", "java.nio.DirectByteBuffer.<init>", "java.nio.ByteBuffer.allocateDirect", "App.frame", "App.pump"}
	under := func(top ...string) part { return at(append(top, below...)...) }
	sleeps, asks, reserves, rests := under("!java.lang.Thread.sleep"), under("!java.lang.Runtime.gc", "java.lang.System.gc"), under(), at("!java.lang.Thread.sleep", "App.pump")
	look := func(parts ...part) *Report {
		var all []Observation
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

// Between two tries no dump shows who asks, but the JVM counts the collections; and who frees
// memory after them takes time for it.
func TestCollectionsThatOnlyDirectMemoryAsksFor(t *testing.T) {
	type ran struct {
		full, all int64 // before the look
		inLook    int64
		frees     float64 // milliseconds of the Reference Handler in the look
		freed     float64 // and before
		cause     string
		since26   bool
	}
	look := func(r ran, calls ...string) *Report {
		var all []Observation
		for i := range int64(3) {
			handler := thread(2, "Reference Handler", at("java.lang.ref.Reference.waitForReferencePendingList", "java.lang.ref.Reference$ReferenceHandler.run"), used(r.freed/1e3+r.frees/1e3*float64(i)/2, 20+float64(i)))
			rests := thread(1, "a", at("!java.lang.Thread.sleep", "App.pump"), sleeping)
			cleaner := "java.lang.Runnable.run"
			if r.since26 {
				cleaner = "java.nio.BufferCleaner$CleaningRunnable.run"
			}
			cleans := thread(3, "Common-Cleaner", at("java.lang.ref.ReferenceQueue.remove", cleaner, "jdk.internal.misc.InnocuousThread.run"))
			all = append(all, counting(observe(float64(i), handler, cleans, rests), Counters{
				GCTime: lasting(5 + 0.01*float64(i)), GCCount: amountOf(r.all + i*r.inLook/2), FullCollections: amountOf(r.full + i*r.inLook/2),
				LastGCCause: cmp.Or(r.cause, "System.gc()"), Uptime: lasting(20 + float64(i)), Emptied: lasting(18),
			}))
		}
		return diagnose(append(all, Observation{Bytecode: &Bytecode{Read: 2, Calls: calls}})...)
	}
	const allocates = "java.nio.ByteBuffer.allocateDirect"
	const hint, warning = "limit-near/info/possible:  | ", "limit-near/warning/likely:  | "
	expect(t, look(ran{full: 3, all: 3, inLook: 2, frees: 2, freed: 9}, allocates, "java.util.Map.put"), hint)
	expect(t, look(ran{full: 3, all: 9, inLook: 2, freed: 9}, allocates, "java.util.Map.put"), warning)
	expect(t, look(ran{inLook: 2, freed: 9}, allocates, "java.util.Map.put"), hint)
	expect(t, look(ran{inLook: 2, cause: "G1 Evacuation Pause"}, allocates))
	expect(t, look(ran{inLook: 2}, "java.nio.ByteBuffer.allocate"))
	expect(t, look(ran{inLook: 2}, allocates, "java.lang.System.gc"))
	expect(t, look(ran{full: 4, all: 7, freed: 1.2}, allocates), warning)
	expect(t, look(ran{full: 4, all: 7, freed: 1.8}, allocates), hint)
	expect(t, look(ran{full: 4, all: 7, freed: 1.2, since26: true}, allocates), hint)
	expect(t, look(ran{full: 3, all: 9, inLook: 2, freed: 9, since26: true}, allocates), warning)
	expect(t, look(ran{full: 4, all: 9}, allocates))
	expect(t, look(ran{full: 2, all: 2}, allocates))
}

// System.gc() is what frees direct memory.
func TestCollectionsForDirectMemoryAreNotToBeDisabled(t *testing.T) {
	var all []Observation
	for i := range 3 {
		asks := thread(1, "a", at("!java.lang.Runtime.gc", "java.lang.System.gc", "java.nio.Bits.reserveMemory", "App.frame"))
		all = append(all, counting(observe(float64(i), asks), Counters{
			GCTime: lasting(5 + 0.8*float64(i)), GCCount: amountOf(10 * int64(i)), LastGCCause: "System.gc()",
		}))
	}
	found := diagnose(all...).Findings
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Kind == KindGCPressure }) {
		t.Error("the collections are not told")
	}
	for _, f := range found {
		if strings.Contains(f.Advice, "DisableExplicitGC") || !strings.Contains(f.Advice, "MaxDirectMemorySize") {
			t.Errorf("%s: %s", f.Kind, f.Advice)
		}
	}
}
