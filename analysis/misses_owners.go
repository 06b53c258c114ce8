package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// suspicion is how much speaks for a thread to hold what others wait for.
type suspicion uint8

const (
	// noSuspicion: nothing but that the thread exists.
	noSuspicion suspicion = iota
	// lastSuspect: nobody else is left who could hold it.
	lastSuspect
	// sameClass: it is inside the class that the waiters call.
	sameClass
	// beyond: it is in a method that a waiter is in as well, at a later line than the
	// one where the waiter asks for it.
	beyond
)

// likelyHolders concludes from stacks who holds what some threads wait for, where
// the dump does not tell: read locks, stamps, permits, pooled objects, and locks
// of java.util.concurrent without -l.
//
// Rule: the holder has been where the waiters are and has gone on. It stands in a
// method that one of them is in too, but at a later line; else inside the class
// that asks for the lock, below the method it was started with. A thread with
// nothing to do holds nothing. Where the stacks say nothing, and one thread alone
// is left that has work, it is that one. More than a few of equal claim are no
// answer.
func (f *facts) likelyHolders(at int, waiters []*Sample) ([]*Sample, suspicion) {
	const few = 8
	var best []*Sample
	most, busy := noSuspicion, 0
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !mayHold(s) || slices.Contains(waiters, s) {
			continue
		}
		busy++
		level := suspect(waiters, s)
		if level > most {
			best, most = nil, level
		}
		if level == most {
			best = append(best, s)
		}
	}
	switch {
	case busy == 1 && most == noSuspicion && f.snaps[at].closed():
		most = lastSuspect
	case most == noSuspicion || len(best) > few || most == sameClass && len(best) > len(waiters):
		return nil, noSuspicion
	}
	return best, most
}

// mayHold tells threads of the program that are in the middle of something.
func mayHold(s *Sample) bool {
	return s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
		(s.resting() == nil || s.Stack.op.kind == opSleep)
}

// closed reports that the dump shows every thread there is: not cut off, at one
// moment, and without virtual threads, of which most are not shown.
func (s *snapshot) closed() bool {
	if !s.instant || !s.whole() {
		return false
	}
	for i := range s.samples {
		if t := &s.samples[i]; t.Thread.Virtual || t.carrier != 0 {
			return false
		}
	}
	return true
}

func suspect(waiters []*Sample, s *Sample) suspicion {
	most := noSuspicion
	for _, w := range waiters {
		most = max(most, w.Stack.suspects(s.Stack))
	}
	return most
}

// suspects compares the stack of a waiter with that of another thread.
func (w *Stack) suspects(other *Stack) suspicion {
	if w == other {
		return noSuspicion
	}
	mine, theirs := w.program(), other.program()
	for _, a := range mine {
		for _, b := range theirs {
			if a.Class == b.Class && a.Method == b.Method && b.Line > a.Line && a.Line > 0 {
				return beyond
			}
		}
	}
	for _, a := range inner(mine)[:min(2, len(inner(mine)))] {
		for _, b := range inner(theirs) {
			if a.Class == b.Class {
				return sameClass
			}
		}
	}
	return noSuspicion
}

// program are the application's own frames, innermost first.
func (s *Stack) program() []*threaddump.Frame {
	var own []*threaddump.Frame
	for _, f := range s.Frames {
		if originOf(f) == ofApplication {
			own = append(own, f)
		}
	}
	return own
}

// inner leaves out what a thread was started with: in a small program all threads
// share that class.
func inner(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !isStart(f) {
			return frames[:n]
		}
	}
	return nil
}

func isStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}
