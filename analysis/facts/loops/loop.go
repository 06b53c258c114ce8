package loops

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Loop is a thread that others depend on.
type Loop struct {
	*timeline.History
	Kind   stack.RootKind
	Serves string
	// only tells a thread that serves nobody by itself, but loads what others wait for.
	Only bool
	// waiting are those that others than the stacks tell to depend on it.
	Waiting []*timeline.Sample
}

// Dependents are the threads that stand waiting for a signal, a result or an
// answer inside a class that the loops are in, too,
func Dependents(f *timeline.Timeline, singles []*timeline.History) []*timeline.History {
	mine, root := singles[0].Last().Stack.Outer, singles[0].Last().Stack.Root
	runsTimer := root != nil && root.Kind == stack.RootTimer // and no task of an executor
	var found []*timeline.History
	for _, h := range f.Alive() {
		s := h.Last()
		if h.Thread.Role != threaddump.Application || s.Thread.Name == "main" || slices.Contains(singles, h) ||
			h.SurelyIdle() || !mayDepend(s.Stack.Op.Kind) || runsTimer && pools.WaitsForFutureTask(s.Stack) || len(f.Snaps) > 1 && !f.StandsStill(h) {
			continue
		}
		if slices.ContainsFunc(s.Stack.Outer, func(c string) bool { return slices.Contains(mine, c) }) {
			found = append(found, h)
		}
	}
	return found
}
