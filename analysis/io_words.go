package analysis

import (
	"fmt"
	"slices"
)

func (f *poolFacts) ioTitle(waiters []ioWaiter, behind int) string {
	text := f.ioWho(waiters) + " " + ioWhat(waiters)
	if wall := f.wall(); wall.Known {
		text += ", the same for " + seconds(wall.Value)
	}
	if behind > 0 {
		text += ", while " + Counted(behind, "thread") + verb(behind, " waits", " wait") + " for " + verb(len(waiters), "it", "them")
	}
	return text
}

// ioWho words the threads, as workers if they are those of one executor.
func (f *poolFacts) ioWho(waiters []ioWaiter) string {
	if len(waiters) == 1 {
		return waiters[0].h.thread.called() + " waits"
	}
	p := f.poolOf(waiters[0].h)
	if p != nil && slices.ContainsFunc(waiters, func(w ioWaiter) bool { return !p.has(w.h) }) {
		p = nil
	}
	if p == nil {
		return fmt.Sprintf("%s threads wait", Thousands(len(waiters)))
	}
	who := fmt.Sprintf("%d of the %d workers", len(waiters), len(p.workers))
	if len(waiters) == len(p.workers) {
		who = allOf(len(waiters), "worker")
	}
	return who + " of " + executorNamed(p.pattern) + " wait"
}

// ioWhat words what all of some threads wait for.
func ioWhat(waiters []ioWaiter) string {
	what := waiters[0].words()
	for _, w := range waiters[1:] {
		if w.words() != what {
			return "for I/O"
		}
	}
	return what
}

// toDo words what a thread waits for in a call.
func toDo(kind opKind) string {
	switch kind {
	case opRead:
		return "to read"
	case opWrite:
		return "to write"
	case opConnect:
		return "to connect"
	case opFileLock:
		return "for a file lock"
	case opProcess:
		return "for a child process to end"
	case opOpen:
		return "to open a file"
	case opAccept:
		return "for somebody to connect"
	}
	return "for I/O"
}

func (w ioWaiter) words() string {
	to := toDo(w.op)
	if call := w.h.last().libraryCall(); call != "" {
		return "for the answer to " + call
	}
	if w.fifo {
		return "to open a named pipe (FIFO) whose other end nobody opens"
	}
	if w.op == opProcess {
		return to + w.children.wants()
	}
	if w.childPipe && w.op == opWrite {
		return to + " to a child process's pipe"
	}
	if w.outlives {
		return to + " from the pipe of a child process that has ended"
	}
	if w.childPipe {
		to += " from a child process's pipe"
		if w.children.allUnfed {
			to += ", and the child for input"
		}
		return to
	}
	if w.printed {
		return to + " to the JVM's standard output"
	}
	if w.from != "" && w.op == opRead {
		return to + " from " + w.from
	}
	if w.from != "" {
		return to + " to " + w.from
	}
	return to
}

// ioAdvice is what to do about threads that stand in I/O, with so many behind them, hints
// of a stall or more.
func ioAdvice(waiters []ioWaiter, behind int, severity Severity) string {
	child, feeds, fifo, lock, printed, own, outlives := true, true, true, true, true, true, true
	for _, w := range waiters {
		child, fifo, lock = child && w.ofChild(), fifo && w.fifo, lock && w.op == opFileLock
		own, outlives = own && w.own, outlives && w.outlives
		feeds, printed = feeds && w.childPipe && w.op == opWrite, printed && w.printed
	}
	switch {
	case outlives:
		return outlivesAdvice
	case feeds:
		return "Read what the child writes while you write to it, in a thread of its own, or redirect it to a file: when its output is full, it reads no more."
	case printed:
		return "Nobody reads what this JVM prints: find who should (the other end of the pipe, the container's log driver, a terminal that was stopped), or have it written to a file."
	case child && waiters[0].children.unread:
		return "Read the child's output and errors while it runs (redirectErrorStream makes one of them), or redirect them: its pipe is full."
	case child && waiters[0].children.unfed:
		return unfedAdvice + " A helper that waits for its next command looks the same."
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
	if own {
		return "The other end is in this JVM: look which of its threads should answer, and give the call a timeout."
	}
	return "Look at the other end, and give the call a timeout."
}
