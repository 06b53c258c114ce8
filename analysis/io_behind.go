package analysis

import (
	"slices"

	"jstall/threaddump"
)

// behindIO are the threads that wait for what some threads in I/O do: callers of
// executors all of whose workers these are, callers of a hand-made pool, whoever
// joins one of them, if there is nobody else whom it may join, and whoever wants a
// result, or main a latch, if nobody else is left to bring it. A single thread that waits for a lock
// of one is no contention, and is told here.
func (f *facts) behindIO(waiters []ioWaiter) []*Sample {
	stands := map[*history]bool{}
	for _, w := range waiters {
		stands[w.h] = true
	}
	var behind []*history
	for _, p := range f.executors() {
		if p.fullOf(stands) {
			behind = append(behind, f.callersOf(p)...)
		}
	}
	for _, q := range f.queuesAt(len(f.snaps) - 1) {
		if len(q.waiters) < contentionWaiters && q.root != nil && stands[f.history(q.root)] && !reaps(q.waiters[0]) {
			behind = append(behind, f.history(q.waiters[0]))
		}
	}
	for _, w := range waiters {
		if w.awaited && !isTask(w.h.last().Stack) && !f.asksItself(w.h) {
			behind = append(behind, f.handMadeCallers()...)
		}
		behind = append(behind, f.loadsFor(w.h)...)
		if w.joined && f.onlyTheseEnd(w.h, stands) {
			behind = append(behind, f.joinersOf(w.h)...)
		}
		if w.childPipe {
			behind = append(behind, f.libraryJoiners(w.h)...)
		}
	}
	behind = append(behind, f.wantResultsOf(stands)...)
	if main := f.latchedMain(stands); main != nil {
		behind = append(behind, main)
	}
	var samples []*Sample
	for _, h := range behind {
		if s := h.last(); !stands[h] && !slices.Contains(samples, s) {
			samples = append(samples, s)
		}
	}
	return samples
}

// wantResultsOf are the threads, other than main, that wait without end for a result
// in a program in which all others than some threads have nothing to do or wait for one.
func (f *facts) wantResultsOf(stands map[*history]bool) []*history {
	var wanting []*history
	for _, h := range f.alive() {
		s := h.last()
		switch {
		case stands[h] || h.thread.Role != threaddump.Application || len(s.Stack.Frames) == 0 || h.idle():
		case h.thread.Name != "main" && s.Stack.op.kind == opResult && !s.timed() && f.standingStill(h).dumps == len(f.snaps):
			wanting = append(wanting, h)
		default:
			return nil
		}
	}
	if !f.last().closed() {
		return nil
	}
	return wanting
}

// awaited reports that the thread works on something while others wait for what
// comes of it: it runs an executor's task and they wait for the result of one, or
// they wait at an object each, as callers of a hand-made pool do; its idle workers
// wait at one; or it loads what they want from a library's cache. Threads that wait
// while it asks this very process may be those that are to answer.
func (f *facts) awaited(h *history) bool {
	if len(f.loadsFor(h)) > 0 {
		return true
	}
	if !bringsResult(h.last().Stack) {
		return !isReaderLoop(h.last().Stack) && !f.asksItself(h) && len(f.handMadeCallers()) > 0
	}
	return f.wantResult(func(o *history) bool { return o != h })
}

// bringsResult tells a task whose result others may hold: of an executor, or a FutureTask
// that a thread of its own runs.
func bringsResult(s *Stack) bool { return isTask(s) || s.isInside(juc+"FutureTask", "run") }

// wantResult reports that one of some threads waits for a result over the whole look.
func (f *facts) wantResult(one func(*history) bool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		return one(h) && h.thread.program() && h.last().Stack.op.kind == opResult && f.standingStill(h).dumps == len(f.snaps)
	})
}

// loadsFor are the threads that wait, over the whole look, in a class of a library for a
// result that this thread was called by that class to bring: of a cache that one thread
// fills while others want the same.
func (f *facts) loadsFor(h *history) []*history {
	if h.last().Stack.Application == nil {
		return nil
	}
	var found []*history
	for _, o := range f.inLibrary() {
		if o != h && calledBy(h.last().Stack, loadingClass(o)) {
			found = append(found, o)
		}
	}
	return found
}

// inLibrary are the threads that wait, over the whole look, in a library for a result.
func (f *facts) inLibrary() []*history {
	if f.libraryWaits != nil {
		return f.libraryWaits
	}
	f.libraryWaits = []*history{}
	for _, h := range f.alive() {
		wait := h.last().Stack.op
		if wait.kind == opResult && wait.caller != nil && originOf(wait.caller) == ofLibrary && f.standingStill(h).dumps == len(f.snaps) {
			f.libraryWaits = append(f.libraryWaits, h)
		}
	}
	return f.libraryWaits
}

// handMadeCallers are threads that wait for a signal in one method, at an object
// each: two at least. Of several such methods it is the one with most of them.
func (f *facts) handMadeCallers() []*history {
	byMethod := map[string][]*history{}
	objects := map[string]map[uint64]bool{}
	var best string
	for _, h := range f.alive() {
		l := h.last().waitsOn()
		if l == nil || !f.asksByHand(h) {
			continue
		}
		at := h.last().Stack.op.caller.Name()
		if objects[at] == nil {
			objects[at] = map[uint64]bool{}
		}
		objects[at][l.address] = true
		byMethod[at] = append(byMethod[at], h)
		if len(objects[at]) > max(1, len(objects[best])) {
			best = at
		}
	}
	return byMethod[best]
}

// asksByHand tells a thread that stands in a wait without end for a signal of
// another one.
func (f *facts) asksByHand(h *history) bool {
	s := h.last()
	switch s.Stack.op.kind {
	case opNotify, opCondition, opLatch:
		return s.Stack.op.caller != nil && !s.timed() && h.thread.program() && !h.surelyIdle() &&
			f.standingStill(h).dumps == len(f.snaps)
	}
	return false
}

// joinersOf are the threads of the program that wait, over the whole look and
// without end, for a thread such as this one to end. Whose end it is no dump says:
// the class of the thread object must fit. Nobody waits so for a daemon thread or
// the worker of an executor.
func (f *facts) joinersOf(h *history) []*history {
	if !joinable(h) {
		return nil
	}
	class := bottomClass(h)
	var joiners []*history
	for _, o := range f.alive() {
		s := o.last()
		if o == h || !o.thread.program() || s.Stack.op.kind != opJoin || s.timed() || f.standingStill(o).dumps < len(f.snaps) {
			continue
		}
		if l := s.waitsOn(); l == nil || l.class == class {
			joiners = append(joiners, o)
		}
	}
	return joiners
}

// onlyTheseEnd reports that no further thread is such as this one, so that who joins
// one of them joins one of these.
func (f *facts) onlyTheseEnd(h *history, these map[*history]bool) bool {
	return !slices.ContainsFunc(f.alive(), func(o *history) bool {
		return !these[o] && o.thread.program() && joinable(o) && o.last().Stack.op.kind != opJoin && bottomClass(o) == bottomClass(h)
	})
}

func joinable(h *history) bool {
	return !h.thread.Daemon && len(h.last().Stack.Frames) > 0 && h.last().Stack.root == nil
}

// bottomClass is the class of the method that a thread was started with.
func bottomClass(h *history) string {
	frames := h.last().Stack.Frames
	return frames[len(frames)-1].Class
}
