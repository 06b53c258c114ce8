package iowaits

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
)

// IOWho words the threads, as workers if they are those of one executor.
func IOWho(f *pools.Pools, waiters []Waiter) string {
	if len(waiters) == 1 {
		return waiters[0].H.Thread.Called() + " waits"
	}
	p := f.PoolOf(waiters[0].H)
	if p != nil && slices.ContainsFunc(waiters, func(w Waiter) bool { return !p.Has(w.H) }) {
		p = nil
	}
	if p == nil {
		return fmt.Sprintf("%s threads wait", finding.Thousands(len(waiters)))
	}
	who := fmt.Sprintf("%d of the %d workers", len(waiters), len(p.Workers))
	if len(waiters) == len(p.Workers) {
		who = finding.AllOf(len(waiters), "worker")
	}
	return who + " of " + finding.ExecutorNamed(p.Pattern) + " wait"
}

// IOWhat words what all of some threads wait for.
func IOWhat(waiters []Waiter) string {
	what := waiters[0].Words()
	for _, w := range waiters[1:] {
		if w.Words() != what {
			return "for I/O"
		}
	}
	return what
}

// ToDo words what a thread waits for in a call.
func ToDo(kind stack.OpKind) string {
	switch kind {
	case stack.OpRead:
		return "to read"
	case stack.OpWrite:
		return "to write"
	case stack.OpConnect:
		return "to connect"
	case stack.OpFileLock:
		return "for a file lock"
	case stack.OpProcess:
		return "for a child process to end"
	case stack.OpOpen:
		return "to open a file"
	case stack.OpAccept:
		return "for somebody to connect"
	}
	return "for I/O"
}

func (w Waiter) Words() string {
	to := ToDo(w.Op)
	if call := w.H.Last().LibraryCall(); call != "" {
		return "for the answer to " + call
	}
	if w.fifo {
		return "to open a named pipe (FIFO) whose other end nobody opens"
	}
	if w.Op == stack.OpProcess {
		return to + w.Children.wants()
	}
	if w.ChildPipe && w.Op == stack.OpWrite {
		return to + " to a child process's pipe"
	}
	if w.Outlives {
		return to + " from the pipe of a child process that has ended"
	}
	if w.ChildPipe {
		to += " from a child process's pipe"
		if w.Children.allUnfed {
			to += ", and the child for input"
		}
		return to
	}
	if w.printed {
		return to + " to the JVM's standard output"
	}
	if w.from != "" && w.Op == stack.OpRead {
		return to + " from " + w.from
	}
	if w.from != "" {
		return to + " to " + w.from
	}
	return to
}

// IOAdvice is what to do about threads that stand in I/O, with so many behind them, hints
// of a stall or more.
func IOAdvice(waiters []Waiter, behind int, severity finding.Severity) string {
	child, feeds, fifo, lock, printed, own, outlives := true, true, true, true, true, true, true
	for _, w := range waiters {
		child, fifo, lock = child && w.ofChild(), fifo && w.fifo, lock && w.Op == stack.OpFileLock
		own, outlives = own && w.own, outlives && w.Outlives
		feeds, printed = feeds && w.ChildPipe && w.Op == stack.OpWrite, printed && w.printed
	}
	switch {
	case outlives:
		return OutlivesAdvice
	case feeds:
		return "Read what the child writes while you write to it, in a thread of its own, or redirect it to a file: when its output is full, it reads no more."
	case printed:
		return "Nobody reads what this JVM prints: find who should (the other end of the pipe, the container's log driver, a terminal that was stopped), or have it written to a file."
	case child && waiters[0].Children.Unread:
		return "Read the child's output and errors while it runs (redirectErrorStream makes one of them), or redirect them: its pipe is full."
	case child && waiters[0].Children.unfed:
		return UnfedAdvice + " A helper that waits for its next command looks the same."
	case fifo:
		return "Look whether the program that is to open the other end runs: opening a pipe waits for it without end."
	case lock:
		return "Another process has the lock: lslocks tells which (in /proc/locks the line above the one with ->). tryLock asks without waiting."
	case waiters[0].onNamedPipe():
		return "Look who has the other end open (lsof shows it), and what that process waits for; if it is this JVM alone, nothing will come."
	case behind > 0 && severity == finding.Info:
		return "Who waits for it may be meant to: one that looks after a reader whose peer is silent, or a child process that runs on, looks the same."
	case child && severity == finding.Info:
		return "Nothing tells whether somebody waits for it: a child process that is meant to run on looks the same."
	case child:
		return "Look at the child process: does it hang, or wait for input, or for somebody to read its output? Wait for it with a timeout."
	case severity == finding.Info:
		return "Nothing tells whether somebody waits for it: a reader whose peer is silent looks the same."
	}
	if own {
		return "The other end is in this JVM: look which of its threads should answer, and give the call a timeout."
	}
	return "Look at the other end, and give the call a timeout."
}
