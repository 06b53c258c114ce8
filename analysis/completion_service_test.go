package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// Who takes once more than tasks were handed in looks like a consumer between two tasks:
// a hint while nothing is left that could bring one, silence else.
func TestOneResultTooMany(t *testing.T) {
	take := []string{unsafePark, juc + "locks.LockSupport.park", juc + "LinkedBlockingQueue.take", juc + "ExecutorCompletionService.take", "App.merge", "java.lang.Thread.run"}
	taker := thread(1, "merge", parkedIn(juc+"locks.AbstractQueuedSynchronizer$ConditionObject", take...), used(0.1, 9))
	look := func(others ...*threaddump.Thread) *Report {
		all := append([]*threaddump.Thread{taker, worker(1, idleAt(0x70))}, others...)
		return diagnose(observe(0, all...), observe(1, all...), observe(2, all...))
	}
	r := look()
	expect(t, r, "missed-signal/info/possible: merge | ")
	if f := r.Findings[0]; !strings.Contains(f.Title, "the next result of a completion service") || !strings.HasPrefix(f.Advice, "Compare how many") {
		t.Errorf("%q %q", f.Title, f.Advice)
	}
	expect(t, look(worker(2, asleep("App.part"))))
	expect(t, look(thread(60, "io", parkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.events", "java.lang.Thread.run"), used(1, 10))))
}
