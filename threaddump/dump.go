package threaddump

import (
	"slices"
	"strings"
	"time"
)

// Opt is a value that a dump may or may not carry. Absent is not zero: JDK 8
// prints no CPU time, and such a thread must not look like an idle one.
type Opt[T any] struct {
	Value T
	Known bool
}

// Known wraps a value that was there.
func Known[T any](v T) Opt[T] { return Opt[T]{Value: v, Known: true} }

// Dump is one thread dump: what one JVM printed at one moment. It is read-only
// once parsed.
type Dump struct {
	// Time is the header's wall-clock time. Text dumps print local time
	// without a zone; it is kept as if it were UTC, so only differences between
	// dumps of one machine mean something. Zero if the dump has none.
	Time time.Time
	// Logged is the time of the log line above a dump that has no header, or of its first line if a logger wrote a
	// prefix before each line. It is kept as Time is; zero if there is none, or if the threads were written one by one.
	Logged time.Time
	// JVM is the virtual machine's name: "OpenJDK 64-Bit Server VM".
	JVM string
	// Version is the build in the header's brackets: "21.0.13+9-1-deb13u2-Debian".
	Version string
	// Mode is what follows the version: "mixed mode, sharing".
	Mode string
	// Line is the header's line in the input, from 1.
	Line int
	// Threads in the order of the dump, Java threads and JVM-internal ones.
	Threads []*Thread
	// SMR is the JVM's own list of its Java threads (JDK 11 and newer), else nil.
	SMR *SMR
	// Deadlocks is the JVM's own report, in its order.
	Deadlocks []Deadlock
	// JNIRefs and JNIWeakRefs are the trailer's counts of global references.
	JNIRefs, JNIWeakRefs Opt[int64]
	// Instant is true if the threads were all looked at in one instant, where no
	// address of a thread shows it: the management interface does so.
	Instant bool
	// Cut is true if the dump ends before its end: in the middle of a line, in the
	// JVM's report of deadlocks, or without the line about JNI references, the last
	// that every JDK prints; a JSON dump without its last bracket. See also Missing.
	Cut bool
	// Listed is true of a list of JSON that has its last bracket and the threads that each JVM has (Finalizer): it is
	// of all threads of the management interface, not of some of the application.
	Listed bool
	// Fragment is true for threads without a head above them and without the last line of a
	// dump: some that were copied out of it, so that nothing can be said of others.
	Fragment bool
	// OwnersListed is true for a dump with the block "Locked ownable synchronizers" (-l), which each Java thread has.
	OwnersListed bool
	// NoLocks is true for a form that has neither states nor locks: what dump_to_file of JDK 21
	// to 24 writes.
	NoLocks bool
	// VirtualListed is true if virtual threads that jstall read from memory are in Threads, or would be if there were
	// any; VirtualFound is how many there are, those that Alike counts too.
	VirtualListed bool
	VirtualFound  int
	// VirtualMissing is why some of them are not there, or not with their stack; empty if all were read. Where they
	// are not listed it is why their memory could not be read, empty if that was not tried.
	VirtualMissing string
	// CutAt is the width in columns of the screen that cut the headers, zero if they are whole.
	CutAt int
	// Heap holds the lines of the Heap section that SIGQUIT appends.
	Heap []string
	// Lost counts the threads that could not be read; Problems name their lines.
	Lost int
	// Problems are the places that the parser did not understand; what is
	// around them is parsed nevertheless.
	Problems []Problem
}

// CutWaits is how many threads wait with a stack of which the innermost frames alone are known, or none: what they hold
// is unknown. One that runs, or moved while it was read, is in no deadlock.
func (d *Dump) CutWaits() int {
	n := 0
	for _, t := range d.Threads {
		if t.Cut && (t.State == Blocked || t.State == Waiting) {
			n++
		}
	}
	return n
}

// HiddenWaits is how many threads wait by their state where the dump shows neither their stack nor, of those that are
// blocked or parked in a lock of java.util.concurrent, the lock: a JVM prints all of them. It may leave out the lock of
// a thread that gets it at that moment, but not those that the thread holds.
func (d *Dump) HiddenWaits() int {
	n := 0
	for _, t := range d.Threads {
		if t.Unread == "" && d.hidesWait(t) {
			n++
		}
	}
	return n
}

func (d *Dump) hidesWait(t *Thread) bool {
	parked := (t.State == Waiting || t.State == TimedWaiting) && parksInSynchronizer(t.Stack)
	unnamed := !slices.ContainsFunc(t.Locks, func(l Lock) bool { return l.Op != Locked && l.Op != OwnsSynchronizer })
	switch {
	case t.Virtual:
		return d.VirtualListed && parked && unnamed
	case len(t.Stack) == 0:
		return t.State == Blocked || t.State == Waiting || t.State == TimedWaiting
	}
	return t.State == Blocked && len(t.Locks) == 0 || unnamed && parked && t.TID != 0
}

