package iowaits

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
)

// WaitersWords words the threads, as workers if they are those of one executor.
func WaitersWords(f *pools.Pools, waiters []Waiter) string {
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
		who = finding.AllWords(len(waiters), "worker")
	}
	return who + " of " + finding.ExecutorNamed(p.Pattern) + " wait"
}

// WaitsWords words what all of some threads wait for.
func WaitsWords(waiters []Waiter) string {
	what := waiters[0].Words()
	for _, w := range waiters[1:] {
		if w.Words() != what {
			return "for I/O"
		}
	}
	return what
}

// OperationWords words what a thread waits for in a call.
func OperationWords(kind stack.OpKind) string {
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

// Words complete "THREAD waits ...".
func (w Waiter) Words() string {
	to := OperationWords(w.Op)
	if call := w.H.Last().LibraryCall(); call != "" {
		return "for the answer to " + call
	}
	if w.fifo {
		return "to open a named pipe (FIFO) whose other end nobody opens"
	}
	if w.Op == stack.OpProcess {
		return to + w.Children.words()
	}
	if w.ChildPipe && w.Op == stack.OpWrite {
		return to + " to a child process's pipe"
	}
	if w.OrphanedPipe {
		return to + " from the pipe of a child process that has ended"
	}
	if w.ChildPipe {
		to += " from a child process's pipe"
		if w.Children.allWantInput {
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
	all := func(is func(Waiter) bool) bool {
		return !slices.ContainsFunc(waiters, func(w Waiter) bool { return !is(w) })
	}
	if advice := causeAdvice(waiters[0], all); advice != "" {
		return advice
	}
	child := all(Waiter.ofChild)
	switch {
	case behind > 0 && severity == finding.Info:
		return "Who waits for it may be meant to: one that looks after a reader whose peer is silent, or a child " +
			"process that runs on, looks the same."
	case child && severity == finding.Info:
		return "Nothing tells whether somebody waits for it: a child process that is meant to run on looks the same."
	case child:
		return "Look at the child process: does it hang, or wait for input, or for somebody to read its output? " +
			"Wait for it with a timeout."
	case severity == finding.Info:
		return "Nothing tells whether somebody waits for it: a reader whose peer is silent looks the same."
	}
	if all(func(w Waiter) bool { return w.own }) {
		return "The other end is in this JVM: look which of its threads should answer, and give the call a timeout."
	}
	return "Look at the other end, and give the call a timeout."
}

// causeAdvice is what to do about threads in I/O that all wait for the same cause; empty if that is unknown. all tells
// whether something holds for each of them.
func causeAdvice(first Waiter, all func(is func(Waiter) bool) bool) string {
	writesToChild := func(w Waiter) bool { return w.ChildPipe && w.Op == stack.OpWrite }
	switch {
	case all(func(w Waiter) bool { return w.OrphanedPipe }):
		return OrphanedPipeAdvice
	case all(writesToChild):
		return "Read what the child writes while you write to it, in a thread of its own, or redirect it to a " +
			"file: when its output is full, it reads no more."
	case all(func(w Waiter) bool { return w.printed }):
		return "Nobody reads what this JVM prints: find who should (the other end of the pipe, the container's " +
			"log driver, a terminal that was stopped), or have it written to a file."
	case all(Waiter.ofChild) && first.Children.WantReading:
		return "Read the child's output and errors while it runs (redirectErrorStream makes one of them), or " +
			"redirect them: its pipe is full."
	case all(Waiter.ofChild) && first.Children.wantInput:
		return NoInputAdvice + " A helper that waits for its next command looks the same."
	case all(func(w Waiter) bool { return w.fifo }):
		return "Look whether the program that is to open the other end runs: opening a pipe waits for it without end."
	case all(func(w Waiter) bool { return w.Op == stack.OpFileLock }):
		return "Another process has the lock: lslocks tells which (in /proc/locks the line above the one with " +
			"->). tryLock asks without waiting."
	case first.onNamedPipe():
		return "Look who has the other end open (lsof shows it), and what that process waits for; if it is this " +
			"JVM alone, nothing will come."
	}
	return ""
}
