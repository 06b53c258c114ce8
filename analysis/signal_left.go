package analysis

import (
	"slices"
	"strings"
)

// endsAny is what [Bytecode] calls a call that may end any wait, endsTask one that interrupts an executor's tasks.
const (
	endsAny  = "any"
	endsTask = "task"
)

// signalsLeft tells who waits for a signal that code may yet give which is left to run, by the
// class files: where the other threads stand, or in what was handed to others to call. One that
// may be signalled may signal the next, and so may one that takes from a queue once something may be put
// there.
type signalsLeft struct {
	// known tells that the rest is: none of it is where classes or threads are not seen.
	known bool
	// never wait for one, or for something in a queue, that no such code gives, whatever object it is
	// given to; perhaps are those for whose kind of signal, or in the class in which they wait, there is
	// such code.
	never, perhaps map[*history]bool
	// byOthers are those whose wait has a limit, and to which another thread, or what was handed to others,
	// may give such a signal before.
	byOthers map[*history]bool
}

func (f *facts) signalsLeft() signalsLeft {
	if f.left == nil {
		f.left = &signalsLeft{}
		if f.bytecode != nil && f.bytecode.Closed && f.written == nil && !f.last().mayLack() && len(f.snaps) > 1 {
			*f.left = f.findSignalsLeft()
		}
	}
	return *f.left
}

func (f *facts) findSignalsLeft() signalsLeft {
	var waiting []*history
	completes := slices.Contains(f.bytecode.Brings, "completion") // the JDK puts into a queue
	for _, h := range f.alive() {
		s, st := h.last(), f.standingStill(h)
		if !h.thread.program() || !s.waits() || !st.long() || !st.untimed() {
			continue
		}
		if s.wantsSignal() || !completes && s.takesByItself() {
			waiting = append(waiting, h)
		}
	}
	never, known := f.unsignalled(waiting, func(s *Sample) string { return signalWords[s.Stack.op.kind] })
	if !known {
		return signalsLeft{}
	}
	unlikely, _ := f.unsignalled(waiting, likelySignal)
	perhaps := map[*history]bool{}
	for _, h := range waiting {
		kind := h.last().Stack.op.kind
		if !unlikely[h] && kind != opResult && kind != opTake {
			perhaps[h] = true
		}
	}
	return signalsLeft{known: true, never: never, perhaps: perhaps, byOthers: f.signalledByOthers(unlikely)}
}

// signalledByOthers are the threads that wait for a signal for a time, and may get it from others than those
// that are stuck.
func (f *facts) signalledByOthers(stuck map[*history]bool) map[*history]bool {
	givers := map[string]int{}
	note := func(words []string, n int) {
		for _, word := range words {
			givers[word] += n
		}
	}
	note(f.bytecode.Later, 2) // whoever runs it
	if f.queueMoves(stuck) {
		note(f.bytecode.Queued, 2)
	}
	for _, h := range f.alive() {
		if words, _ := f.mayEnd(h.last()); !stuck[h] {
			slices.Sort(words)
			note(slices.Compact(words), 1)
		}
	}
	found := map[*history]bool{}
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || !s.timed() || !s.wantsSignal() {
			continue
		}
		own, _ := f.mayEnd(s)
		word := likelySignal(s)
		found[h] = givers[word] > one(slices.Contains(own, word))
	}
	return found
}

// wantsSignal tells a thread that waits for another one to signal it.
func (s *Sample) wantsSignal() bool {
	kind := s.Stack.op.kind
	return kind != opTake && signalWords[kind] != "" && s.Stack.op.caller != nil && !isThreadLike(s)
}

// takesByItself tells a thread whose own code takes from a queue: it does something for others only once
// it is given something.
func (s *Sample) takesByItself() bool {
	op := s.Stack.op
	if op.kind != opTake || op.caller == nil || !IsQueue(op.frame.Class) || originOf(op.caller) != ofApplication {
		return false
	}
	at := slices.Index(s.Stack.Frames, op.frame)
	return at >= 0 && at+1 < len(s.Stack.Frames) && s.Stack.Frames[at+1] == op.caller
}

