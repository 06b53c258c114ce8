package deadlock_test

import (
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
)

// A map of the JDK locks its own nodes: no order of locks helps.
func TestDeadlockWithinAMap(t *testing.T) {
	threads := Crossed()
	for _, th := range threads {
		for i := range th.Locks {
			th.Locks[i].Class = stack.JUC + "ConcurrentHashMap$ReservationNode"
		}
	}
	if advice := Diagnose(Observe(0, threads...), Observe(1, threads...)).Findings[0].Advice; !strings.Contains(advice,
		"computeIfAbsent") {
		t.Errorf("%q", advice)
	}
}
