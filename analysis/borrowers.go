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
