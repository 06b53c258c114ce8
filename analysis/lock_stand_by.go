package analysis

import (
	"fmt"
	"slices"
)

// unlessStandBys makes a hint of a queue in which all wait to take over from the owner of the lock.
func (f *facts) unlessStandBys(c candidate, queues []*queue) candidate {
	last := queues[len(queues)-1]
	if last.root == nil || slices.ContainsFunc(last.waiters, func(w *Sample) bool { return !f.standsBy(w, last.root) }) {
		return c
	}
	c.Severity, c.Confidence = Info, Possible
	owner := last.root.Thread.called()
	told := figure(fmt.Sprintf("who waits may stand by: %s is for good in a loop of %s, where the lock is asked for with a time limit, by the class file",
		owner, shortName(last.waiters[0].Stack.Application.Name())))
	c.Evidence = append([]Evidence{told}, c.Evidence...)
	c.Advice = "If " + owner + " is meant to keep the lock until it ends, so that another takes over then, all is well. Else: " + c.Advice
	return c
}

// standsBy reports that a thread seems to be there to take over from the owner of a lock, as the second of two
// of which one leads.
//
// Rule: it wants the lock for a limited time, in a method in which the owner is in a loop that by the class
// file nothing but an exception ends; from there the method does not come back to where it asks for the
// lock. The owner sleeps and was woken in the look.
func (f *facts) standsBy(w, owner *Sample) bool {
	if f.bytecode == nil || !w.timed() || w.Stack.Application == nil || owner.Stack.op.kind != opSleep {
		return false
	}
	loop := frameAt(f.bytecode.Endless, owner.Stack)
	if loop == nil || loop.Name() != w.Stack.Application.Name() || isTopAt(f.bytecode.Endless, w.Stack) {
		return false
	}
	return f.woke(f.history(owner))
}
