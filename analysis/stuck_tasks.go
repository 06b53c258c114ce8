package analysis

import (
	"fmt"
	"slices"
)

// holdsUpTasks tells threads that wait for a result and keep a lock which a task wants:
// it may be that task which should bring it, and is on the way.
func (w *world) holdsUpTasks(g gathering) bool {
	if g.waiters[0].last().Stack.op.kind != opResult {
		return false
	}
	held := w.heldUpTasks()
	return slices.ContainsFunc(g.waiters, func(waiter still) bool { return held[waiter.last().Thread] })
}

// heldUpTasks are the threads that others which run a task wait for, directly or behind
// others.
func (w *world) heldUpTasks() map[*Thread]bool {
	if w.heldUp != nil {
		return w.heldUp
	}
	w.heldUp = map[*Thread]bool{}
	graph := w.graph(len(w.snaps) - 1)
	for _, j := range graph.waiting {
		if !graph.snap.samples[j].Stack.runsAwaited() {
			continue
		}
		for i := graph.next(j); i != none && i != j && !w.heldUp[graph.snap.samples[i].Thread]; i = graph.next(i) {
			w.heldUp[graph.snap.samples[i].Thread] = true // and so are those before it, if they are already
		}
	}
	return w.heldUp
}

// stuckTasks are the threads that run the tasks whose results some threads wait for,
// as far as the stacks tell: those of the sort that is waited for, which run a lambda
// of a method that a waiter is in, or else code of the same class, and wait for what is
// no task's result in turn. Without -l it may be a lock that the waiter keeps itself.
func (f *facts) stuckTasks(g gathering) []*Sample {
	asking := stacksOf(g.samples())
	var born, kin []*Sample
	for _, h := range f.alive() {
		s := h.last()
		if !s.waits() && !s.wait.forLock() || s.Stack.op.kind == opResult || s.resting() != nil || !f.standsStill(h) {
			continue
		}
		switch {
		case slices.ContainsFunc(asking, func(w *Stack) bool { return w.awaitsSort(s.Stack) && w.begot(s.Stack) }):
			born = append(born, s)
		case slices.ContainsFunc(asking, func(w *Stack) bool { return w.awaitsSort(s.Stack) && w.sharesClass(s.Stack) }):
			kin = append(kin, s)
		}
	}
	if len(born) > 0 {
		return inNameOrder(born)
	}
	return inNameOrder(kin)
}

// neverGotOn reports that threads stood over the whole look, of three dumps at least,
// without being woken even once.
func (f *facts) neverGotOn(threads []*Sample) bool {
	return len(f.snaps) > 2 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		h := f.history(s)
		return len(h.samples) < len(f.snaps) || !f.deadStill([]*history{h})
	})
}

// awaitsSort reports that s waits for a task of the sort that the other stack runs.
func (s *Stack) awaitsSort(task *Stack) bool {
	return slices.ContainsFunc(taskSorts[:], func(t taskSort) bool { return s.op.kind == opResult && t.awaitedBy(s) && t.runBy(task) })
}

func (s *Stack) sharesClass(other *Stack) bool {
	return slices.ContainsFunc(s.outer, func(class string) bool { return slices.Contains(other.outer, class) })
}

// blameTasks names those that run the tasks, in place of those that wait for them.
func (f *facts) blameTasks(finding *Finding, tasks, waiters []*Sample) {
	n := len(tasks)
	who := fmt.Sprintf("%d tasks are stuck: each of them %s", n, f.phrase(tasks[0]))
	switch {
	case n == 1:
		who = "the task that " + tasks[0].Thread.called() + " runs is stuck: it " + f.phrase(tasks[0])
	case slices.ContainsFunc(tasks, func(t *Sample) bool { return f.phrase(t) != f.phrase(tasks[0]) }):
		who = fmt.Sprintf("%d tasks are stuck", n)
	}
	finding.Title = fmt.Sprintf("%s, while %s %s for %s", who, Counted(len(waiters), "thread"), verb(len(waiters), "waits", "wait"),
		verb(n, "its result", "their results"))
	finding.Advice = "Look at what these tasks wait for, and who should bring it; give it a time limit."
	finding.Victims = append(f.refs(waiters), finding.Victims...)
	finding.Culprits = f.refs(tasks)
	finding.Resource = atResource(tasks[0].waitType(), tasks[0])
	finding.Evidence = append(f.standEvidence(len(f.snaps)-1, tasks), finding.Evidence...)
}
