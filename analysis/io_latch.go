package analysis

import "jstall/threaddump"

// latchedMain is the main thread that waits over the look for a latch which nobody is left
// to open but some threads in I/O; nil if it does not, or is to stay until it is told to
// end.
func (f *facts) latchedMain(stands map[*history]bool) *history {
	var main *history
	for _, h := range f.alive() {
		s := h.last()
		switch {
		case stands[h] || h.thread.Role != threaddump.Application || len(s.Stack.Frames) == 0:
		case s.Thread.Name == "main" && s.Stack.op.kind == opLatch && !s.timed() && !untilTheEnd(s.Stack) &&
			inWork(s.Stack.program(), 1) && f.standingStill(h).dumps == len(f.snaps):
			main = h
		default:
			return nil
		}
	}
	if !f.last().provesAll() {
		return nil
	}
	return main
}

// markLatched takes threads in I/O for awaited if they are all that is left to open a latch
// which main wants in a method that it has called. In main itself it may be meant to stay,
// and beside a thread whose whole job is to read.
func (f *facts) markLatched(all []ioWaiter) {
	stands := map[*history]bool{}
	for _, w := range all {
		stands[w.h] = true
	}
	if main := f.latchedMain(stands); main == nil || !inWork(main.last().Stack.program(), 2) {
		return
	}
	for i, w := range all {
		if !isReaderLoop(w.h.last().Stack) {
			all[i].awaited = true
		}
	}
}
