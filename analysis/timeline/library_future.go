package timeline

import (
	"strings"

	"jstall/analysis/stack"
)

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
		return (strings.HasSuffix(class, "Future") || strings.HasSuffix(class, "Promise")) && stack.HasAnyPrefix(by.Method, "await get sync join")
	}
	return false
}
