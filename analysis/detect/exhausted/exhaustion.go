package exhausted

import (
	"strings"

	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// exhaustion is threads that wait for a permit or pooled object, and who holds one.
type exhaustion struct {
	waits.Group
	waiters, holders []*timeline.Sample
	evidence         resources.HolderEvidence
	// greedy are the waiters that hold one and wait for another.
	greedy []*timeline.Sample
}

func permits(g waits.Group) bool { return strings.HasPrefix(g.Key, "permit") }

// ofProgram tells permits, and what the program's own code hands out.
func ofProgram(g waits.Group) bool {
	caller := g.Waiters[0].Last().Stack.Op.Caller
	return permits(g) || caller != nil && stack.OriginOf(caller) == stack.OfApplication
}
