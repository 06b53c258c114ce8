package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// fromChild and toChild end the names of the classes by which the parent reads what a child
// process writes, and writes what it reads; whoever does holds the monitor.
const fromChild, toChild = "ProcessPipeInputStream", "ProcessPipeOutputStream"

// inPipeOfChild tells a thread in a read of a child process's output, or in a write of its
// input.
func (s *Sample) inPipeOfChild() bool {
	pipe := map[opKind]string{opRead: fromChild, opWrite: toChild}[s.Stack.op.kind]
	return pipe != "" && slices.ContainsFunc(s.locks, func(l lock) bool { return strings.HasSuffix(l.class, pipe) })
}

// ofChild tells a wait that a child process of this one ends.
func (w ioWaiter) ofChild() bool { return w.op == opProcess || w.childPipe }

// wantsChild tells a wait for a child process that does nothing, in a thread whose end somebody
// waits for; or for the output of children that all wait for input, in the midst of work that
// is so awaited or a Callable's, if nobody else has input for them. Who only passes on what a
// child writes looks alike else. Children that all wait to be read write into other pipes than
// the one that is read in vain, and nobody else may read these.
func (f *timeline) wantsChild(w *ioWaiter) bool {
	if w.op == opProcess {
		return w.joined && w.children.rest
	}
	s := w.h.last()
	if s.Stack.op.kind == opRead && w.childPipe && w.children.allUnread {
		return !f.othersRead(w.h)
	}
	if !f.mustFeed(s) || f.mayFeed() {
		return false
	}
	own := s.Stack.program()
	return w.joined && !isReaderLoop(s.Stack) || isTask(s.Stack) && len(own) > 1 && own[len(own)-1].Method == "call"
}

// mayFeed reports that a thread of the program waits for input, requests, work or its time, and
// may then have something for a child process.
func (f *timeline) mayFeed() bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		if !h.thread.program() || s.inPipeOfChild() {
			return false
		}
		switch s.Stack.op.kind {
		case opRead, opTake, opSelect, opAccept:
			return true
		}
		return false
	})
}

// children is how the processes which the JVM has started get on. Those that work may be
// meant to take their time, and so may those that sleep for a time of their own; all others
// rest. Some of these want something of the JVM itself.
type children struct {
	work, pause, rest bool
	// unread wait for the JVM to read what they write, unfed for something to read;
	// allUnread and allUnfed tell that each of them does, but for those that wait for
	// children of their own.
	unread, unfed, allUnread, allUnfed bool
}

func (f *timeline) children() children {
	first, last, ok := f.machines()
	if !ok || last.Children.Count == 0 {
		return children{}
	}
	work := gotOn(first.Children, last.Children) || f.heardOfChildren()
	pause := first.Children.Pausing > 0 || last.Children.Pausing > 0
	rest := !work && !pause
	c := children{work: work, pause: pause, rest: rest, allUnread: rest, allUnfed: rest, unread: rest, unfed: rest}
	for _, m := range []*Machine{first, last} {
		all := m.Children.Count - m.Children.Waiting
		c.unread = c.unread && m.Children.Writing > 0
		c.unfed = c.unfed && m.Children.Reading > 0
		c.allUnread = c.allUnread && c.unread && m.Children.Writing == all
		c.allUnfed = c.allUnfed && c.unfed && m.Children.Reading == all
	}
	return c
}

// gotOn reports that children used CPU meanwhile, were given what they wait for by the JVM, or
// started one of their own: what a script runs is often over before it has used a tick of CPU.
func gotOn(first, last Children) bool {
	return last.CPU > first.CPU || gotSome(first, last) || first.Count > 0 && last.Started > first.Started
}

// heardOfChildren reports that a thread which reads what a child process writes ran meanwhile:
// there was something to read.
func (f *timeline) heardOfChildren() bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		before := h.samples[:len(h.samples)-1]
		return h.cpu.Value > 0 && slices.ContainsFunc(before, func(s *Sample) bool { return s.Stack.op.kind == opRead && s.inPipeOfChild() })
	})
}

// gotSome reports that children which wait for the JVM got something meanwhile: as many wait as
// before, so that they are the same.
func gotSome(first, last Children) bool {
	same := first.Count == last.Count && first.Reading == last.Reading && first.Writing == last.Writing
	return same && first.Turns > 0 && last.Turns > first.Turns
}

// othersRead reports that a thread of the program may read what the child processes write,
// beside those that wait for it: it was seen to before, or sleeps in a class of the reader's,
// and not only to keep the program alive.
func (f *timeline) othersRead(reader *history) bool {
	classes := map[string]bool{}
	for _, frame := range reader.last().Stack.program() {
		classes[frame.Class] = true
	}
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		if !h.thread.program() || s.inPipeOfChild() {
			return false
		}
		sleeps := s.Stack.op.kind == opSleep && !pausesInMain(s.Stack) && slices.ContainsFunc(s.Stack.program(), func(frame *threaddump.Frame) bool { return classes[frame.Class] })
		return sleeps || slices.ContainsFunc(h.samples, (*Sample).inPipeOfChild)
	})
}

const unfedAdvice = "If the child is to get no input, close it: process.getOutputStream().close()."

// mustFeed tells a thread that reads what a child process writes, while that waits for
// input: neither gets on.
func (f *timeline) mustFeed(s *Sample) bool {
	return s.Stack.op.kind == opRead && s.inPipeOfChild() && f.children().allUnfed
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
