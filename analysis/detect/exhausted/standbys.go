package exhausted

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// standBy reports that the waiters have no work in hand, and that each holder only pauses and is
// not known to have stood in one pause over the whole capture: one of several does the work, and the
// others wait for its turn to end.
func standBy(f *timeline.Timeline, x *exhaustion) bool {
	if len(x.holders) == 0 || len(x.greedy) > 0 || !ofProgram(x.Group) || slices.ContainsFunc(x.waiters, hasBegun) {
		return false
	}
	return !slices.ContainsFunc(x.holders, func(s *timeline.Sample) bool {
		h := f.History(s)
		return s.Stack.Op.Kind != stack.OpSleep || h.CPU.Known && f.NeverWoke(h)
	})
}
