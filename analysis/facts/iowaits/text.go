package iowaits

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
)

// WaitersWords describes the threads, as workers if they are those of one executor.
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

// WaitsWords describes what all of some threads wait for.
func WaitsWords(waiters []Waiter) string {
	what := waiters[0].Words()
	for _, w := range waiters[1:] {
		if w.Words() != what {
			return "for I/O"
		}
	}
	return what
}

// Words complete "THREAD waits ...".
func (w Waiter) Words() string {
	to := w.Op.IOWords()
	if call := w.H.Last().LibraryCall(); call != "" {
		return "for the answer to " + call
	}
	if w.Op == stack.OpProcess {
		return "for " + w.Children.name() + " to end" + w.Children.words()
	}
	if w.ChildPipe && w.Op == stack.OpWrite {
		return to + " to the pipe of " + w.Children.name()
	}
	if w.ChildPipe {
		return to + " from the pipe of " + w.Children.name()
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

// IOAdvice is what to do about threads in I/O with behind threads waiting for them, reported with severity.
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
		return "Ignore this if the wait is intended, as for a silent peer or a child process that runs on. " +
			"Otherwise set a timeout."
	case child && severity == finding.Info:
		return "Ignore this if the child process is meant to run on. Otherwise wait for it with a timeout."
	case child:
		return "Check the child process: it may hang, wait for input, or wait for a reader of its output. " +
			"Wait for it with a timeout."
	case severity == finding.Info:
		return "Ignore this if the peer may be silent: no thread is seen to depend on this wait. " +
			"Otherwise set a timeout."
	}
	if all(func(w Waiter) bool { return w.own }) {
		return "Check which thread of this JVM should answer: the peer is this JVM itself. Set a timeout on the call."
	}
	return "Check the other end, and set a timeout on the call."
}

// ResolveAdvice is for threads that wait for a name lookup.
const ResolveAdvice = "Check the name servers of the JVM's machine or container (/etc/resolv.conf): " +
	"getent hosts NAME shows how long a lookup takes. Lower timeout and attempts there."

// causeAdvice is what to do about threads in I/O that all wait for the same cause; empty if that is unknown. The
// function all reports whether a condition holds for each thread.
func causeAdvice(first Waiter, all func(is func(Waiter) bool) bool) string {
	writesToChild := func(w Waiter) bool { return w.ChildPipe && w.Op == stack.OpWrite }
	switch {
	case all(writesToChild):
		return "Read the output of the child in a second thread while you write to it, or redirect the output to a " +
			"file: a child whose output pipe is full stops reading."
	case all(func(w Waiter) bool { return w.printed }):
		return "Find what should read the standard output of this JVM (the other end of the pipe, " +
			"the log driver of the " +
			"container, a stopped terminal), or redirect the output to a file."
	case all(Waiter.ofChild) && first.Children.WantReading:
		return "Read the output and errors of the child while it runs (redirectErrorStream merges them), or " +
			"redirect them: its pipe is full."
	case all(Waiter.ofChild) && first.Children.wantInput:
		return "If the child is to get no input, close it: process.getOutputStream().close(). " +
			"Ignore this for a helper that waits for its next command."
	case all(func(w Waiter) bool { return w.Op == stack.OpResolve }):
		return ResolveAdvice
	case all(func(w Waiter) bool { return w.Op == stack.OpFileLock }):
		return "Find the process that holds the lock with lslocks (in /proc/locks: the line above the one with ->). " +
			"Use tryLock, which does not wait."
	}
	return ""
}
