package analysis

import (
	"fmt"
	"slices"
)

// maybeFed tells threads that want a signal in the middle of something, which a task
// that came again and again may have given.
func maybeFed(g gathering) bool {
	return !slices.ContainsFunc(g.waiters, func(waiter still) bool {
		s := waiter.last()
		return !waiter.untimed() || atCollection(s) || !inTheMiddle(s.Stack) || takesOut(s.Stack.op.caller) || !isRepeatable(s.Stack.op.kind)
	})
}

// isRepeatable tells waits that another thread ends by a word, and that may end more than
// once.
func isRepeatable(kind opKind) bool { return kind == opNotify || kind == opCondition || kind == opPark }

// withSpent tells of the scheduler that has nothing left to do, where its task may be
// what the threads of a crowd wait for.
func (w *world) withSpent(c crowd, found candidate) candidate {
	if w.spent != nil && maybeFed(c.groups[0]) {
		found.Evidence = append(found.Evidence, figure(fmt.Sprintf(
			"the scheduler %s has nothing left to run: a periodic task that throws is not run again", w.spent.thread.called())))
	}
	return found
}
