package locks

import (
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// isBusy reports whether a thread of the program has work in hand.
func isBusy(s *timeline.Sample) bool {
	return s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
		(s.IdleRule() == nil || s.Stack.Op.Kind == stack.OpSleep)
}

// isPast reports whether another stack has passed the place where w waits. It is in a method of w, at a later line or
// in a call at the line where w acquires. That call is one of the program, or any call if w is about to enter its own
// method or block. A lock is acquired and released in one method, so for a waiter for a lock only the method that
// acquires counts.
func isPast(w *stack.Stack, other *stack.Stack) bool {
	mine, theirs := w.Program(), other.Program()
	if isBefore(theirs, mine) {
		return false
	}
	if w.Op.Kind == stack.OpLock || w.Op.Kind == stack.OpReadLock {
		if isPastLibraryAcquire(w, other) {
			return true
		}
		mine = askingFrame(w)
	}
	for i, a := range mine {
		for k, b := range theirs {
			called := k > 0 || a == w.Frames[0] && b != other.Frames[0]
			if isFurther(a, b, i == 0 && called) {
				return true
			}
		}
	}
	return false
}

// isFurther reports whether b is in the method of a at a later line, or at the same one if sameLine.
func isFurther(a, b *threaddump.Frame, sameLine bool) bool {
	return a.Class == b.Class && a.Method == b.Method && a.Line > 0 && (b.Line > a.Line || sameLine && b.Line == a.Line)
}

// askingFrame is the method of the program that acquires the lock, if it is the innermost one.
func askingFrame(w *stack.Stack) []*threaddump.Frame {
	if own := w.Program(); len(own) > 0 && own[0] == w.Op.Caller {
		return own[:1]
	}
	return nil
}

// isPastLibraryAcquire reports whether another stack is in the method of a library in which w waits for a lock, in a
// call at a later line.
func isPastLibraryAcquire(w *stack.Stack, other *stack.Stack) bool {
	a := w.Op.Caller
	if a == nil || a.Line <= 0 || stack.OriginOf(a) != stack.OfLibrary {
		return false
	}
	for _, b := range other.Frames[min(1, len(other.Frames)):] {
		if a.Class == b.Class && a.Method == b.Method {
			return b.Line > a.Line
		}
	}
	return false
}

// isBefore reports whether a stack has the same callers as another and is at an earlier line of the same method: it has
// not yet acquired what the other waits for.
func isBefore(s, other []*threaddump.Frame) bool {
	for n := 1; n <= min(len(s), len(other)); n++ {
		a, b := s[len(s)-n], other[len(other)-n]
		if a.Text != b.Text {
			return a.Class == b.Class && a.Method == b.Method && 0 < a.Line && a.Line < b.Line
		}
	}
	return false
}
