package timeline

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Waits reports whether a thread has given up its CPU to wait for an event.
func (s *Sample) Waits() bool {
	return s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
}

// Object is the address of the object that a thread waits at, else the method that waits. The GC may move the object,
// but only between two dumps.
func (s *Sample) Object() string {
	if l := s.WaitsOn(); l != nil && l.Address != 0 {
		return finding.Hex(l.Address)
	}
	if c := s.Stack.Op.Caller; c != nil {
		return c.Name()
	}
	return ""
}

// WaitClass is the class of the object that the thread waits for, empty if none is printed.
func (s *Sample) WaitClass() string {
	if l := s.WaitsOn(); l != nil {
		return l.Class
	}
	return ""
}

// WaitType is the type of what a thread waits for, as Wait.Type; empty if it runs. A lock counts as a lock wherever the
// thread takes it. For other waits the place in a known library decides first, then the operation, then the object that
// the thread is parked on.
func (s *Sample) WaitType() string {
	switch {
	case s.Wait <= stack.Running || s.Wait == stack.WaitWork:
		return ""
	case s.Wait.ForLock():
		return LockType(s)
	}
	if lock, is := OuterLocks[OuterLockOf(s)]; is {
		return lock.Resource
	}
	if r := s.Position(); r != nil && r.Not {
		switch r.What {
		case "pool":
			return "pooled object"
		case "limiter":
			return "permit"
		case "reply":
			return "result"
		}
	}
	if what := s.Stack.Op.Kind.Awaited(); what != "" {
		return what
	}
	return s.Wait.Awaited()
}

// outerLock is a lock outside the JVM: no dump shows which thread has it.
type outerLock struct {
	Resource, Awaited, Holding, Advice string
	// Elsewhere reports whether another JVM may have it as well.
	Elsewhere bool
}

// OuterLocks are the locks of the rows of idle.tsv that are marked !row and !lock.
var OuterLocks = map[string]outerLock{
	"row": {
		Resource: "transaction",
		Awaited:  "the end of a transaction that has a row or a table of the database",
		Holding:  "it open while ",
		Advice:   "Find the open transaction. Commit it before slow calls, and set a statement timeout.",
	},
	"lock": {
		Resource: "distributed lock",
		Awaited:  "a lock that several JVMs may share",
		Holding:  "it while ",
		Advice: "Hold the lock for a shorter time: move slow calls out of it. Wait for it with a timeout. " +
			"If no thread of this JVM holds it, check the other JVMs.",
		Elsewhere: true,
	},
}

// OuterLockOf is the name of the lock outside the JVM that a thread waits for; empty for all other waits. The threads
// of a database that serves others have no frame of an application.
func OuterLockOf(s *Sample) string {
	p := s.Position()
	if p == nil || !p.Not {
		return ""
	}
	if _, is := OuterLocks[p.What]; !is {
		return ""
	}
	return p.What
}

// ParksToPut reports whether a thread parks for an object in a method that puts something in. A method post may also
// send a request over a connection, unless it parks for the buffer itself.
func (s *Sample) ParksToPut() bool {
	l, caller := s.WaitsOn(), s.Stack.Op.Caller
	return l != nil && l.Address != 0 && (stack.IsPutMethod(caller) ||
		caller != nil && stack.OriginOf(caller) == stack.OfApplication && caller.Method == "post" &&
			caller.Class == l.Class)
}

// IsIO reports whether a thread is in a call that another process, host or device ends.
func IsIO(s *Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect, stack.OpFileLock, stack.OpOpen, stack.OpResolve:
		return s.State == threaddump.Runnable || !s.Wait.ForLock()
	case stack.OpProcess:
		return true
	case stack.OpSelect, stack.OpAccept:
		return false
	}
	return s.Wait == stack.WaitIO
}

// isSubtaskInIO reports whether the thread is a virtual subtask of a structured scope, in a call that another process
// or host ends.
func (s *Sample) isSubtaskInIO() bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect, stack.OpResolve:
		return s.Thread.Virtual && s.Thread.ScopeOwner != 0
	}
	return false
}

// AsksByLibrary reports whether a thread waits, without a lock, inside a call of a library that answers when a peer
// has, while a thread of the library reads: rows !reply of idle.tsv.
func (s *Sample) AsksByLibrary() bool {
	p := s.Position()
	return s.Waits() && !s.Wait.ForLock() && p != nil && p.Not && p.What == "reply" && s.Stack.Application != nil
}

// LibraryCall is the method of the library, or else of the JDK, that such a thread called, without its package; empty
// for all other threads.
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

// InLibraryFuture reports whether a thread waits in a library's own future or promise, by the usual names of such
// classes. Its wait for a notification, a latch or a permit is then a wait for a result.
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

// WritesToClient reports whether a library called the thread and it waits in a stream of this library for room to
// write: a server's worker whose client does not read.
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
