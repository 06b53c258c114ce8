package thread

import (
	"errors"
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"io/fs"
	"time"
)

// Thread is a Java thread.
type Thread struct {
	// Address is that of the JVM's own JavaThread.
	Address uint64
	// Name is empty where Unnamed reports that it could not be read.
	Name    string
	Unnamed bool
	RawName object.Characters
	// ID is the Java thread id, 0 for one without a java.lang.Thread (yet).
	ID int64
	// NativeID is the kernel's id in the JVM's own pid namespace.
	NativeID int
	Daemon   bool
	Priority int
	// State is java.lang.Thread.State with what HotSpot adds: "WAITING (parking)".
	State string
	// Condition is HotSpot's own word for what the thread does: "waiting on condition".
	Condition string
	// Running reports that the thread runs Java code: its frames are known to its registers only.
	Running bool
	// Sampled reports that the frames are those of a moment in which it ran, read from its registers. Near reports
	// that it was in compiled code, which has lines and inlined methods for some places only: the
	// methods of the innermost frame are those of the next such place, or of the last one.
	Sampled, Near bool
	// Torn reports that the thread moved each time its stack was read. It has no frames then.
	Torn bool
	// Cut is why the stack ends early, empty if it is complete.
	Cut string
	// StackAddress is where the frames begin, 0 without frames.
	StackAddress uint64
	Frames       []Frame
	// Carries is the id of the virtual thread that this one carries, 0 if none. Mounted are the
	// frames of that thread.
	Carries int64
	Mounted []Frame
	// OnStack is how many of the innermost frames are those of a mounted virtual thread, whether or not Carries names
	// it; restInHeap reports that its other frames are in the heap, and lastOnStack is the Method of the last one that
	// is not.
	OnStack     int
	RestInHeap  bool
	LastOnStack uint64
	// Waits is the lock or monitor that the thread waits for, nil if none is known.
	Waits *Wait
	// Allocated is how many bytes the thread has allocated, up to its last full buffer (TLAB); 0 if that is unknown.
	Allocated int64
	// Kernel is what the kernel knows of the thread; nil if it was not asked.
	Kernel *Task

	uses           []*stack.Source
	Object         uint64
	pending, waits uint64 // ObjectMonitors
	parkBlocker    uint64
	longStack      bool // a sample has copied a part of it only
	ownerID        uint64
	stackLow       uint64
	StackHigh      uint64
	lockStack      []uint64
	// Selves are objects of whose methods the thread is inside, see selfClasses; seen is when they were there.
	Selves []uint64
	Seen   object.Epoch
}

// Frame is a line of a stack.
type Frame struct {
	// Text is as in a dump, without "at ": "java.lang.Thread.sleep(java.base@21.0.1/Thread.java:509)".
	Text  string
	Locks []Lock
	// Hidden reports a frame that Java code does not show.
	Hidden bool
}

// Lock is a line under a frame: "- locked <0x…> (a X)".
type Lock struct {
	// Action is "locked", "waiting to lock", "waiting on" and so on.
	Action string
	Object object.ID
	// doubtful reports that the object has no mark of a lock; see findOwners.
	doubtful bool
}

// Wait is what a thread waits for.
type Wait struct {
	Object object.ID
	// Kind is how.
	Kind WaitKind
	// OwnerID is the Java id of the thread that owns it, 0 if none does or it is not known.
	OwnerID int64

	Monitor uint64 // the ObjectMonitor to enter
}

// WaitKind is how a thread waits.
type WaitKind uint8

const (
	// ToLock: for a monitor that another thread has entered, at first or again after Object.wait().
	ToLock WaitKind = iota + 1
	// InWait: in Object.wait().
	InWait
	// Parked: in LockSupport.park, with this object as the blocker.
	Parked
)

// Task is what the kernel knows of a thread.
type Task struct {
	// TID is the kernel's id in our own pid namespace.
	TID int
	// CPU is its time on a CPU, Elapsed how long ago it started; Aged reports that Elapsed is known.
	CPU, Elapsed time.Duration
	Aged         bool
	// Turns is how often it was given a CPU, 0 where the kernel does not count that.
	Turns int64
}

// Unread is why a thread that has frames has none here, empty if it has none or they are here. sampling is why running
// threads were not sampled.
func (t *Thread) Unread(sampling error) string {
	switch {
	case t.Sampled:
		return ""
	case t.Torn:
		return "it changed each time it was read"
	case t.Running && errors.Is(sampling, fs.ErrPermission):
		return "it runs Java code, and perf events are not allowed; grant CAP_PERFMON"
	case t.Running && t.Kernel != nil:
		return "it runs Java code, and no sample of its registers proves a stack"
	case t.Running:
		return "it ran Java code, and its registers prove no stack"
	}
	return ""
}

// Waits reports a lock that the thread waits for.
func (l Lock) Waits() bool { return l.Action != Locked && l.Action != actionRemove }

// Action is the wait in the words of HotSpot.
func (w *Wait) Action() string {
	switch w.Kind {
	case ToLock:
		return actionToLock
	case InWait:
		return actionWaits
	}
	return actionParks
}

// Tear takes from a thread what may be wrong.
func (t *Thread) Tear() {
	t.Torn = true
	t.Sampled, t.Near = false, false
	t.Frames, t.Mounted, t.Waits, t.Cut, t.StackAddress = nil, nil, nil, "", 0
}

const (
	Locked       = "locked"
	actionToLock = "waiting to lock"
	actionWaits  = "waiting on"
	actionRelock = "waiting to re-lock in wait()"
	actionParks  = "parking to wait for " // HotSpot writes two blanks
	actionRemove = "eliminated"

	Blocked = "BLOCKED (on object monitor)"
)

// RunsAs is the id of the thread whose frames are innermost: of the virtual thread that is mounted, if any.
func (t *Thread) RunsAs() int64 {
	if t.Carries != 0 {
		return t.Carries
	}
	return t.ID
}

// holderOf is the id of who has entered a monitor on the stack of this thread: itself, if its own frame has, else
// the virtual thread that it carries.
func (t *Thread) holderOf(object uint64) int64 {
	for _, f := range t.Frames {
		for _, l := range f.Locks {
			if l.Action == Locked && l.Object.Address == object {
				return t.ID
			}
		}
	}
	return t.RunsAs()
}

// Runs reports that the frames of a thread are not known yet, or not to their end, because it runs.
func (t *Thread) Runs() bool {
	return t.Running && !t.Torn && (!t.Sampled || t.Cut != "" && !t.longStack)
}

// tid is the kernel's id of a thread: in our own pid namespace, or that of a core file.
func (t *Thread) tid() int {
	if t.Kernel != nil {
		return t.Kernel.TID
	}
	return t.NativeID
}

// Tasks returns the threads that the kernel has of the process, by the id in the JVM's own pid
// namespace. It is asked on its own goroutine once the JVM's list was read, so that a thread of
// that list which is not among them has ended.
type Tasks func() (map[int]Task, error)
