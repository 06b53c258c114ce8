package locks

import (
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// isBusy reports whether a thread of the program is in the middle of something.
func isBusy(s *timeline.Sample) bool {
	return s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
		(s.Resting() == nil || s.Stack.Op.Kind == stack.OpSleep)
}

// isPast reports that another stack has come past where w waits: it is in a method of w,
// at a later line, or in a call at the line where w asks: of the program, or of any code if w is about to enter its own
// method or block. A lock is taken and given back in one method: of a waiter for a lock only the method that asks
// counts.
func isPast(w *stack.Stack, other *stack.Stack) bool {
	mine, theirs := w.Program(), other.Program()
	if isBefore(theirs, mine) {
		return false
	}
	if w.Op.Kind == stack.OpLock || w.Op.Kind == stack.OpReadLock {
		mine = askingFrame(w)
	}
	for i, a := range mine {
		for k, b := range theirs {
			called := k > 0 || a == w.Frames[0] && b != other.Frames[0]
			further := b.Line > a.Line || b.Line == a.Line && i == 0 && called
			if a.Class == b.Class && a.Method == b.Method && a.Line > 0 && further {
				return true
			}
		}
	}
	return false
}

// askingFrame is the method of the program that asks for the lock, if it is the innermost one.
func askingFrame(w *stack.Stack) []*threaddump.Frame {
	if own := w.Program(); len(own) > 0 && own[0] == w.Op.Caller {
		return own[:1]
	}
	return nil
}

// isBefore reports whether a stack came the same way as another and is in a line of the same method before it: it has
// not yet asked for what the other asks for.
func isBefore(s, other []*threaddump.Frame) bool {
	for n := 1; n <= min(len(s), len(other)); n++ {
		a, b := s[len(s)-n], other[len(other)-n]
		if a.Text != b.Text {
			return a.Class == b.Class && a.Method == b.Method && 0 < a.Line && a.Line < b.Line
		}
	}
	return false
}
