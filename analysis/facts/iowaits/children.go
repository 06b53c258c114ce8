package iowaits

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// children sums up what the child processes of the JVM do over the capture.
type children struct {
	// seen is true if there are any children, and the kernel shows what they do.
	seen bool
	// work: a child used CPU, was woken, started a process, or sleeps until a time that it set.
	work bool
	// WantReading: none works, and all wait for the JVM to read what they write. wantInput: some wait for input.
	WantReading, wantInput bool
	// only is "ffmpeg (pid 4711)" if both ends of the capture show that one process alone, and empty otherwise.
	only string
}

// Children sums up what the child processes do over the capture; the zero value if they are unknown.
func Children(f *timeline.Timeline) children {
	first, last, ok := f.Machines()
	if !ok || last.Children.Count == 0 {
		return children{}
	}
	a, b := first.Children, last.Children
	work := b.CPU > a.CPU || b.Turns > a.Turns || a.Count > 0 && b.Started > a.Started || a.Pausing+b.Pausing > 0
	only := ""
	if a.Only == b.Only {
		only = b.Only
	}
	return children{
		only: only, seen: true, work: work, WantReading: !work && allWantReading(a) && allWantReading(b),
		wantInput: !work && a.Reading > 0 && b.Reading > 0,
	}
}

// allWantReading reports whether each child, other than those that wait for their own children, writes to a full pipe.
func allWantReading(c timeline.Children) bool { return c.Writing > 0 && c.Writing == c.Count-c.Waiting }

// name is what a sentence calls the child process.
func (c children) name() string {
	if c.only == "" {
		return "a child process"
	}
	return "the child process " + c.only
}

// words returns what a child process waits for, to follow its name.
func (c children) words() string {
	switch {
	case c.WantReading:
		return ", which waits for its output to be read"
	case c.wantInput:
		return ", which waits for input"
	}
	return ""
}

// FromChild and toChild end the names of the streams from and to a child process. A thread in one holds its monitor.
const FromChild, toChild = "ProcessPipeInputStream", "ProcessPipeOutputStream"

// inChildPipe reports whether a thread reads the output of a child process or writes to its input.
func inChildPipe(s *timeline.Sample) bool {
	pipe := map[stack.OpKind]string{stack.OpRead: FromChild, stack.OpWrite: toChild}[s.Stack.Op.Kind]
	if pipe == FromChild && slices.ContainsFunc(jdkCall(s), isChildStream) {
		return true
	}
	return pipe != "" && slices.ContainsFunc(s.Locks,
		func(l timeline.Lock) bool { return strings.HasSuffix(l.Class, pipe) })
}

// isChildStream recognises the stream of a child process's output in the frames: from JDK 22 on it has a class.
func isChildStream(f *threaddump.Frame) bool { return f.Class == "java.lang.Process$PipeInputStream" }

// readsStdin reports a read of the standard input by the frames: from JDK 22 on System.in has a class.
func readsStdin(s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpRead && slices.ContainsFunc(jdkCall(s),
		func(f *threaddump.Frame) bool { return f.Class == "java.lang.System$In" })
}

// jdkCall are the innermost frames up to the first that is not of the JDK.
func jdkCall(s *timeline.Sample) []*threaddump.Frame {
	i := slices.IndexFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !stack.IsJDK(f) })
	if i < 0 {
		return s.Stack.Frames
	}
	return s.Stack.Frames[:i]
}

// ofChild reports a wait that a child process ends.
func (w Waiter) ofChild() bool { return w.Op == stack.OpProcess || w.ChildPipe }

// awaitsChild reports that a thread waits over the whole capture, without a time limit, for a child process to end.
func awaitsChild(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		return h.Last().Stack.Op.Kind == stack.OpProcess && !h.Last().Timed() &&
			f.Unchanged(h).Dumps == len(f.Snaps)
	})
}
