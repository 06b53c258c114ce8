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

// children is how the processes which the JVM has started get on. Those that used CPU
// over the look work, and may be meant to take their time, and so may those that sleep
// for a time of their own; all others rest. Some of these want something of the JVM
// itself.
type children struct {
	work, pause, rest bool
	// unread wait for the JVM to read what they write, unfed for something to read.
	unread, unfed bool
}

func (f *facts) children() children {
	first, last, ok := f.machines()
	if !ok || last.Children.Count == 0 {
		return children{}
	}
	work, pause := last.Children.CPU > first.Children.CPU, last.Children.Pausing > 0
	rest := !work && !pause
	return children{
		work: work, pause: pause, rest: rest,
		unread: rest && first.Children.Writing > 0 && last.Children.Writing > 0,
		unfed:  rest && first.Children.Reading > 0 && last.Children.Reading > 0,
	}
}

// wantMain tells a main thread that looks idle, and waits for a child process which wants
// something of the JVM.
func (c children) wantMain(s *Sample) bool {
	return c.wants() != "" && s.Stack.op.kind == opProcess && s.resting() != nil && s.resting().what == "main"
}

// wants words what the child processes that some threads wait for want of the JVM.
func (c children) wants() string {
	switch {
	case c.unread:
		return ", which waits for its output to be read"
	case c.unfed:
		return ", which waits for input"
	}
	return ""
}

// ioAdvice is what to do about threads that stand in I/O, with so many behind them, hints
// of a stall or more.
func ioAdvice(waiters []ioWaiter, behind int, severity Severity) string {
	child, fifo, lock := true, true, true
	for _, w := range waiters {
		child, fifo, lock = child && w.ofChild(), fifo && w.fifo, lock && w.op == opFileLock
	}
	switch {
	case child && waiters[0].children.unread:
		return "Read the child's output and errors while it runs (redirectErrorStream makes one of them), or redirect them: its pipe is full."
	case child && waiters[0].children.unfed:
		return "If the child is to get no input, close it: process.getOutputStream().close(). A helper that waits for its next command looks the same."
	case fifo:
		return "Look whether the program that is to open the other end runs: opening a pipe waits for it without end."
	case lock:
		return "Another process has the lock: lslocks tells which (in /proc/locks the line above the one with ->). tryLock asks without waiting."
	case waiters[0].onNamedPipe():
		return "Look who has the other end open (lsof shows it), and what that process waits for; if it is this JVM alone, nothing will come."
	case behind > 0 && severity == Info:
		return "Who waits for it may be meant to: one that looks after a reader whose peer is silent, or a child process that runs on, looks the same."
	case child && severity == Info:
		return "Nothing tells whether somebody waits for it: a child process that is meant to run on looks the same."
	case child:
		return "Look at the child process: does it hang, or wait for input, or for somebody to read its output? Wait for it with a timeout."
	case severity == Info:
		return "Nothing tells whether somebody waits for it: a reader whose peer is silent looks the same."
	}
	return "Look at the other end, and give the call a timeout."
}
