package singlethread

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// tellExitInTask blames the task of an executor that called System.exit, and waits there
// for a shutdown hook that waits for the executor to end. It is that executor where task and hook
// share a class of the program.
func tellExitInTask(f *timeline.Timeline, result *finding.Finding, hook *timeline.History,
	leaving []*timeline.History) {
	s := hook.Last()
	i := slices.IndexFunc(leaving, func(h *timeline.History) bool {
		return stack.IsTask(h.Last().Stack) && s.Stack.SharesClass(h.Last().Stack)
	})
	if i < 0 || s.Stack.Op.Kind != stack.OpTermination {
		return
	}
	task := leaving[i]
	result.Title, result.Advice = exitTitle(task.Last(), s), exitAdvice
	result.Culprits = []finding.ThreadRef{f.Ref(task.Last()), f.Ref(s)} // the line to change first
	result.Victims = f.Refs(pools.LastSamples(slices.DeleteFunc(slices.Clone(leaving), func(h *timeline.History) bool {
		return h == task
	})))
	result.Evidence = append(f.PlaceEvidence(task), result.Evidence...)
}
