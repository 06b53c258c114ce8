package loops

import (
	"slices"
	"strings"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// listeners are the threads in a listener that wait in a receive, without a time limit.
func listeners(f *timeline.Timeline) []Loop {
	var found []Loop
	for _, h := range f.Alive() {
		if s := h.Last(); s.Stack.Receives && s.Waits() && !s.Timed() && !s.Wait.ForLock() {
			found = append(found, Loop{History: h, Kind: stack.RootEvents,
				Serves: "delivers the messages of its session"})
		}
	}
	return found
}

// loaders are the threads that a library's cache has fill what others want of it, other
// than those in I/O or behind a lock, which are told of as such.
func loaders(f *iowaits.Waits) []Loop {
	if len(f.Awaiting().LibraryResults) < 2 {
		return nil
	}
	var found []Loop
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Wait == stack.Running || s.Wait.ForLock() || s.Wait == stack.WaitIO ||
			len(f.LoadsFor(h)) < 2 {
			continue
		}
		found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "loads what others wait for",
			Only: true})
	}
	return found
}

// selectors are the methods of the application that threads are in which wait at a
// selector, those of the class that asks the selector, with the frames in which these
// threads are there.
type selectors map[string][]*threaddump.Frame

func selecting(f *timeline.Timeline) selectors {
	singles := selectors{}
	for _, h := range f.Alive() {
		s := h.Last().Stack
		if s.Op.Kind != stack.OpSelect || s.Op.Caller == nil || s.Op.Caller != s.Application {
			continue
		}
		for _, frame := range s.Frames {
			if frame.Class == s.Op.Caller.Class && frame.Method != "main" {
				singles[frame.Name()] = append(singles[frame.Name()], frame)
			}
		}
	}
	return singles
}

// have reports that a thread which does not select is in one of the methods, on another
// line than those that do: many are started by way of one line.
func (l selectors) have(s *stack.Stack) bool {
	return len(l) > 0 && s.Op.Kind != stack.OpSelect && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		at := l[f.Name()]
		return len(at) > 0 && !slices.ContainsFunc(at, func(selects *threaddump.Frame) bool {
			return f.Line > 0 && selects.Text == f.Text
		})
	})
}

// selectsBelow tells a stack where the selector itself calls the application. A client
// of the JDK that reads by way of a selector has it on top.
func selectsBelow(s *stack.Stack) bool {
	at := slices.Index(s.Frames, s.Op.Caller)
	return s.Op.Kind != stack.OpSelect && at >= 0 && slices.ContainsFunc(s.Frames[at:], func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "sun.nio.ch.SelectorImpl")
	})
}
