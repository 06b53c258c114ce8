package vthread

// Thread is a virtual thread.
type Thread struct {
	// Object is the address of its java.lang.VirtualThread.
	Object uint64
	// ID is the Java id. Name is empty for a thread without one, and where Unnamed reports that it could not be read.
	ID      int64
	Name    string
	Unnamed bool
	// State is the JDK's name of VirtualThread.state: "PARKED", "TIMED_PINNED".
	State string
	// Carrier is the java.lang.Thread of the platform thread that carries it, 0 if none does.
	Carrier uint64
	// Blocker is the object that it parks for, Waiter HotSpot's ObjectWaiter of a thread that waits for a monitor (24
	// and newer); 0 without one.
	Blocker, Waiter uint64
	// Waits is what the caller has read of Blocker or Waiter: see JVM.Waits.
	Waits any
	// Container is an index of Threads.Containers.
	Container int32
	// Stack is an index of Threads.Stacks, -1 if it is not known: Why is the reason.
	Stack int32
	Why   Why
	// Locked are the objects that it has locked lightly while unmounted (24 and newer).
	Locked []uint64

	raw          int32
	continuation uint64
	scopes       uint64
	name         uint64
}

// Why is why a stack is not known.
type Why uint8

const (
	// Known: it is known.
	Known Why = iota
	// NotStarted: the thread has no frames yet, or no longer.
	NotStarted
	// Mounted: its frames are on the stack of its carrier.
	Mounted
	// InTransition: it is being mounted or unmounted.
	InTransition
	// Moved: it moved each time it was read.
	Moved
	// Unread: its frames cannot be read.
	Unread
)

// unmounted reports whether the frames of a thread are in the heap; if not, it notes why.
func (t *Thread) unmounted() bool {
	switch t.State {
	case "PARKED", "TIMED_PARKED", "UNPARKED", "YIELDED", "BLOCKED", "UNBLOCKED", "WAIT", "TIMED_WAIT":
		return true
	case "NEW", "STARTED", "TERMINATED":
		t.Why = NotStarted
	case "RUNNING", "PINNED", "TIMED_PINNED":
		t.Why = Mounted
	default:
		t.Why = InTransition
	}
	return false
}
