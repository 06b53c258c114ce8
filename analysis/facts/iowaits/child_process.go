package iowaits

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// children is what the processes that the JVM started do over the capture.
type children struct {
	// work: some made progress. pause: some sleep for a time that they set. rest: neither, so that all wait.
	work, pause, rest bool
	// WantReading: children wait for the JVM to read what they write. wantInput: they wait for something to read.
	// allWantReading and allWantInput: each of them does, except those that wait for children of their own.
	WantReading, wantInput, allWantReading, allWantInput bool
}

// ofChild tells a wait that a child process of this one ends.
func (w Waiter) ofChild() bool { return w.Op == stack.OpProcess || w.ChildPipe }

// waitsForIdleChild reports that a thread waits for child processes that make no progress and need something of this
// JVM. It is one of:
//   - the thread waits for the child to end, and another thread joins it;
//   - it reads output, all children wait for their output to be read from other pipes, and no other thread reads these;
//   - it reads output, all children wait for input, no other thread may have input for them, and the thread is in the
//     middle of work that another thread joins or of a Callable. A thread that only copies output looks the same else.
func waitsForIdleChild(f *timeline.Timeline, w *Waiter) bool {
	if w.Op == stack.OpProcess {
		return w.Joined && w.Children.rest
	}
	s := w.H.Last()
	if s.Stack.Op.Kind == stack.OpRead && w.ChildPipe && w.Children.allWantReading {
		return !othersRead(f, w.H)
	}
	if !ChildWantsInput(f, s) || mayHaveInput(f) {
		return false
	}
	own := s.Stack.Program()
	return w.Joined && !IsReaderLoop(s.Stack) || stack.IsTask(s.Stack) && len(own) > 1 &&
		own[len(own)-1].Method == "call"
}

// mayHaveInput reports that a thread of the program waits for input, requests, work or its time, and
// may then have something for a child process.
func mayHaveInput(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		if !h.Thread.Program() || inChildPipe(s) {
			return false
		}
		switch s.Stack.Op.Kind {
		case stack.OpRead, stack.OpTake, stack.OpSelect, stack.OpAccept:
			return true
		}
		return false
	})
}

// Children sums up, over the capture, what the child processes do; the zero value if they are unknown.
func Children(f *timeline.Timeline) children {
	first, last, ok := f.Machines()
	if !ok || last.Children.Count == 0 {
		return children{}
	}
	work := progressed(first.Children, last.Children) || readFromChildren(f)
	pause := first.Children.Pausing > 0 || last.Children.Pausing > 0
	rest := !work && !pause
	c := children{work: work, pause: pause, rest: rest, allWantReading: rest, allWantInput: rest, WantReading: rest,
		wantInput: rest}
	for _, m := range []*timeline.Machine{first, last} {
		all := m.Children.Count - m.Children.Waiting
		c.WantReading = c.WantReading && m.Children.Writing > 0
		c.wantInput = c.wantInput && m.Children.Reading > 0
		c.allWantReading = c.allWantReading && c.WantReading && m.Children.Writing == all
		c.allWantInput = c.allWantInput && c.wantInput && m.Children.Reading == all
	}
	return c
}

// progressed reports that children used CPU meanwhile, were given what they wait for by the JVM, or
// started one of their own: what a script runs is often over before it has used a tick of CPU.
func progressed(first, last timeline.Children) bool {
	return last.CPU > first.CPU || receivedInput(first, last) || first.Count > 0 && last.Started > first.Started
}

// readFromChildren reports that a thread which reads what a child process writes ran meanwhile:
// there was something to read.
func readFromChildren(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		before := h.Samples[:len(h.Samples)-1]
		return h.CPU.Value > 0 && slices.ContainsFunc(before,
			func(s *timeline.Sample) bool { return s.Stack.Op.Kind == stack.OpRead && inChildPipe(s) })
	})
}

// receivedInput reports that children which wait for the JVM got something meanwhile: as many wait as
// before, so that they are the same.
func receivedInput(first, last timeline.Children) bool {
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
		if !h.Thread.Program() || inChildPipe(s) {
			return false
		}
		sleeps := s.Stack.Op.Kind == stack.OpSleep && !locks.PausesInMain(s.Stack) &&
			slices.ContainsFunc(s.Stack.Program(), func(frame *threaddump.Frame) bool { return classes[frame.Class] })
		return sleeps || slices.ContainsFunc(h.Samples, inChildPipe)
	})
}

// NoInputAdvice is what to do about a child process that waits for input.
const NoInputAdvice = "If the child is to get no input, close it: process.getOutputStream().close()."

// ChildWantsInput tells a thread that reads what a child process writes, while that waits for
// input: neither gets on.
func ChildWantsInput(f *timeline.Timeline, s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpRead && inChildPipe(s) && Children(f).allWantInput
}

// wantMain reports a main thread that looks idle, and waits for a child process which wants
// something of the JVM.
func (c children) wantMain(s *timeline.Sample) bool {
	return c.words() != "" && s.Stack.Op.Kind == stack.OpProcess && s.Resting() != nil && s.Resting().What == "main"
}

// wants words what the child processes that some threads wait for want of the JVM.
func (c children) words() string {
	switch {
	case c.WantReading:
		return ", which waits for its output to be read"
	case c.wantInput:
		return ", which waits for input"
	}
	return ""
}
