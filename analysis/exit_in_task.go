package analysis

import (
	"fmt"
	"slices"
)

// tellExitInTask blames the task of an executor that called System.exit, and waits there
// for a shutdown hook that waits for the executor to end. It is that executor where task and hook
// share a class of the program.
func (f *timeline) tellExitInTask(result *Finding, hook *history, leaving []*history) {
	s := hook.last()
	i := slices.IndexFunc(leaving, func(h *history) bool { return isTask(h.last().Stack) && s.Stack.sharesClass(h.last().Stack) })
	if i < 0 || s.Stack.op.kind != opTermination {
		return
	}
	task, ends := leaving[i], "neither ever ends"
	if s.timed() {
		ends = "neither ends before its time limit is over"
	}
	result.Title = fmt.Sprintf("the JVM cannot end: %s, in a task of an executor, waits in System.exit for the shutdown hook %s, which waits for that executor to end: %s",
		task.thread.called(), hook.thread.called(), ends)
	result.Advice = "Do not call System.exit in a task of an executor that a shutdown hook waits for: let the task end, and exit in another thread. " +
		"Give what the hook waits for a short time limit."
	result.Culprits = []ThreadRef{f.ref(task.last()), f.ref(s)} // the line to change first
	result.Victims = f.refs(lastSamples(slices.DeleteFunc(slices.Clone(leaving), func(h *history) bool { return h == task })))
	result.Evidence = append(f.placeEvidence(task), result.Evidence...)
}
