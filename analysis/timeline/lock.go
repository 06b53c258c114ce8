package timeline

import (
	"fmt"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Lock is a threaddump.Lock in a third of its size.
type Lock struct {
	Class   string
	Address uint64
	Owner   int64
	line    int32
	Depth   int16
	Op      threaddump.LockOp
	Blocks  int32 // threads that wait for it by the dump, listed or not
}

// Text is the lock's line as HotSpot prints it: with the object's address in a text dump, with its identity hash in a
// dump that Java code wrote.
//
// One case for each line that HotSpot prints.
//
//gocyclo:ignore
func (l *Lock) Text(instant bool) string {
	object := fmt.Sprintf("<%s> (a %s)", finding.Hex(l.Address), l.Class)
	if !instant {
		object = fmt.Sprintf("<%s@%x>", l.Class, l.Address)
	}
	if instant && l.Owner != 0 { // as in a virtual section
		object += fmt.Sprintf(" owned by #%d", l.Owner)
	}
	switch l.Op {
	case threaddump.WaitingToLock:
		return "- waiting to lock " + object
	case threaddump.WaitingOn:
		if l.Address == 0 {
			return "- waiting on <no object reference available>"
		}
		return "- waiting on " + object
	case threaddump.WaitingToRelock:
		return "- waiting to re-lock in wait() " + object
	case threaddump.Parking:
		if !instant {
			return "- parking to wait for " + object
		}
		return "- parking to wait for  " + object
	case threaddump.Locked:
		if instant && l.Depth < 0 {
			return "- " + object
		}
		return "- locked " + object
	case threaddump.Eliminated:
		if l.Address == 0 {
			return "- eliminated <owner is scalar replaced> (a " + l.Class + ")"
		}
		return "- eliminated " + object
	case threaddump.OwnsSynchronizer:
		return "- " + object
	case threaddump.WaitingForClassInit:
		return "- waiting on the Class initialization monitor for " + l.Class
	}
	return "- " + l.Class
}

// WaitsOn is the lock the thread waits for, nil if none is printed.
func (s *Sample) WaitsOn() *Lock {
	if s.waitLock < 0 {
		return nil
	}
	return &s.Locks[s.waitLock]
}

// HeldLock returns the thread's line for a lock that it holds, nil if it does not. A thread in Object.wait() has
// released the monitor completely, however often it entered it. If the monitor of the wait is not printed, the
// innermost one counts as released.
func (s *Sample) HeldLock(address uint64) *Lock {
	if given, ok := s.givenUp(); ok && given == address {
		return nil
	}
	for i := range s.Locks {
		l := &s.Locks[i]
		held := l.Op == threaddump.Locked || l.Op == threaddump.OwnsSynchronizer
		if held && l.Address == address && i != int(s.waitLock) {
			return l
		}
	}
	return nil
}

// givenUp is the monitor that the thread has released or not yet acquired.
func (s *Sample) givenUp() (address uint64, ok bool) {
	if s.waitLock >= 0 && (s.Wait == stack.WaitMonitor || s.Wait == stack.WaitNotify) {
		if l := s.WaitsOn(); l.Address != 0 {
			return l.Address, true
		}
	}
	if !s.inWait {
		return 0, false
	}
	for i := range s.Locks {
		if s.Locks[i].Op == threaddump.Locked {
			return s.Locks[i].Address, true
		}
	}
	return 0, false
}

// LockType is the type of what a thread waits for, in a report.
func LockType(s *Sample) string {
	switch {
	case s.Wait == stack.WaitClassInit:
		return "class initialization"
	case s.Wait == stack.WaitMonitor:
		return "monitor"
	case s.WaitsOn() != nil && s.WaitsOn().Op == threaddump.WaitingToLock:
		return "monitor"
	}
	return "ownable synchronizer"
}
