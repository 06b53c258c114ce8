package analysis

import "slices"

// standBy reports that the waiters have no work in hand, and that each holder only pauses and is
// not known to have stood in one pause over the whole capture: one of several does the work, and the
// others wait for its turn to end.
func (f *timeline) standBy(x *exhaustion) bool {
	if len(x.holders) == 0 || len(x.greedy) > 0 || !x.ofProgram() || slices.ContainsFunc(x.waiters, hasBegun) {
		return false
	}
	return !slices.ContainsFunc(x.holders, func(s *Sample) bool {
		h := f.history(s)
		return s.Stack.op.kind != opSleep || h.cpu.Known && f.neverWoke(h)
	})
}
