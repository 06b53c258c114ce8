package iowaits

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Waiter is a thread in an I/O call.
type Waiter struct {
	H    *timeline.History
	Op   stack.OpKind
	Side ioSide
	// from is the other end, "10.0.0.5:5432", empty if unknown.
	from string
	// printed reports whether it writes to the JVM's own standard output or error output.
	printed bool
	// device: every dump found it in the kernel's uninterruptible sleep, as for a disk.
	device bool
	// mayMove reports whether a virtual thread may have left this place and come back between the dumps.
	mayMove bool
	// Awaited: another thread waits for the result of what it does. Joined: another thread waits for it to end.
	Awaited, Joined bool
	// ChildPipe: it reads from or writes to a child process. Children is what the child processes do.
	ChildPipe bool
	Children  children
	// childAwaited: another thread waits for a child process to end.
	childAwaited bool
	// own reports whether the connection leads to the waiting process itself.
	own bool
	// Ends reports whether the read has a time limit.
	Ends bool
}

// Stuck reports whether the wait should have ended by now.
func (w Waiter) Stuck() bool {
	if w.mayMove {
		return false
	}
	switch w.Op {
	case stack.OpWrite, stack.OpConnect, stack.OpFileLock, stack.OpResolve:
		return true
	}
	switch {
	case w.device:
		return true
	case w.ofChild() && w.Op != stack.OpWrite && w.Children.WantReading:
		return true
	case w.Ends, w.ofChild() && w.Children.work:
		return false
	}
	return w.Side == sideAnswer || w.Awaited && w.Side != SideRequest
}

// ByDesign reports whether a thread waits for a child process to end or for its output, which may take as long as the
// child runs: the child is not known to be stuck, and no other thread waits for the result.
func (w Waiter) ByDesign() bool {
	if w.Awaited || w.Joined || w.device || w.Children.seen && !w.Children.work {
		return false
	}
	return w.Op == stack.OpProcess || w.Op == stack.OpRead && w.ChildPipe
}

// ReadsForItself reports whether a platform thread reads from a connection or a child process and its only method of
// the program or a library is a method run: it waits for the next message, and no other thread waits for it. The same
// holds for a thread that only reads the output of a child process while another thread waits for that process to end.
func (w Waiter) ReadsForItself() bool {
	if w.Op != stack.OpRead || w.Awaited || w.Joined || w.device || w.H.Thread.Virtual {
		return false
	}
	if w.ChildPipe && w.Children.seen && !w.Children.work {
		return false
	}
	return ReadsInRun(w.H.Last().Stack) || w.ChildPipe && w.childAwaited && IsReaderLoop(w.H.Last().Stack)
}

// ReadsInRun reports whether the only method of the program or a library on the stack is a method run, which reads.
func ReadsInRun(s *stack.Stack) bool {
	runs := 0
	for _, f := range s.Frames {
		if stack.IsJDK(f) {
			continue
		}
		if f.Method != "run" {
			return false
		}
		runs++
	}
	return runs == 1
}

// DescribeFile sets the fields that describe the file or connection that the thread waits for.
func (w *Waiter) DescribeFile(f *Waits) {
	task := f.task(w.H)
	w.from, w.printed, w.own = task.Peer, task.File == "stdout", task.ConnectsToSelf()
	if w.own && w.from != "" {
		w.from += ", a port of this JVM itself"
	}
	w.ChildPipe = inChildPipe(w.H.Last())
}

// alwaysOnDevice reports whether the thread was in the kernel's uninterruptible sleep in every dump.
func alwaysOnDevice(f *timeline.Timeline, h *timeline.History) bool {
	for _, s := range f.Snaps {
		if s.Tasks[h.Thread.NativeID].State != "D" {
			return false
		}
	}
	return true
}

// oldRead reads from sockets of JDK 8 to 12. With a time limit it waits in poll, without one in recv; the kernel's wait
// channel shows which.
const oldRead = "java.net.SocketInputStream.socketRead0"

// ReadEnds reports whether a thread of the last dump is in a read that has a time limit.
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
