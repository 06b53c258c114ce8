package iowaits

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
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

// ofChild tells a wait that a child process of this one ends.
func (w Waiter) ofChild() bool { return w.Op == stack.OpProcess || w.ChildPipe }

// wantsChild tells a wait for a child process that does nothing, in a thread whose end somebody
// waits for; or for the output of children that all wait for input, in the midst of work that
// is so awaited or a Callable's, if nobody else has input for them. Who only passes on what a
// child writes looks alike else. Children that all wait to be read write into other pipes than
// the one that is read in vain, and nobody else may read these.
func wantsChild(f *timeline.Timeline, w *Waiter) bool {
	if w.Op == stack.OpProcess {
		return w.Joined && w.Children.rest
	}
	s := w.H.Last()
	if s.Stack.Op.Kind == stack.OpRead && w.ChildPipe && w.Children.allUnread {
		return !othersRead(f, w.H)
	}
	if !MustFeed(f, s) || mayFeed(f) {
		return false
	}
	own := s.Stack.Program()
	return w.Joined && !IsReaderLoop(s.Stack) || stack.IsTask(s.Stack) && len(own) > 1 && own[len(own)-1].Method == "call"
}

// mayFeed reports that a thread of the program waits for input, requests, work or its time, and
// may then have something for a child process.
func mayFeed(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		if !h.Thread.Program() || inPipeOfChild(s) {
			return false
		}
		switch s.Stack.Op.Kind {
		case stack.OpRead, stack.OpTake, stack.OpSelect, stack.OpAccept:
			return true
		}
		return false
	})
}

func Children(f *timeline.Timeline) children {
	first, last, ok := f.Machines()
	if !ok || last.Children.Count == 0 {
		return children{}
	}
	work := gotOn(first.Children, last.Children) || heardOfChildren(f)
	pause := first.Children.Pausing > 0 || last.Children.Pausing > 0
	rest := !work && !pause
	c := children{work: work, pause: pause, rest: rest, allUnread: rest, allUnfed: rest, Unread: rest, unfed: rest}
	for _, m := range []*timeline.Machine{first, last} {
		all := m.Children.Count - m.Children.Waiting
		c.Unread = c.Unread && m.Children.Writing > 0
		c.unfed = c.unfed && m.Children.Reading > 0
		c.allUnread = c.allUnread && c.Unread && m.Children.Writing == all
		c.allUnfed = c.allUnfed && c.unfed && m.Children.Reading == all
	}
	return c
}

// gotOn reports that children used CPU meanwhile, were given what they wait for by the JVM, or
// started one of their own: what a script runs is often over before it has used a tick of CPU.
func gotOn(first, last timeline.Children) bool {
	return last.CPU > first.CPU || gotSome(first, last) || first.Count > 0 && last.Started > first.Started
}

// heardOfChildren reports that a thread which reads what a child process writes ran meanwhile:
// there was something to read.
func heardOfChildren(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		before := h.Samples[:len(h.Samples)-1]
		return h.CPU.Value > 0 && slices.ContainsFunc(before, func(s *timeline.Sample) bool { return s.Stack.Op.Kind == stack.OpRead && inPipeOfChild(s) })
	})
}

// gotSome reports that children which wait for the JVM got something meanwhile: as many wait as
// before, so that they are the same.
func gotSome(first, last timeline.Children) bool {
	same := first.Count == last.Count && first.Reading == last.Reading && first.Writing == last.Writing
	return same && first.Turns > 0 && last.Turns > first.Turns
}

// othersRead reports that a thread of the program may read what the child processes write,
// beside those that wait for it: it was seen to before, or sleeps in a class of the reader's,
// and not only to keep the program alive.
func othersRead(f *timeline.Timeline, reader *timeline.History) bool {
	classes := map[string]bool{}
	for _, frame := range reader.Last().Stack.Program() {
		classes[frame.Class] = true
	}
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		if !h.Thread.Program() || inPipeOfChild(s) {
			return false
		}
		sleeps := s.Stack.Op.Kind == stack.OpSleep && !locks.PausesInMain(s.Stack) && slices.ContainsFunc(s.Stack.Program(), func(frame *threaddump.Frame) bool { return classes[frame.Class] })
		return sleeps || slices.ContainsFunc(h.Samples, inPipeOfChild)
	})
}

const UnfedAdvice = "If the child is to get no input, close it: process.getOutputStream().close()."

// MustFeed tells a thread that reads what a child process writes, while that waits for
// input: neither gets on.
func MustFeed(f *timeline.Timeline, s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpRead && inPipeOfChild(s) && Children(f).allUnfed
}

// wantMain tells a main thread that looks idle, and waits for a child process which wants
// something of the JVM.
func (c children) wantMain(s *timeline.Sample) bool {
	return c.wants() != "" && s.Stack.Op.Kind == stack.OpProcess && s.Resting() != nil && s.Resting().What == "main"
}

// wants words what the child processes that some threads wait for want of the JVM.
func (c children) wants() string {
	switch {
	case c.Unread:
		return ", which waits for its output to be read"
	case c.unfed:
		return ", which waits for input"
	}
	return ""
}
