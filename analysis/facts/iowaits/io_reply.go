package iowaits

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// manyAsk takes threads that stand in one and the same call of a library, three or more,
// for such as want an answer: a long poll has one thread, or others whose turn came.
func manyAsk(f *timeline.Timeline, all []Waiter) []Waiter {
	const many = 3
	at := map[*stack.Stack][]int{}
	for i, w := range all {
		if s := w.H.Last(); w.Side == sideUnknown && s.AsksByLibrary() {
			at[s.Stack] = append(at[s.Stack], i)
		}
	}
	for call, asking := range at {
		if len(asking) < many || answeredAt(f, call) {
			continue
		}
		for _, i := range asking {
			all[i].Side = sideAnswer
		}
	}
	return all
}

// answeredAt reports that a thread which stood in a call at the start and at the end of the
// capture had an answer in between.
func answeredAt(f *timeline.Timeline, call *stack.Stack) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		return len(h.Samples) == len(f.Snaps) && h.Samples[0].Stack == call && h.Last().Stack == call &&
			f.StandingStill(h).Dumps < len(f.Snaps)
	})
}
