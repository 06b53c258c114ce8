package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// frameAt is the topmost frame of a stack that is at one of some places, nil if none is.
func frameAt(places map[string]bool, s *Stack) *threaddump.Frame {
	for i := 1; len(places) > 0 && i < len(s.Frames); i++ {
		if places[PlaceOf(s.Frames, i)] {
			return s.Frames[i]
		}
	}
	return nil
}

func isAt(places map[string]bool, s *Stack) bool { return frameAt(places, s) != nil }

// isGate reports that by the class files the method that waits takes nothing for itself once it is
// woken: it waits for a state.
func (b *Bytecode) isGate(s *Stack) bool { return b != nil && isTopAt(b.Gates, s) }

// putsIn reports that by the class files the method that waits puts something in once it is woken.
func (b *Bytecode) putsIn(s *Stack) bool { return b != nil && isTopAt(b.Puts, s) }

// isTopAt reports that the topmost frame of the application is at one of some places.
func isTopAt(places map[string]bool, s *Stack) bool {
	i := slices.IndexFunc(s.Frames, func(fr *threaddump.Frame) bool { return CodeOf(fr) == CodeApplication })
	return i > 0 && places[PlaceOf(s.Frames, i)]
}

// runsOnce reports that by the class files a thread of the program's own making waits once: it
// does nothing but wait, in a method that others called outside of any loop, from the one that
// the thread was started with on. What foreign code between these does is not known.
func (f *facts) runsOnce(s *Stack) bool {
	if f.bytecode == nil || s.root != nil {
		return false
	}
	called, foreign := 0, false
	for i, fr := range s.Frames {
		switch {
		case strings.Contains(fr.Class, "$$Lambda"):
		case CodeOf(fr) != CodeApplication:
			foreign = called > 0
		case i == 0 || foreign || !f.bytecode.Straight[PlaceOf(s.Frames, i)]:
			return false
		default:
			called++
		}
	}
	return called > 1
}

// isAllAt reports that each method of the program on a stack, of which there are some, is at one of some places.
func isAllAt(places map[string]bool, s *Stack) bool {
	own := false
	for i, fr := range s.Frames {
		if i == 0 || CodeOf(fr) != CodeApplication || strings.Contains(fr.Class, "$$Lambda") {
			continue
		}
		if !places[PlaceOf(s.Frames, i)] {
			return false
		}
		own = true
	}
	return own
}

// readsIn reports that by the class files a method on a stack has a read lock.
func (b *Bytecode) readsIn(s *Stack) bool {
	return b != nil && isAt(b.Reads, s)
}

// upgrades reports that by its class file the method that asks for a write lock has the read lock
// of the same, and so can never get it.
func (b *Bytecode) upgrades(s *Stack) bool {
	i := slices.IndexFunc(s.Frames, func(fr *threaddump.Frame) bool { return CodeOf(fr) == CodeApplication })
	return b != nil && s.op.kind == opLock && i > 0 && b.Upgrades[PlaceOf(s.Frames, i)]
}

// markPermits tells the waits for what the program's own synchronizers lend: by the dumps alone these look as
// latches do.
func (f *facts) markPermits() {
	if f.bytecode == nil || len(f.bytecode.Lends) == 0 {
		return
	}
	for _, snap := range f.snaps {
		for i := range snap.samples {
			if s := &snap.samples[i]; s.wait == waitSignal && s.Stack.acquires == waitShared && isTopAt(f.bytecode.Lends, s.Stack) {
				s.wait, s.Stack.op.kind = waitPermit, opPermit
			}
		}
	}
}
