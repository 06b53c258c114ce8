package resources

import (
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Phrase completes "which THREAD holds while it …". The operation tells more than the
// object where the JDK waits by Object.wait() or a condition for something else than
// a lock.
func Phrase(s *timeline.Sample) string {
	switch kind := s.Stack.Op.Kind; {
	case s.LibraryCall() != "":
		return "waits for the answer to " + s.LibraryCall()
	case strings.HasPrefix(ResourceKey(s), "pool "):
		return "waits for an object of a pool"
	case kind == stack.OpProcess:
		return "waits for a child process to end"
	case kind == stack.OpJoin:
		return "waits for a thread to end"
	case s.WritesToClient():
		return "waits to write to a client"
	case s.InLibraryFuture():
		return "waits for a result"
	case kind == stack.OpLatch && s.Waits() && !s.Wait.ForLock():
		return "waits for a latch"
	case kind == stack.OpExchange && s.Waits() && !s.Wait.ForLock():
		return "waits for a partner at an Exchanger"
	case kind == stack.OpBarrier && s.Waits() && !s.Wait.ForLock():
		return "waits at a " + stack.BarrierOf(s.Stack.Op)
	case kind == stack.OpRead && s.Waits():
		return "waits to read"
	case kind == stack.OpWrite && s.Waits():
		return "waits to write"
	case kind == stack.OpPut && s.Waits() && !s.Wait.ForLock():
		return "waits for " + Room(s.Stack)
	case kind == stack.OpTake && s.Waits() && !s.Wait.ForLock():
		return "waits for an element of a queue"
	case kind == stack.OpTermination && s.Waits() && !s.Wait.ForLock():
		return "waits for an executor to end"
	}
	return s.Wait.Phrase()
}
