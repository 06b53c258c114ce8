package analysis

import "slices"

// behindIO are the threads that wait for what some threads in I/O do: callers of
// executors all of whose workers these are, callers of a hand-made pool, and threads that join
// a thread of the same class. A single thread that waits for a lock of one is no contention,
// and is told here.
func (f *ioFacts) behindIO(waiters []ioWaiter) []*Sample {
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
	if slices.ContainsFunc(waiters, func(w ioWaiter) bool { return w.awaited && !isTask(w.h.last().Stack) && !f.asksItself(w.h) }) {
		behind = append(behind, f.wants().byHand...)
	}
	ended := f.classesOfOthers(stands)
	for _, w := range waiters {
		behind = append(behind, f.loadsFor(w.h)...)
		if w.joined && !ended[bottomClass(w.h)] {
			behind = append(behind, f.joinersOf(w.h)...)
		}
		if w.childPipe {
			behind = append(behind, f.libraryJoiners(w.h)...)
		}
		behind = append(behind, f.wantResultOf(w.h)...)
	}
	var samples []*Sample
	for _, h := range behind {
		if !stands[h] {
			samples = append(samples, h.last())
			stands[h] = true // told once
		}
	}
	return samples
}

// awaited reports that the thread works on something while others wait for what
// comes of it: it runs an executor's task and they wait for the result of one, or
// they wait at an object each, as callers of a hand-made pool do; its idle workers
// wait at one; or it loads what they want from a library's cache. Threads that wait
// while it asks this very process may be those that are to answer.
func (f *ioFacts) awaited(h *history) bool {
	if len(f.loadsFor(h)) > 0 {
		return true
	}
	if !bringsResult(h.last().Stack) {
		return !isReaderLoop(h.last().Stack) && !f.asksItself(h) && len(f.wants().byHand) > 0
	}
	return f.wantResult(func(o *history) bool { return o != h })
}

// bringsResult tells a task whose result others may hold: of an executor, or a FutureTask
// that a thread of its own runs.
func bringsResult(s *Stack) bool { return isTask(s) || s.isInside(juc+"FutureTask", "run") }

// wantResult reports that one of some threads waits for a result over the whole capture.
func (f *ioFacts) wantResult(one func(*history) bool) bool {
	return slices.ContainsFunc(f.wants().results, one)
}

// loadsFor are the threads that wait, over the whole capture, in a class of a library for a
// result that this thread was called by that class to bring: of a cache that one thread
// fills while others want the same.
func (f *ioFacts) loadsFor(h *history) []*history {
	if h.last().Stack.Application == nil {
		return nil
	}
	var found []*history
	for _, o := range f.wants().libraryResults {
		if o != h && calledBy(h.last().Stack, loadingClass(o)) {
			found = append(found, o)
		}
	}
	return found
}

// wantResultOf are the threads that wait for a result in the method whose lambda a task runs.
func (f *ioFacts) wantResultOf(task *history) []*history {
	var found []*history
	for _, o := range f.wants().results {
		if o != task && o.last().Stack.begot(task.last().Stack) {
			found = append(found, o)
		}
	}
	return found
}

// wants are the threads that wait, over the whole capture, for what others bring.
type wants struct {
	// results are those of the program that want one, libraryResults those that want one in
	// a library; joiners wait without end for another thread's end; byHand are the callers
	// of a hand-made pool.
	results, libraryResults, joiners, byHand []*history
}

// wants looks for them once.
func (f *ioFacts) wants() *wants {
	if f.wanted != nil {
		return f.wanted
	}
	w := &wants{byHand: f.handMadeCallers()}
	f.wanted = w
	for _, h := range f.alive() {
		op, program := h.last().Stack.op, h.thread.program()
		if op.kind != opResult && op.kind != opJoin || f.standingStill(h).dumps < len(f.snaps) {
			continue
		}
		switch {
		case op.kind == opJoin && program && !h.last().timed():
			w.joiners = append(w.joiners, h)
		case op.kind == opResult && program:
			w.results = append(w.results, h)
		}
		if op.kind == opResult && op.caller != nil && originOf(op.caller) == ofLibrary {
			w.libraryResults = append(w.libraryResults, h)
		}
	}
	return w
}

// handMadeCallers are threads that wait for a signal in one method, at an object
// each: two at least. Of several such methods it is the one with most of them.
func (f *timeline) handMadeCallers() []*history {
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
func (f *timeline) asksByHand(h *history) bool {
	s := h.last()
	switch s.Stack.op.kind {
	case opNotify, opCondition, opLatch:
		return s.Stack.op.caller != nil && !s.timed() && h.thread.program() && !h.surelyIdle() &&
			f.standingStill(h).dumps == len(f.snaps)
	}
	return false
}

// joinersOf are the threads of the program that wait, over the whole capture and
// without end, for a thread such as this one to end. Whose end it is no dump says:
// the class of the thread object must fit. Nobody waits so for a daemon thread or
// the worker of an executor.
func (f *ioFacts) joinersOf(h *history) []*history {
	if !joinable(h) {
		return nil
	}
	class := bottomClass(h)
	var joiners []*history
	for _, o := range f.wants().joiners {
		if l := o.last().waitsOn(); o != h && (l == nil || l.class == class) {
			joiners = append(joiners, o)
		}
	}
	return joiners
}

// classesOfOthers are the classes that further threads than these were started with: who
// joins one of those may join none of these.
func (f *timeline) classesOfOthers(these map[*history]bool) map[string]bool {
	classes := map[string]bool{}
	for _, o := range f.alive() {
		if !these[o] && o.thread.program() && joinable(o) && o.last().Stack.op.kind != opJoin {
			classes[bottomClass(o)] = true
		}
	}
	return classes
}

func joinable(h *history) bool {
	return !h.thread.Daemon && len(h.last().Stack.Frames) > 0 && h.last().Stack.root == nil
}

// bottomClass is the class of the method that a thread was started with.
func bottomClass(h *history) string {
	frames := h.last().Stack.Frames
	return frames[len(frames)-1].Class
}