// likelySignal is what a thread waits for, as of [Bytecode.Ahead]: notifies and conditions are
// mostly signalled in the class that waits for them.
func likelySignal(s *Sample) string {
	word := signalWords[s.Stack.op.kind]
	switch s.Stack.op.kind {
	case opCondition, opNotify:
		return word + "@" + s.Stack.op.caller.Class
	}
	return word
}

// unsignalled are those of some waiting threads for which the signal that they want is nowhere
// ahead, known if the class files tell of each thread.
func (f *facts) unsignalled(waiting []*history, wanted func(*Sample) string) (stuck map[*history]bool, known bool) {
	given := map[string]bool{}
	note := func(words []string) {
		for _, word := range words {
			given[word] = true
		}
	}
	stuck = map[*history]bool{}
	for _, h := range waiting {
		stuck[h] = true
	}
	note(f.bytecode.Later)
	if f.broughtByJDK() {
		note([]string{signalWords[opResult]})
	}
	for _, h := range f.alive() {
		words, known := f.mayEnd(h.last())
		if !known {
			return nil, false
		}
		if !stuck[h] {
			note(words)
		}
	}
	for found := true; found; {
		found = false
		if f.queueMoves(stuck) {
			note(f.bytecode.Queued)
		}
		for h := range stuck {
			if s := h.last(); given[endsAny] || given[wanted(s)] || given[endsTask] && isTask(s.Stack) {
				words, _ := f.mayEnd(h.last())
				note(words)
				delete(stuck, h)
				found = true
			}
		}
	}
	return stuck, true
}

// queueMoves reports that an executor may have tasks in its queue, and a worker that gets on.
func (f *facts) queueMoves(stuck map[*history]bool) bool {
	return slices.ContainsFunc(f.executors(), func(p *pool) bool {
		return len(p.busy) > 0 && (p.mixed || p.everyBusy() && !p.fullOf(stuck))
	})
}

// mayEnd are the kinds of waits that a thread may yet end, known if the class files tell of each of
// its frames. The end of a task is a result.
func (f *facts) mayEnd(s *Sample) (words []string, known bool) {
	if isTask(s.Stack) && s.resting() == nil {
		words = append(words, signalWords[opResult])
	}
	for i, fr := range s.Stack.Frames {
		if CodeOf(fr) != CodeApplication || strings.Contains(fr.Class, "$$Lambda") {
			continue
		}
		place := LineOf(fr)
		if i > 0 {
			place = PlaceOf(s.Stack.Frames, i)
		}
		more, known := f.bytecode.Ahead[place]
		if !known {
			return nil, false
		}
		words = append(words, more...)
	}
	return words, true
}

// waitsForOwnQueue reports that every worker of an executor waits for results that nothing brings
// which is left to run, and has handed tasks to one before: these are in its own queue.
func (f *facts) waitsForOwnQueue(p *pool) bool {
	never := f.signalsLeft().never
	return len(never) > 0 && p.everyBusy() && !slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last().Stack
		return !never[h] || s.op.kind != opResult || !isAt(f.bytecode.Hands, s)
	})
}

// isThreadLike tells a wait at a thread, whose end gives the signal.
func isThreadLike(s *Sample) bool {
	l := s.waitsOn()
	return l != nil && s.Stack.op.kind == opNotify && strings.HasSuffix(l.class, "Thread")
}

// isNever reports that none of those who wait can ever be signalled, and that they are not such
// as an idle program has: workers without work.
func (w *world) isNever(g gathering) bool {
	if !w.neverSignalled(g.samples()) {
		return false
	}
	if w.keepsAlive(g) {
		return false
	}
	s := g.waiters[0].last()
	return isOnce(s.Stack.op.kind) || w.bytecode.isGate(s.Stack) && (inTheMiddle(s.Stack) || len(g.waiters) > 1 && w.waitOnce(g) || w.likesCamePast(g)) || twoSides(g) || !looksLikeWork(g) && (inTheMiddle(s.Stack) || w.awaited)
}

