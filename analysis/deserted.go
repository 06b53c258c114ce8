package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// deserted tells several threads that want a signal in a program without any other
// thread: not even one that waits for work, connections or its time, and no main. Those
// of a hand-written pool whose jobs have come to an end look alike, and have no fault of
// this kind: see mayBeWorker.
func (w *world) deserted(g gathering) bool {
	return w.empty && w.lastOnes(g) && !slices.ContainsFunc(g.waiters, func(waiter still) bool {
		s := waiter.last()
		return mayBeWorker(s) || s.waitsOn() == nil || !inTheMiddle(s.Stack)
	})
}

// lastOnes tells several threads that want a signal without a limit where nobody is left
// who could give it, which leaves a hint whatever they are: nothing can happen in such a
// program any more. Beside timers that came round in the look and gave none, they must be
// no workers, whom these may feed.
func (w *world) lastOnes(g gathering) bool {
	if w.outside || w.accepts || w.pending || len(g.waiters) < 2 || len(w.snaps) < 2 {
		return false
	}
	if slices.ContainsFunc(g.waiters, func(waiter still) bool { return !waiter.untimed() }) {
		return false
	}
	return w.empty || w.onlyTimers && !slices.ContainsFunc(g.waiters, func(waiter still) bool { return mayBeWorker(waiter.last()) })
}

// mayBeWorker tells a thread that waits at a collection, in a method that is called like
// taking a job, or below a run method of its own.
func mayBeWorker(s *Sample) bool {
	own := s.Stack.program()
	return atCollection(s) || takesOut(s.Stack.op.caller) || len(own) == 0 || own[len(own)-1].Method == "run"
}

// isTicking tells a timer or scheduler that came round in the look.
func isTicking(h *history) bool {
	what := h.last().resting()
	return what != nil && (what.what == "timer" || what.what == "scheduler" || isScheduling(h.last().Stack)) && h.cameRound()
}

// takeOuts are how methods are called that take something out of a buffer.
var takeOuts = [...]string{"take", "next", "poll", "get", "remove", "dequeue", "pop", "fetch", "receive", "claim", "work", "loop", "consume", "read"}

func takesOut(f *threaddump.Frame) bool {
	return slices.ContainsFunc(takeOuts[:], func(word string) bool { return strings.HasPrefix(strings.ToLower(f.Method), word) })
}

// alone tells a thread that wants a partner in a program without any other thread but
// such, or the last one of all that wants a signal in the middle of something. One that
// takes something out may have been a worker.
func (w *world) alone(g gathering) bool {
	if !w.empty || w.outside {
		return false
	}
	s := g.waiters[0].last()
	switch s.Stack.op.kind {
	case opExchange, opBarrier:
		return true
	case opPark, opNotify, opCondition:
		return len(w.wanting) == 1 && inTheMiddle(s.Stack) && !atCollection(s) && !takesOut(s.Stack.op.caller)
	}
	return false
}
