package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
)

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
		if stack.OriginOf(f) == stack.OfLibrary && strings.HasSuffix(f.Class, "OutputStream") && stack.HasAnyPrefix(f.Method, "write flush close") {
			return slices.ContainsFunc(s.Stack.Frames[at:], stack.OfLibraryAt(stack.LibraryOf(f.Class)))
		}
	}
	return false
}
