package analysis

import (
	"fmt"

	"jstall/threaddump"
)

// virtualSignals are the virtual threads, by the method that waits, which want what
// happens once or among equals: a result, a latch, a barrier, a partner. None if a
// carrier has run one of them in the look.
func (f *facts) virtualSignals() []gathering {
	if f.written == nil || !f.carriersRested() {
		return nil
	}
	return f.written.gather(func(s *Sample) string {
		if kind := s.Stack.op.kind; !s.Thread.Virtual || !isOnce(kind) || kind == opPermit || s.timed() || s.Stack.polls() {
			return ""
		}
		return f.signalKey(s)
	})
}

// seeVirtual takes the virtual threads, but for those that wait, for part of the world.
func (w *world) seeVirtual(waiting map[*history]bool) {
	if w.written == nil {
		return
	}
	for _, h := range w.written.alive() {
		s := h.last()
		if !s.Thread.Virtual || waiting[h] || s.Stack.polls() {
			continue
		}
		w.empty, w.onlyTimers, w.manned = false, false, true
		switch op := s.Stack.op.kind; {
		case op == opAccept:
			w.accepts = true
		case op == opSelect, s.inVirtualIO():
			w.outside = true
		case s.timed():
			w.pending, w.due, w.clocked = true, true, true
		case op == opJoin, op == opTermination, op == opResult:
			w.othersAsk, w.awaited = true, true
		case s.State != threaddump.Waiting:
			w.acts = true
		}
	}
}

// missedByVirtual reports the virtual threads that want a signal which nobody is on the
// way to give: a hint where it may come from outside or in time, unless they owe others of
// this JVM an answer.
func (w *world) missedByVirtual(groups []gathering) []candidate {
	var found []candidate
	for _, g := range groups {
		severity := w.grade(g)
		if severity == "" {
			continue
		}
		if (w.outside || w.accepts || w.pending) && !w.owesAnswer(g) {
			severity = Info
		}
		c := w.written.missedSignal(g, severity)
		n := sizeOf(g.samples())
		c.Title = fmt.Sprintf("%s %s for %s", Counted(n, "virtual thread"), verb(n, "waits", "wait"), missing(g.waiters[0].last().Stack))
		c.Victims = nil
		if waiter := w.awaitsVirtual(); waiter != nil {
			c.Victims = w.refs([]*Sample{waiter.last()})
		}
		found = append(found, c)
	}
	return found
}
