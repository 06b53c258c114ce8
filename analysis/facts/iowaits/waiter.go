package iowaits

import (
	"cmp"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
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
	// device: every dump found it in the kernel's uninterruptible sleep, as for a disk. fifo: it opens a named pipe
	// whose other end no process has open.
	device, fifo bool
	// Awaited: another thread waits for the result of what it does. Joined: another thread waits for it to end.
	Awaited, Joined bool
	// urgent: a thread other than main waits for the result. Main may have nothing else to do.
	urgent bool
	// ChildPipe: it reads from or writes to a child process. Children is what the child processes do.
	ChildPipe bool
	Children  children
	// starved tells that it wants something of a child process which does nothing.
	childIdle bool
	// OrphanedPipe reports a read from a child process that has ended, whose pipe another process keeps open.
	OrphanedPipe bool
	// own tells a connection to the very process that waits.
	own bool
	// Ends tells a read with a time limit, unaccepted a read from a connection that this
	// JVM has not accepted; see isUnaccepted.
	Ends, unaccepted bool
}

// Stuck reports that the wait is one that should have ended.
func (w Waiter) Stuck() bool {
	switch w.Op {
	case stack.OpWrite, stack.OpConnect, stack.OpFileLock:
		return true
	}
	switch {
	case w.names() || w.device || w.fifo:
		return true
	case w.Op == stack.OpProcess && w.Children.WantReading:
		return true
	case w.Ends, w.ofChild() && (w.Children.work || w.Children.pause && !w.urgent):
		return false
	}
	return w.unaccepted || w.childIdle || w.Side == sideAnswer || w.Awaited && w.Side != SideRequest
}

// names tells a thread that asks for the address or the records of a host.
func (w Waiter) names() bool {
	frames := w.H.Last().Stack.Frames
	if strings.HasPrefix(frames[0].Class, "java.net.Inet") && frames[0].Native {
		return true
	}
	return w.H.Last().Stack.IsInside(stack.DNSClient, "")
}

// DescribeFile fills in what is known of the file that the thread waits for.
func (w *Waiter) DescribeFile(f *Waits) {
	task := f.task(w.H)
	w.from, w.printed = cmp.Or(NamedPipe(task), task.Peer), task.File == "stdout"
	if w.own = task.ConnectsToSelf(); w.own && w.from != "" {
		w.from += ", a port of this JVM itself"
	}
	w.fifo = w.Op == stack.OpOpen && task.WaitChannel == fifoOpen
	w.ChildPipe = inChildPipe(w.H.Last())
	w.OrphanedPipe = w.ChildPipe && w.Op == stack.OpRead && isOrphanedPipe(f.Timeline, w.H)
}

// fifoOpen is the function of the kernel in which the opener of a named pipe waits for
// one of the other end.
const fifoOpen = "wait_for_partner"

// alwaysOnDevice reports that every dump found the thread in the kernel's
// uninterruptible sleep.
func alwaysOnDevice(f *timeline.Timeline, h *timeline.History) bool {
	for _, s := range f.Snaps {
		if s.Tasks[h.Thread.NativeID].State != "D" {
			return false
		}
	}
	return true
}

// NamedPipe words the FIFO that a thread waits for, empty for any other file.
func NamedPipe(t timeline.Task) string {
	switch {
	case t.File != "named-pipe":
		return ""
	case t.Peer == "":
		return "a named pipe"
	}
	return "the named pipe " + t.Peer
}

func (w Waiter) onNamedPipe() bool { return strings.Contains(w.from, "named pipe") }

// oldRead reads from sockets of JDK 8 to 12: with a limit it waits in poll, without one
// in recv, of which the kernel tells.
const oldRead = "java.net.SocketInputStream.socketRead0"

// ReadEnds tells a thread of the last dump in a read that has a time limit.
func ReadEnds(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	if s.Stack.Op.Kind != stack.OpRead {
		return false
	}
	frames := s.Stack.Frames
	if frames[0].Name() == oldRead {
		return strings.Contains(f.Last().Tasks[h.Thread.NativeID].WaitChannel, "poll")
	}
	return s.Stack.HasTimedRead()
}
