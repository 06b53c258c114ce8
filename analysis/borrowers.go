package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// borrows reports that more than a class speaks for a thread to have one of the things that
// others wait for. Every program has threads that stand still and have nothing to do with
// them: a heartbeat, the reader of a quiet line.
//
// Rule: it is in a method of theirs, or runs tasks of the same executor, or is in the library
// that they ask.
func (f *facts) borrows(h *Sample, waiters []*Sample) bool {
	f.executors()
	return slices.ContainsFunc(waiters, func(w *Sample) bool {
		inMethod := func(fr *threaddump.Frame) bool { return isIn(fr, h.Stack) }
		return slices.ContainsFunc(w.Stack.begun(), inMethod) || f.colleagues(w, h) || w.Stack.sharesLibrary(h.Stack)
	})
}

// begun are the application's own frames without those that a thread was started with, which
// all threads of a program may have in common; the innermost at least.
func (s *Stack) begun() []*threaddump.Frame {
	own := s.program()
	if begun := inner(own); len(begun) > 0 {
		return begun
	}
	return own[:min(1, len(own))]
}

// colleagues tells workers of one executor.
func (f *facts) colleagues(a, b *Sample) bool {
	p := f.history(a).pool
	return p != nil && p == f.history(b).pool
}

// sharesLibrary reports that the library which asks on one stack is on the other too.
func (s *Stack) sharesLibrary(other *Stack) bool {
	if s.op.caller == nil || originOf(s.op.caller) != ofLibrary {
		return false
	}
	home := libraryOf(s.op.caller.Class)
	return slices.ContainsFunc(other.Frames, func(f *threaddump.Frame) bool {
		return originOf(f) == ofLibrary && libraryOf(f.Class) == home
	})
}

// libraryOf is the beginning that the packages of one library have in common, as
// "org.apache.commons".
func libraryOf(class string) string {
	const words = 3
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}

// tookBefore are the threads that by the class files have come back from the method in which all of
// some others wait, and not yet given anything back: a few at most.
func (f *facts) tookBefore(waiters []*Sample) []*Sample {
	const few = 16
	method := waiters[0].Stack.op.caller
	if f.bytecode == nil || method == nil || slices.ContainsFunc(waiters, func(s *Sample) bool { return s.Stack.op.caller == nil || s.Stack.op.caller.Name() != method.Name() }) {
		return nil
	}
	var found []*Sample
	for _, h := range f.alive() {
		s := h.last()
		if slices.Contains(waiters, s) || h.idle() {
			continue
		}
		if f.hasComeBackFrom(s, method) {
			found = append(found, s)
		}
	}
	if len(found) > few {
		return nil
	}
	return inNameOrder(found)
}

// hasComeBackFrom reports that by the class files a thread has called a method before.
func (f *facts) hasComeBackFrom(s *Sample, method *threaddump.Frame) bool {
	for i := 1; i < len(s.Stack.Frames); i++ {
		if slices.Contains(f.bytecode.Taken[PlaceOf(s.Stack.Frames, i)], method.Name()) {
			return true
		}
	}
	return false
}

// isStandby reports that those who wait are in the middle of nothing, and that each who has what they
// want was started as they were and gets on with it: as of several of whom one is to lead.
func (f *facts) isStandby(waiters, holders []*Sample) bool {
	if len(holders) == 0 || len(busyWaiters(waiters)) > 0 {
		return false
	}
	entry := func(s *Sample) string {
		own := s.Stack.program()
		if len(own) == 0 || isTask(s.Stack) {
			return ""
		}
		return own[len(own)-1].Name()
	}
	return !slices.ContainsFunc(holders, func(h *Sample) bool {
		return entry(h) == "" || entry(h) != entry(waiters[0]) || !h.timed() || !f.history(h).cameRound()
	})
}
