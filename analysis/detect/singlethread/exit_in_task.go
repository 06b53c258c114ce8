package singlethread

import (
	"fmt"
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
	task, ends := leaving[i], "neither ever ends"
	if s.Timed() {
		ends = "neither ends before its time limit is over"
	}
	result.Title = fmt.Sprintf("the JVM cannot end: %s, in a task of an executor, waits in System.exit for the shutdown hook %s, which waits for that executor to end: %s",
		task.Thread.Called(), hook.Thread.Called(), ends)
	result.Advice = "Do not call System.exit in a task of an executor that a shutdown hook waits for: let the task end, and exit in another thread. " +
		"Give what the hook waits for a short time limit."
	result.Culprits = []finding.ThreadRef{f.Ref(task.Last()), f.Ref(s)} // the line to change first
	result.Victims = f.Refs(pools.LastSamples(slices.DeleteFunc(slices.Clone(leaving), func(h *timeline.History) bool {
		return h == task
	})))
	result.Evidence = append(f.PlaceEvidence(task), result.Evidence...)
}
