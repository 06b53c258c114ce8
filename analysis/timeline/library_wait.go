package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
)

// AsksByLibrary tells a thread that waits, for no lock, inside a call of a library that
// answers when a peer has, while a thread of the library's own reads: rows !reply of
// idle.tsv.
func (s *Sample) AsksByLibrary() bool {
	p := s.Position()
	return s.Waits() && !s.Wait.ForLock() && p != nil && p.Not && p.What == "reply" && s.Stack.Application != nil
}

// LibraryCall is the method of the library, or else of the JDK, that such a thread
// called, without its package; empty for all others.
func (s *Sample) LibraryCall() string {
	if !s.AsksByLibrary() {
		return ""
	}
	above := s.Stack.Frames[:slices.Index(s.Stack.Frames, s.Stack.Application)]
	for _, fr := range slices.Backward(above) {
		if stack.OriginOf(fr) == stack.OfLibrary {
			return stack.PublicName(fr)
		}
	}
	if len(above) == 0 {
		return ""
	}
	return stack.PublicName(above[len(above)-1])
}

// InLibraryFuture tells a thread that waits in a library's own future or promise, by the
// name that such classes have: what it waits for by a notify, a latch or a park is a result.
func (s *Sample) InLibraryFuture() bool {
	by := s.Stack.Op.Caller
	if by == nil || !s.Waits() || s.Wait.ForLock() || stack.OriginOf(by) != stack.OfLibrary {
		return false
	}
	switch s.Stack.Op.Kind {
	case stack.OpNotify, stack.OpCondition, stack.OpLatch, stack.OpPark:
		class := stack.Outermost(by.Class)
		return (strings.HasSuffix(class, "Future") || strings.HasSuffix(class, "Promise")) &&
			stack.HasAnyPrefix(by.Method, "await get sync join")
	}
	return false
}

// WritesToClient tells a thread that a library has called, and that waits in a stream of this
// library for room to write: a server's worker, whose client does not read.
func (s *Sample) WritesToClient() bool {
	at := slices.Index(s.Stack.Frames, s.Stack.Application)
	if at < 0 || !s.Waits() || s.Wait.ForLock() {
		return false
	}
	switch s.Stack.Op.Kind {
	case stack.OpCondition, stack.OpNotify, stack.OpLatch, stack.OpPark, stack.OpPermit, stack.OpResult:
	default:
		return false
	}
	for _, f := range s.Stack.Frames[:at] {
		if stack.OriginOf(f) == stack.OfLibrary && strings.HasSuffix(f.Class, "OutputStream") &&
			stack.HasAnyPrefix(f.Method, "write flush close") {
			return slices.ContainsFunc(s.Stack.Frames[at:], stack.OfLibraryAt(stack.LibraryOf(f.Class)))
		}
	}
	return false
}
