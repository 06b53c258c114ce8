package analysis

import (
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

// Between two tries no dump shows who asks, but the JVM counts the collections.
func TestCollectionsThatOnlyDirectMemoryAsksFor(t *testing.T) {
	ever := func(full, all int64, calls ...string) *Report {
		var look []Observation
		for i := range 3 {
			rests := thread(1, "a", at("!java.lang.Thread.sleep", "App.pump"), sleeping)
			look = append(look, counting(observe(float64(i), rests), Counters{
				GCTime: lasting(5), GCCount: amountOf(all), FullCollections: amountOf(full), LastGCCause: "System.gc()",
				Uptime: lasting(20 + float64(i)), Emptied: lasting(18),
			}))
		}
		return diagnose(append(look, Observation{Bytecode: &Bytecode{Read: 2, Calls: calls}})...)
	}
	look := func(cause string, calls ...string) *Report {
		var all []Observation
		for i := range 3 {
			rests := thread(1, "a", at("!java.lang.Thread.sleep", "App.pump"), sleeping)
			all = append(all, counting(observe(float64(i), rests), Counters{
				GCTime: lasting(5 + 0.01*float64(i)), GCCount: amountOf(int64(i)), FullCollections: amountOf(int64(i)), LastGCCause: cause,
			}))
		}
		return diagnose(append(all, Observation{Bytecode: &Bytecode{Read: 2, Calls: calls}})...)
	}
	const allocates = "java.nio.ByteBuffer.allocateDirect"
	expect(t, look("System.gc()", allocates, "java.util.Map.put"), "limit-near/info/possible:  | ")
	expect(t, look("G1 Evacuation Pause", allocates))
	expect(t, look("System.gc()", "java.nio.ByteBuffer.allocate"))
	expect(t, look("System.gc()", allocates, "java.lang.System.gc"))
	expect(t, ever(4, 7, allocates), "limit-near/info/possible:  | ")
	expect(t, ever(4, 9, allocates))
	expect(t, ever(2, 2, allocates))
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
