package analysis

import "strings"

// pipeOfChild ends the name of the class by which the parent reads what a child
// process writes; whoever reads holds its monitor.
const pipeOfChild = "ProcessPipeInputStream"

// readsFromChild tells a thread in a read of a child process's output.
func (s *Sample) readsFromChild() bool {
	if s.Stack.op.kind != opRead {
		return false
	}
	for i := range s.locks {
		if strings.HasSuffix(s.locks[i].class, pipeOfChild) {
			return true
		}
	}
	return false
}

// ofChild tells a wait that a child process of this one ends.
func (w ioWaiter) ofChild() bool { return w.op == opProcess || w.childPipe }

// childrenWork reports that processes which the JVM has started used CPU over the
// look: they get on, and may be meant to take their time.
func (f *facts) childrenWork() bool {
	first, last, ok := f.machines()
	return ok && last.Children.Count > 0 && last.Children.CPU > first.Children.CPU
}

// joined reports that another thread of the program waits, over the whole look and
// without end, for a thread such as this one to end. Whose end it is no dump says:
// the class of the thread object must fit. Nobody waits so for a daemon thread or
// the worker of an executor.
func (f *facts) joined(h *history) bool {
	frames := h.last().Stack.Frames
	if h.thread.Daemon || len(frames) == 0 || h.last().Stack.root != nil {
		return false
	}
	class := frames[len(frames)-1].Class
	for _, o := range f.alive() {
		s := o.last()
		if o == h || !o.thread.program() || s.Stack.op.kind != opJoin || s.timed() || f.standingStill(o).dumps < len(f.snaps) {
			continue
		}
		if l := s.waitsOn(); l == nil || l.class == class {
			return true
		}
	}
	return false
}

// ioAdvice is what to do about threads that stand in I/O, hints of a stall or more.
func ioAdvice(waiters []ioWaiter, severity Severity) string {
	child := true
	for _, w := range waiters {
		child = child && w.ofChild()
	}
	switch {
	case child && severity == Info:
		return "Nothing tells whether somebody waits for it: a child process that is meant to run on looks the same."
	case child:
		return "Look at the child process: does it hang, or wait for input, or for somebody to read its output? Wait for it with a timeout."
	case severity == Info:
		return "Nothing tells whether somebody waits for it: a reader whose peer is silent looks the same."
	}
	return "Look at the other end, and give the call a timeout."
}
