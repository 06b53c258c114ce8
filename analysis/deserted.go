package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// deserted tells several threads that want a signal in a program without any other
// thread: not even one that waits for work, connections or its time, and no main. Those
// of a hand-written pool whose jobs have come to an end look alike, and have no fault of
// this kind: they wait at a collection, in a method that is called like taking a job, or
// below a run method of their own.
func (w *world) deserted(g gathering) bool {
	return w.lastOnes(g) && !slices.ContainsFunc(g.waiters, func(waiter still) bool { return !inTheMiddle(waiter.last().Stack) })
}

// lastOnes tells the threads of deserted also where they wait in the method that they
// were started with, which leaves a hint: a worker's may be called anything.
func (w *world) lastOnes(g gathering) bool {
	if !w.empty || w.outside || len(g.waiters) < 2 {
		return false
	}
	return !slices.ContainsFunc(g.waiters, func(waiter still) bool {
		s := waiter.last()
		own := s.Stack.program()
		return !waiter.untimed() || s.waitsOn() == nil || atCollection(s) ||
			takesOut(s.Stack.op.caller) || len(own) == 0 || own[len(own)-1].Method == "run"
	})
}

// takeOuts are how methods are called that take something out of a buffer.
var takeOuts = [...]string{"take", "next", "poll", "get", "remove", "dequeue", "pop", "fetch", "receive", "claim", "work", "loop", "consume", "read"}

func takesOut(f *threaddump.Frame) bool {
	return slices.ContainsFunc(takeOuts[:], func(word string) bool { return strings.HasPrefix(strings.ToLower(f.Method), word) })
}

// alone tells a thread that wants a partner in a program without any other thread.
func (w *world) alone(g gathering) bool {
	kind := g.waiters[0].last().Stack.op.kind
	return w.empty && !w.outside && (kind == opExchange || kind == opBarrier)
}

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
