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

// comeAndGo tells a program that starts threads and has them end within the look.
func (w *world) comeAndGo() bool {
	started, ended := w.comings()
	return len(started) > 0 && len(ended) > 0
}
