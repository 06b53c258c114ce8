package analysis

import "slices"

// blameTask goes on from the owner of a lock that waits for the result of a task, while it keeps the lock: to
// the thread that runs the task.
//
// Rule: it runs a lambda of a method that the owner is in. Who waits behind the owner is none of them.
func (f *facts) blameTask(result *Finding, q *queue) {
	if !waitsForResult(q.root) || q.at != len(f.snaps)-1 {
		return
	}
	if workers := f.runningFor(q); len(workers) > 0 {
		f.goOnTo(result, q, workers, quoteThreads(workers)+verb(len(workers), " works", " work")+" on it: "+f.doing(workers))
		result.Advice = "Do not wait for a task while holding a lock: get the result first. Look at what the task does."
	}
}

// runningFor are the threads that run what the root of a queue waits for, a few at most.
func (f *timeline) runningFor(q *queue) []*Sample {
	const few = 4
	at := slices.IndexFunc(taskSorts[:], func(t taskSort) bool { return t.awaitedBy(q.root.Stack) })
	if at < 0 {
		return nil
	}
	var own []*Sample
	for i := range f.snaps[q.at].samples {
		s := &f.snaps[q.at].samples[i]
		if s == q.root || !s.Thread.program() || slices.Contains(q.waiters, s) || s.resting() != nil || !taskSorts[at].runBy(s.Stack) {
			continue
		}
		if q.root.Stack.begot(s.Stack) {
			own = append(own, s)
		}
	}
	if len(own) > few {
		return nil
	}
	return inNameOrder(own)
}
