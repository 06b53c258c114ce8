package timeline

import (
	"jstall/analysis/stack"
)

// Works tells a thread that uses CPU, whatever its top frame is.
func (h *History) Works() bool {
	share := h.Share()
	return share.Known && share.Value > GroupShare
}

// WaitClass is the class of the object waited for, empty if none is printed.
func (s *Sample) WaitClass() string {
	if l := s.WaitsOn(); l != nil {
		return l.Class
	}
	return ""
}

// WaitType words what a thread waits for, as Wait.Type; empty if it runs. A lock
// is a lock wherever it is taken; of other waits a known library's place tells
// most, and the operation more than the object that the thread is parked on.
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
