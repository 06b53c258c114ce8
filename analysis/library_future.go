package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// inLibraryFuture tells a thread that waits in a library's own future or promise, by the
// name that such classes have: what it waits for by a notify, a latch or a park is a result.
func (s *Sample) inLibraryFuture() bool {
	by := s.Stack.op.caller
	if by == nil || !s.waits() || s.wait.forLock() || originOf(by) != ofLibrary {
		return false
	}
	switch s.Stack.op.kind {
	case opNotify, opCondition, opLatch, opPark:
		class := outermost(by.Class)
		return (strings.HasSuffix(class, "Future") || strings.HasSuffix(class, "Promise")) && hasAnyPrefix(by.Method, "await get sync join")
	}
	return false
}

// noneBrings reports that event loops wait in futures of their own library, which one of its
// loops completes as a rule, and that it has no other loop.
func (f *facts) noneBrings(group []loop) bool {
	first := group[0].last()
	if len(group) < 2 || !first.inLibraryFuture() {
		return false
	}
	home := ofLibraryAt(libraryOf(first.Stack.op.caller.Class))
	ofHome := func(h *history) bool {
		frames := h.last().Stack.Frames
		at := slices.IndexFunc(frames, func(fr *threaddump.Frame) bool { return fr == h.last().Stack.Application })
		return slices.ContainsFunc(frames[at+1:], home)
	}
	if !ofHome(group[0].history) {
		return false
	}
	return !slices.ContainsFunc(f.loops(), func(l loop) bool {
		return l.kind == rootEvents && ofHome(l.history) && !slices.ContainsFunc(group, func(g loop) bool { return g.history == l.history })
	})
}
