package timeline

import (
	"math"
	"time"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Thread is what stays the same of a thread from dump to dump.
type Thread struct {
	// ID is the Java thread id, zero for JVM-internal threads. It alone
	// identifies a Java thread: it is never used again within one JVM.
	ID int64
	// TID is the address of the JVM's thread object, NativeID the kernel's
	// thread id in the JVM's pid namespace; zero if the dump does not tell. The
	// two identify a JVM-internal thread.
	TID      uint64
	NativeID int64
	Name     string
	Role     threaddump.Role
	Daemon   bool
	Virtual  bool
	// Unnumbered tells a Java thread of a dump without Java thread ids.
	Unnumbered bool
	// ScopeOwner is the id of the thread whose structured scope it is a subtask of, else
	// zero.
	ScopeOwner int64
	// PerTask tells the task of an executor that has a thread for each.
	PerTask bool
}

// Key identifies a thread over time within one JVM.
type Key struct {
	ID       int64
	tid      uint64
	nativeID int64
}

func (t *Thread) Key() Key {
	if t.ID != 0 {
		return Key{ID: t.ID}
	}
	return Key{tid: t.TID, nativeID: t.NativeID}
}

// Java tells a thread that runs Java code from the JVM's own native ones.
func (t *Thread) Java() bool { return t.ID != 0 || t.Unnumbered }

// Program tells the threads that findings are about: the application's, and the
// Java threads that the JVM made (finalizer, cleaner).
func (t *Thread) Program() bool {
	return t.Role == threaddump.Application || t.Role == threaddump.JVM
}

// Sample is one thread in one dump, reduced to what analyses need.
type Sample struct {
	Thread *Thread
	Stack  *stack.Stack
	State  threaddump.State

	Locks []Lock
	// Nanoseconds or bytes since the thread started; unknown if not told.
	CPUTime, Age, Allocated, runQueue int64
	Classes                           int64 // that it has defined
	Turns                             int64 // how often it was given a CPU
	Carrier                           int64 // the other half of carrier and virtual thread
	Line                              int32 // of the header in the dump's input
	stackLine                         int32 // of its first frame, in dumps that Java code wrote
	alike                             int32 // further virtual threads like this one, not listed
	Wait                              stack.WaitKind
	waitLock                          int16 // index in locks of what it waits for, -1 if not printed
	inWait                            bool  // in Object.wait(), its monitor given up
	timeUp                            bool  // printed RUNNABLE, at the end of a timed wait: see settle
}

// Unknown stands for a figure that the dump does not tell; no real one is
// negative.
const Unknown = math.MinInt64

// CPU is the CPU time since the thread started: the dump's, else the kernel's.
func (s *Sample) CPU() Opt[time.Duration] { return Duration(s.CPUTime) }

// Elapsed is the thread's age.
func (s *Sample) Elapsed() Opt[time.Duration] { return Duration(s.Age) }

func Duration(v int64) Opt[time.Duration] {
	if v == Unknown {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(time.Duration(v))
}

// Lock is a threaddump.Lock in a third of its size.
type Lock struct {
	Class   string
	Address uint64
	Owner   int64
	line    int32
	Depth   int16
	Op      threaddump.LockOp
	Blocks  int32 // threads that the dump says wait for it, listed or not
}

// WaitsOn is the lock the thread waits for, nil if none is printed.
func (s *Sample) WaitsOn() *Lock {
	if s.waitLock < 0 {
		return nil
	}
	return &s.Locks[s.waitLock]
}

// Timed tells a wait that ends by itself.
func (s *Sample) Timed() bool { return s.State == threaddump.TimedWaiting }

// Shown is the state that the dump prints.
func (s *Sample) Shown() threaddump.State {
	if s.timeUp {
		return threaddump.Runnable
	}
	return s.State
}

// Holding returns the thread's line for a lock that it holds, nil if it does not.
// A monitor it waits on is given up as often as it was entered; of a wait whose
// monitor is not printed, the innermost one must be taken for it.
func (s *Sample) Holding(address uint64) *Lock {
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

// givenUp is the monitor that the thread has released or has not got yet.
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
