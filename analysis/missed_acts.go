package analysis

import (
	"slices"
	"time"
)

// atWork tells a thread that pauses again and again in the midst of work, in the class that
// some wait in, and does more in between than wake up, look and sleep again: it may be on the
// way to the signal, as one that loads what others wait for, a piece at a time.
func (w *world) atWork(h *history) bool {
	s := h.last()
	turns := h.turns()
	works := s.Stack.op.kind == opSleep && s.timed() && (h.allocates(spinAllocation) || turns > 0 && h.cpu.Known && h.cpu.Value > time.Duration(turns)*pollTurn)
	own := s.Stack.program()
	return works && len(own) > 1 && slices.ContainsFunc(w.wanting, func(waiter *Sample) bool {
		return waiter.Stack.Application != nil && own[0].Class == waiter.Stack.Application.Class
	})
}
