package analysis

import "slices"

// atWork tells a thread that pauses again and again in the midst of work, in the class that
// some wait in, and does more in between than wake up, look and sleep again: it may be on the
// way to the signal, as one that loads what others wait for, a piece at a time. Where the
// dumps do not count what it allocates (JDK 8) it may have done anything.
func (w *world) atWork(h *history) bool {
	s := h.last()
	works := h.allocates(spinAllocation) || !h.allocated.Known && h.cameRound()
	own := s.Stack.program()
	return works && s.Stack.op.kind == opSleep && s.timed() && len(own) > 1 && slices.ContainsFunc(w.wanting, func(waiter *Sample) bool {
		return waiter.Stack.Application != nil && own[0].Class == waiter.Stack.Application.Class
	})
}

// oneWait reports that a thread whose wait has a time limit waits for the same all the time:
// for one object, or, as objects move and some are made for each wait, without having done
// more than to look again in between. One that asks again and again and is answered waits
// for another each time. So does who gets a permit of one semaphore time and again, and works
// for a moment: who only asks again is woken more often for that CPU.
func (h *history) oneWait() bool {
	const looks = 5 * wakeCost
	for i := 1; i < len(h.samples); i++ {
		before, now := h.samples[i-1], h.samples[i]
		was, is := before.waitsOn(), now.waitsOn()
		same := was == is || was != nil && is != nil && was.address == is.address
		if now.Stack.op.kind == opPermit {
			same = same && before.turns != unknown && now.turns-before.turns >= pollTurns
		}
		if used := growth(before.cpu, now.cpu); !same && (!used.Known || used.Value > looks) {
			return false
		}
	}
	return true
}
