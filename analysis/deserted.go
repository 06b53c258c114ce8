package analysis

import (
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