// parksInSynchronizer recognises the stack of a thread that a lock of java.util.concurrent parked: the lock is its
// blocker, which a JVM prints under the innermost frame.
func parksInSynchronizer(frames []*Frame) bool {
	const deepest = 4 // VirtualThread.park, parkVirtualThread, LockSupport.park, and the lock
	for i := 1; i < min(len(frames), deepest); i++ {
		if frames[i-1].Class == "java.util.concurrent.locks.LockSupport" {
			return strings.HasPrefix(frames[i].Class, "java.util.concurrent.locks.AbstractQueued")
		}
	}
	return false
}

// Missing is how many of the Java threads that the JVM's own list names are not
// there; 0 too where there is no such list.
func (d *Dump) Missing() int {
	if d.SMR == nil {
		return 0
	}
	listed := make(map[uint64]bool, len(d.SMR.Elements))
	for _, address := range d.SMR.Elements {
		listed[address] = true
	}
	n := d.SMR.Length
	for _, t := range d.Threads {
		// a native thread that becomes a Java thread at that moment has no id yet
		if !t.Virtual && (t.ID != 0 || listed[t.TID]) {
			n--
		}
	}
	return max(0, n)
}

// SMR is the `Threads class SMR info` block: the addresses of all Java threads
// alive when the dump was taken. It separates real headers from forged ones.
type SMR struct {
	// List is the address of the list, zero if it could not be read.
	List uint64
	// Length is the number the JVM printed; len(Elements) is what was read.
	Length   int
	Elements []uint64
}

// Problem is a place in the input that was not understood.
type Problem struct {
	// Line is counted from 1 in the input as given.
	Line int
	// Text quotes the line, shortened to 200 bytes.
	Text string
	// Message says what was expected.
	Message string
}

// Thread is one thread of a dump.
type Thread struct {
	// Name is the raw name: it may hold quotes, control characters and bytes
	// that are not UTF-8 (modified UTF-8 is decoded where it can be).
	Name string
	// ID is the Java thread id, the `#12` of the header, never reused within
	// one JVM. Zero for JVM-internal threads, whose header has none, and in forms
	// without ids; see Unnumbered and IsMadeID.
	ID int64
	// Unnumbered is true for a Java thread of a form that has no ids: JDK 7 and older, and
	// what jstack -F prints.
	Unnumbered bool
	// TID is the address of the JVM's own thread object, `tid=0x…`.
	TID uint64
	// NativeID is the kernel's thread id inside the JVM's pid namespace, zero if
	// the dump does not tell.
	NativeID int64
	// Line is the header's line in the input, from 1.
	Line int

	Daemon  bool
	Virtual bool // a virtual thread (from JSON dumps and virtual sections)
	// Compiler marks a thread with a line about its compile task (JDK 11 and
	// newer).
	Compiler bool
	// Stackless marks a header without a stack address: such a thread runs no
	// Java code now.
	Stackless  bool
	Priority   int8
	OSPriority int8

	// CPU is the CPU time since the thread started (JDK 11 and newer, 10 µs).
	CPU Opt[time.Duration]
	// Elapsed is the thread's age (JDK 11 and newer, 10 ms).
	Elapsed Opt[time.Duration]
	// Allocated is the bytes allocated since the thread started (with -e).
	Allocated Opt[int64]
	// DefinedClasses counts the classes this thread defined (with -e).
	DefinedClasses Opt[int64]

	// Condition is the header's state words: "runnable", "waiting on condition",
	// "in Object.wait()", "waiting for monitor entry", "sleeping". Empty for a
	// thread that carries a virtual one.
	Condition string
	// State is java.lang.Thread.State, StateUnknown where no line has it.
	State State
	// StateDetail is what the state line adds in brackets: "parking",
	// "on object monitor", "sleeping".
	StateDetail string

	// Stack is the call stack, innermost frame first. Equal frame lines are one
	// *Frame and equal stacks share their array: never write to it.
	Stack []*Frame
	// Locks are the monitors and synchronizers of this thread, in dump order.
	Locks []Lock

	// Carrying is the id of the virtual thread this carrier runs, zero if none;
	// MountedStack its frames where the dump has them (JDK 25 and newer).
	Carrying     int64
	MountedStack []*Frame
	// MountedLocks are the locks printed under the mounted frames; Depth counts
	// in MountedStack.
	MountedLocks []Lock
	// VirtualState is the JDK's own word for the state of a virtual thread that was read from memory: a constant of
	// java.lang.VirtualThread such as PINNED, UNPARKED or RUNNING. Empty if it is not known, and in other forms.
	VirtualState string
	// Carrier is the id of the carrier of a mounted virtual thread (JSON dumps and virtual sections).
	Carrier int64
	// Container is the JSON dump's thread container, empty elsewhere; ScopeOwner is the id
	// of the thread that opened it where it is a structured scope, else zero.
	Container  string
	ScopeOwner int64
	// StackLine is the line of the innermost frame in the input where Java code wrote
	// the dump and the others follow line by line, lock lines aside, and in virtual sections; else zero.
	StackLine int
	// Alike counts further virtual threads at the same place, in the same state,
	// waiting for an object of the same class, that WithAlikeCounted or the virtual section left out.
	Alike int

	// Unread is why frames are missing in a dump that jstall read from memory, empty if none are.
	Unread string
	// Cut is true if these are the outer ones of a thread that was not seen to run.
	Cut bool
	// Approximate is what jstall does not know exactly of the frames of a thread that ran, empty if nothing.
	Approximate string

	// Stuck is how long the thread has been at one task, in the words of the server or watchdog that wrote its
	// stack for that reason ("has been blocked for 26065 ms"); empty if it was written for another one.
	Stuck string

	// CompileTask is a compiler thread's task line ("1165  4  a.B::m (39 bytes)").
	CompileTask string
}

