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

// childrenAre tells how the processes which the JVM has started get on. Those that used
// CPU over the look, or that sleep for a time of their own, do, and may be meant to
// take their time; all others rest.
func (f *facts) childrenAre() (rest, getOn bool) {
	first, last, ok := f.machines()
	if !ok || last.Children.Count == 0 {
		return false, false
	}
	getOn = last.Children.CPU > first.Children.CPU || last.Children.Pausing > 0
	return !getOn, getOn
}

// ioAdvice is what to do about threads that stand in I/O, hints of a stall or more.
func ioAdvice(waiters []ioWaiter, severity Severity) string {
	child, fifo := true, true
	for _, w := range waiters {
		child, fifo = child && w.ofChild(), fifo && w.fifo
	}
	switch {
	case fifo:
		return "Look whether the program that is to open the other end runs: opening a pipe waits for it without end."
	case child && severity == Info:
		return "Nothing tells whether somebody waits for it: a child process that is meant to run on looks the same."
	case child:
		return "Look at the child process: does it hang, or wait for input, or for somebody to read its output? Wait for it with a timeout."
	case severity == Info:
		return "Nothing tells whether somebody waits for it: a reader whose peer is silent looks the same."
	}
	return "Look at the other end, and give the call a timeout."
}
