package spin

import (
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// askers are threads in the middle of something that wait without end, over the whole
// capture, for the end or the result of what one of the others does.
func askers(f *timeline.Timeline, group []*timeline.History) []*timeline.Sample {
	var others []*stack.Stack
	seen, asks := map[*stack.Stack]bool{}, map[*stack.Stack]bool{} // many threads have one stack
	for _, h := range group {
		if s := h.Last().Stack; !seen[s] {
			seen[s], others = true, append(others, s)
		}
	}
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role != threaddump.Application || s.Timed() || s.Thread.Name == "main" && !timeline.MainAtWork(s) {
			continue
		}
		asking, known := asks[s.Stack]
		if !known {
			asking = stack.HasBegunWork(s.Stack) && slices.ContainsFunc(others, func(other *stack.Stack) bool {
				return asksFor(s.Stack, other)
			})
			asks[s.Stack] = asking
		}
		if asking && f.StandsStill(h) {
			found = append(found, s)
		}
	}
	return found
}

// asksFor reports that a stack waits for the end or the result of what the other one runs:
// a lambda of a method that it is in, or else code of the same class.
func asksFor(s *stack.Stack, other *stack.Stack) bool {
	return (s.Op.Kind == stack.OpJoin || s.AwaitsSort(other)) && (s.DefinesTask(other) || s.SharesClass(other))
}

// askersOfSpinners are those that wait for the end or the result of one that spins.
func askersOfSpinners(f *timeline.Timeline, group []cpu.Spinner) []*timeline.Sample {
	spinning := make([]*timeline.History, len(group))
	for i, s := range group {
		spinning[i] = s.H
	}
	return askers(f, spinning)
}
