package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// signalsBehind reports threads that wait for a signal with a lock in their hands, while all
// who could give it wait for that lock: as who completes a future or opens a latch does so
// in a method that is synchronized, too.
//
// Rule: the owner of a lock stands, over the look, in a wait without end for a latch, a
// result, a notify, a condition, an unpark or a partner. Every other thread of the program
// that has anything to do waits, directly or behind others, for what it holds, and has not
// moved either; nothing can come from outside, nor from a timer that has run something and
// has not come round. At least one of them is in a class of the owner, and came another way: from another method
// that its thread was started with, as others like the owner are victims. Who of them would
// give the signal no line says; that nobody else is left to does.
func (f *facts) signalsBehind() []candidate {
	if !f.lasts() || !f.last().closed() || f.last().runsVirtual() {
		return nil
	}
	at := len(f.snaps) - 1
	g := f.graph(at)
	behind, all := map[int][]*Sample{}, 0
	for _, j := range g.waiting {
		waiter := &g.snap.samples[j]
		if !waiter.wait.forLock() {
			continue
		}
		all++
		if end := g.ends[j]; end.root != none && end.cycle == none {
			behind[end.root] = append(behind[end.root], waiter)
		}
	}
	for i, waiters := range behind {
		owner := &g.snap.samples[i]
		if len(waiters) < all || !waitsForSignal(owner) || !f.neverWoke(f.history(owner)) {
			continue
		}
		givers := slices.DeleteFunc(slices.Clone(waiters), func(s *Sample) bool { return !mayGive(s, owner) })
		if len(givers) > 0 && f.onlyThey(owner, waiters) {
			return []candidate{f.signalBehind(at, owner, givers, waiters)} // behind whom all wait
		}
	}
	return nil
}

// waitsForSignal tells a wait that has no end but by another thread of the program.
func waitsForSignal(s *Sample) bool {
	if s.Thread.Role != threaddump.Application || !s.waits() || s.timed() || s.Stack.op.caller == nil || s.asksByLibrary() || untilTheEnd(s.Stack) {
		return false
	}
	switch s.Stack.op.kind {
	case opLatch, opResult, opNotify, opCondition, opPark, opExchange:
		return s.resting() == nil
	}
	return false
}

// mayGive reports that a thread that waits for a lock may be on its way to give a signal: it
// is in a class of who waits for it, and came another way. Of a class in initialisation
// other rules tell.
func mayGive(s, owner *Sample) bool {
	if r := s.Stack.root; r != nil && r.kind >= rootFinalizer {
		return false
	}
	return s.wait != waitClassInit && s.waitsOn() != nil && s.Stack.sharesClass(owner.Stack) && cameOtherwise(s, owner)
}

// cameOtherwise reports that two threads were not started with the same method of the
// application.
func cameOtherwise(a, b *Sample) bool {
	x, y := a.Stack.outermostProgram(), b.Stack.outermostProgram()
	return x != nil && y != nil && x.Name() != y.Name()
}

// onlyThey reports that some threads that wait for a lock stand still, and that nobody beside
// them and the lock's owner may do anything.
func (f *facts) onlyThey(owner *Sample, waiters []*Sample) bool {
	g := gathering{}
	for _, s := range append(slices.Clone(waiters), owner) {
		st := f.standingStill(f.history(s))
		if !st.long() || s.timed() {
			return false
		}
		g.waiters = append(g.waiters, st)
	}
	w := f.worldOf([]gathering{g})
	return !w.acts && !w.outside && !w.accepts && !w.pending && w.asking == 0
}

func (f *facts) signalBehind(at int, owner *Sample, givers, waiters []*Sample) candidate {
	culprits, left := []*Sample{owner}, "all who are left to end that wait for it: none of them ever goes on"
	if strangers := slices.DeleteFunc(slices.Clone(waiters), func(s *Sample) bool { return !cameOtherwise(s, owner) }); len(strangers) == 1 {
		culprits = append(culprits, givers[0])
		left = fmt.Sprintf("%s, the only one left to end that, wants it: neither ever goes on", givers[0].Thread.called())
	}
	victims := slices.DeleteFunc(slices.Clone(waiters), func(s *Sample) bool { return slices.Contains(culprits, s) })
	finding := Finding{
		Severity: Critical, Confidence: Likely,
		Title:    fmt.Sprintf("%s %s with a lock in its hands, and %s", owner.Thread.called(), owner.phrase(), left),
		Advice:   behindAdvice(owner),
		Culprits: f.refs(culprits), Victims: f.refs(victims), Resource: atResource(lockType(givers[0]), givers[0]),
		Evidence: append(f.standEvidence(at, culprits[:1]), f.quoteLock(at, givers[0].waitsOn())),
	}
	return candidate{Finding: finding, unlisted: sizeOf(victims) - len(victims)}
}

func behindAdvice(owner *Sample) string {
	const concluded = " Whose signal it is no dump shows. Only a restart frees these threads."
	switch owner.Stack.op.kind {
	case opNotify, opCondition:
		return "A wait gives up its own lock only: who should end it waits for another one. Wait without holding another lock." + concluded
	}
	return "Do not wait for a signal while holding a lock that its giver takes: give the lock up before." + concluded
}