// keepsAlive tells a lone thread that nobody waits for, and that does nothing behind its wait: it keeps the JVM
// alive, or did.
func (w *world) keepsAlive(g gathering) bool {
	s := g.waiters[0].last().Stack
	return len(g.waiters) == 1 && !inTheMiddle(s) && !w.awaited && w.bytecode != nil && isAllAt(w.bytecode.Last, s)
}

// waitOnce reports that threads wait at a gate which they pass once in their lives, and have something to do behind it.
func (w *world) waitOnce(g gathering) bool {
	return !slices.ContainsFunc(g.samples(), func(s *Sample) bool { return !w.runsOnce(s.Stack) || isAllAt(w.bytecode.Last, s.Stack) })
}

// likesCamePast reports that threads which were started as those at a gate have come past it, and get on.
func (w *world) likesCamePast(g gathering) bool {
	waiter := g.waiters[0].last()
	own := waiter.Stack.program()
	return len(own) > 0 && slices.ContainsFunc(w.alive(), func(h *history) bool {
		s := h.last()
		theirs := s.Stack.program()
		return h.cameRound() && s.Stack != waiter.Stack && len(theirs) > 0 && theirs[len(theirs)-1].Name() == own[len(own)-1].Name() && w.hasComeBackFrom(s, waiter.Stack.op.caller)
	})
}

// maySignal reports that code is left to run which may signal a thread that waits, be it the JDK's.
func (f *facts) maySignal(s *Sample) bool {
	left := f.signalsLeft()
	return s.Stack.op.kind == opResult && f.broughtByJDK() || left.perhaps[f.history(s)] || left.byOthers[f.history(s)]
}

// neverSignalled reports that no code is left to run which could end any of some waits.
func (f *facts) neverSignalled(waiters []*Sample) bool {
	never := f.signalsLeft().never
	return !slices.ContainsFunc(waiters, func(s *Sample) bool { return !never[f.history(s)] })
}

// isOnItsWay reports that a thread which pauses, and has come round in the look, may by the class files
// yet give a signal that some wait for.
func (f *facts) isOnItsWay(h *history) bool {
	if !f.signalsLeft().known || !h.last().timed() || !h.cameRound() {
		return false
	}
	words, _ := f.mayEnd(h.last())
	for waiting := range f.signalsLeft().perhaps {
		if slices.Contains(words, likelySignal(waiting.last())) {
			return true
		}
	}
	return false
}

// pacesBarrier reports that a thread pauses, however long, before it may by the class files come to a barrier at
// which all those wait that depend on it.
func (f *facts) pacesBarrier(h *history, dependents []*history) bool {
	s := h.last()
	pauses := s.Stack.op.kind == opSleep || s.Stack.op.kind == opPark && s.timed() && s.waitsOn() == nil
	if !pauses || !f.signalsLeft().known {
		return false
	}
	words, _ := f.mayEnd(s)
	return slices.Contains(words, signalWords[opBarrier]) && !slices.ContainsFunc(dependents, func(o *history) bool { return o.last().Stack.op.kind != opBarrier })
}

// onlyLaterSignals reports that several wait without end over the whole look for a signal that by the class files
// no thread may give, but what was handed to others, as to a timer.
func (f *facts) onlyLaterSignals(waiting []*history) bool {
	if !f.signalsLeft().known {
		return false
	}
	n := 0
	for _, h := range waiting {
		st, s := f.standingStill(h), h.last()
		word := likelySignal(s)
		if s.wantsSignal() && st.untimed() && st.dumps == len(f.snaps) && slices.Contains(f.bytecode.Later, word) && len(f.giversOf(word)) == 0 {
			n++
		}
	}
	return n > 1
}
