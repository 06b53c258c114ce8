package lockcontention

import (
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// blameTask goes on from the owner of a lock that waits for the result of a task, while it keeps the lock: to
// the thread that runs the task.
//
// Rule: it runs a lambda of a method that the owner is in. Who waits behind the owner is none of them.
func blameTask(f *facts.Facts, result *finding.Finding, q *locks.Queue) {
	if !pools.WaitsForResult(q.Root) || q.At != len(f.Snaps)-1 {
		return
	}
	if workers := runningFor(f.Timeline, q); len(workers) > 0 {
		goOnTo(f.Timeline, result, q, workers, runnersWords(f, workers))
		result.Advice = taskAdvice
	}
}

// runningFor are the threads that run what the root of a queue waits for, a few at most.
func runningFor(f *timeline.Timeline, q *locks.Queue) []*timeline.Sample {
	const few = 4
	at := slices.IndexFunc(stack.TaskSorts[:], func(t stack.TaskSort) bool { return t.AwaitedBy(q.Root.Stack) })
	if at < 0 {
		return nil
	}
	var own []*timeline.Sample
	for i := range f.Snaps[q.At].Samples {
		s := &f.Snaps[q.At].Samples[i]
		if s == q.Root || !s.Thread.Program() || slices.Contains(q.Waiters, s) || s.Resting() != nil ||
			!stack.TaskSorts[at].RunBy(s.Stack) {
			continue
		}
		if q.Root.Stack.DefinesTask(s.Stack) {
			own = append(own, s)
		}
	}
	if len(own) > few {
		return nil
	}
	return timeline.InNameOrder(own)
}
