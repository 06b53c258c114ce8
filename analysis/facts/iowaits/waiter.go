package iowaits

import (
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// children is how the processes which the JVM has started get on. Those that work may be
// meant to take their time, and so may those that sleep for a time of their own; all others
// rest. Some of these want something of the JVM itself.
type children struct {
	work, pause, rest bool
	// unread wait for the JVM to read what they write, unfed for something to read;
	// allUnread and allUnfed tell that each of them does, but for those that wait for
	// children of their own.
	Unread, unfed, allUnread, allUnfed bool
}

// ioSide is what is known of the far end of a call.
type ioSide uint8

const (
	sideUnknown ioSide = iota
	// sideAnswer: the thread asked, and waits for the answer or for room to write.
	sideAnswer
	// SideRequest: it waits for what others may send or not.
	SideRequest
)

// Waiter is a thread that stands in an I/O call.
type Waiter struct {
	H    *timeline.History
	Op   stack.OpKind
	Side ioSide
	// from is the other end, "10.0.0.5:5432", or a named pipe, empty if unknown.
	from string
	// printed tells that it writes to the JVM's own standard output or error output.
	printed bool
	// device tells that it stood in the kernel uninterruptibly, as for a disk, fifo that
	// it opens a named pipe of which nobody has opened the other end.
	device, fifo bool
	// awaited tells that somebody waits for the result of what it does, joined that
	// somebody waits for such a thread to end.
	Awaited, Joined bool
	// urgent tells that somebody other than main, which may have nothing else to do, waits
	// for the result.
	urgent bool
	// childPipe tells that it reads from or writes to a child process, children how those of
	// the process are known to do.
	ChildPipe bool
	Children  children
	// starved tells that it wants something of a child process which does nothing.
	starved bool
	// outlives tells that it reads from a child process that has ended, and handed the pipe on.
	Outlives bool
	// own tells a connection to the very process that waits.
	own bool
	// ends tells a read with a time limit, unheard see facts.unheard.
	Ends, unheard bool
}
