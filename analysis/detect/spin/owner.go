package spin

import (
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// further is a thread that stands still past the call of a method that locks by its name, in
// which others spin, and in the same method of their caller: it seems to hold what they
// want. Nil if there is none.
func further(f *timeline.Timeline, spins *stack.Stack) *timeline.History {
	own := spins.Program()
	if len(own) < 2 || !cpu.NamedLikeLock(own[0]) {
		return nil
	}
	asked, caller := own[0], own[1]
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Wait == stack.Running || s.Wait == stack.WaitUnknown || !f.StandsStill(h) {
			continue
		}
		calls := s.Stack.Program()
		inside := slices.ContainsFunc(calls, func(fr *threaddump.Frame) bool { return fr.Name() == asked.Name() })
		if !inside && slices.ContainsFunc(calls, func(fr *threaddump.Frame) bool {
			return fr.Name() == caller.Name() && fr.Line > caller.Line
		}) {
			return h
		}
	}
	return nil
}
