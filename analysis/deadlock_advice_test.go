package analysis

import (
	"strings"
	"testing"

	"jstall/analysis/stack"
)

// A map of the JDK locks its own nodes: no order of locks helps.
func TestDeadlockWithinAMap(t *testing.T) {
	threads := crossed()
	for _, th := range threads {
		for i := range th.Locks {
			th.Locks[i].Class = stack.JUC + "ConcurrentHashMap$ReservationNode"
		}
	}
	if advice := diagnose(observe(0, threads...), observe(1, threads...)).Findings[0].Advice; !strings.Contains(advice, "computeIfAbsent") {
		t.Errorf("%q", advice)
	}
}
