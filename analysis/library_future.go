package analysis

import "strings"

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