// State is java.lang.Thread.State.
type State uint8

const (
	StateUnknown State = iota
	New
	Runnable
	Blocked
	Waiting
	TimedWaiting
	Terminated
)

// String returns Java's name of the state, empty for StateUnknown.
func (s State) String() string {
	return [...]string{"", "NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED"}[s]
}

// Frame is one line of a stack. Frames are shared: within a dump, and from one
// dump of a Reader to the next, equal lines are one *Frame (see Interner).
// Elsewhere compare them by Text.
type Frame struct {
	// Text is the line without its leading "at ":
	// "java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)".
	Text string
	// Class is the fully qualified class with its dollars, Method the method.
	Class, Method string
	// Loader and Module are "app" and "java.base"; empty if not printed.
	// ModuleVersion is "21.0.13".
	Loader, Module, ModuleVersion string
	// File is the source file, empty if unknown; Line is zero if unknown.
	File string
	Line int
	// Native marks a native method.
	Native bool
}

// Name is "Class.method", as a report names a frame.
func (f *Frame) Name() string { return f.Class + "." + f.Method }

// LockOp is what a thread does with a monitor or synchronizer.
type LockOp uint8

const (
	// LockUnknown is a "- …" line that the parser did not know.
	LockUnknown LockOp = iota
	// WaitingToLock: blocked at a synchronized block or method.
	WaitingToLock
	// WaitingOn: in Object.wait(); the monitor is released while it waits.
	WaitingOn
	// WaitingToRelock: notified, or timed out, and blocked on taking the monitor again.
	WaitingToRelock
	// Parking: parked with this object as blocker (a j.u.c. synchronizer mostly).
	Parking
	// Locked: a monitor entered in this frame. Not held while the same thread is
	// WaitingOn or WaitingToRelock the same address.
	Locked
	// Eliminated: a lock that the JIT removed; no thread can wait for it.
	Eliminated
	// OwnsSynchronizer: from the "Locked ownable synchronizers" block (-l).
	OwnsSynchronizer
	// WaitingForClassInit: waits until another thread has initialised Class.
	WaitingForClassInit
)

// Lock is one "- locked <0x…> (a X)" line or its sisters.
type Lock struct {
	Op LockOp
	// Address identifies the object within one dump (the GC may move it
	// between dumps); zero where none is printed.
	Address uint64
	// Class is the class of the object: "java.util.ArrayList"; for a class
	// object "java.lang.Class for W". In JSON dumps also for virtual threads.
	Class string
	// Depth is the index in Stack of the frame above the line, -1 for
	// ownable synchronizers, for monitors whose frame is not known and where there is no frame.
	Depth int
	// Line in the input, from 1.
	Line int
	// Owner is the id of the owning thread where the dump itself has it (JSON
	// dumps of 25 and newer: parkBlocker.owner; virtual sections), else zero.
	Owner int64
	// OwnerName is the name of the owner where the dump has it with the lock (management interface), else empty.
	OwnerName string
	// Blocks is how many threads the dump says wait for this lock (Arthas: "<---- but blocks
	// 5 other threads!"), else zero. The dump need not list them.
	Blocks int
}

// Deadlock is one cycle of the JVM's own report.
type Deadlock struct {
	// Line of "Found one Java-level deadlock:" in the input.
	Line    int
	Members []DeadlockMember
}

// DeadlockMember is one entry of the JVM's list. JDK 8 may list a bystander
// who waits for the cycle but is not in it.
type DeadlockMember struct {
	Thread string
	// Monitor is true for a monitor, false for an ownable synchronizer.
	Monitor bool
	// Address is the object's address, Class its class ("java.lang.Class" for
	// class objects).
	Address uint64
	Class   string
	HeldBy  string
	Line    int
}
