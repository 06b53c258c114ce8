package timeline

import (
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/threaddump"
)

// Opt is a value that may be unknown; see threaddump.Opt.
type Opt[T any] = threaddump.Opt[T]

// Observation is what was seen of a JVM at one point in time. Every part may be absent.
type Observation struct {
	// Dump is the thread dump, nil if none could be taken.
	Dump *threaddump.Dump
	// Source is the file that the dump came from; empty for a live dump and for standard input.
	Source string
	// At is the time since the capture began on our own monotonic clock; unknown for saved dumps.
	At Opt[time.Duration]
	// Tasks are the kernel's figures per thread, by native id as the JVM prints it; nil if not taken.
	Tasks map[int64]Task
	// ProcessCPU is the CPU time of the whole process so far.
	ProcessCPU Opt[time.Duration]
	// Counters are the JVM's performance counters, nil if it has none.
	Counters *Counters
	// Heap is what the heap section of the dump reports, nil if it has none.
	Heap *HeapSection
	// Cores is how many cores the process may use (affinity and cgroup quota), zero if unknown.
	Cores float64
	// Machine is the limits of the process and the load of its machine, nil if not taken.
	Machine *Machine
	// CodeCache is the space for compiled code, nil if not asked for.
	CodeCache *CodeCache
	// Loaders are the class loaders of the most frequent class, nil if not asked for.
	Loaders *ClassLoaders
	// Objects are the objects that threads wait for and work for, read from the JVM's memory right after the dump; nil
	// if memory was not read.
	Objects *object.Set
	// StartTime identifies the process (kernel start time in clock ticks), zero if unknown. A different value is
	// another process with the same pid.
	StartTime uint64
	// Flight is the events of a flight recording, or nil. It comes without a dump.
	Flight *flight.Recording
	// Attempt is the failed attempt to take a dump, nil if it succeeded.
	Attempt *Attempt
	// Process is what the kernel shows of the process as a whole, nil if not taken. It is read while the JVM does not
	// answer.
	Process *Process
}

// Task is what the kernel shows of one thread.
type Task struct {
	// Name is the kernel's name: at most 15 bytes of the Java name; empty if not taken.
	Name string
	// CPU is the CPU time since the thread started.
	CPU time.Duration
	// RunQueue is the time it was runnable and waited for a CPU.
	RunQueue Opt[time.Duration]
	// Turns is how often it got a CPU since it started: once for each time that it woke up, and for each time that it
	// was preempted.
	Turns Opt[int64]
	// Writes is how often it has written to a file or, from JDK 13 on, a connection since it started. Received is how
	// many bytes it has read there. Both are known only for threads that wait for a file or connection.
	Writes, Received Opt[int64]
	// State is the kernel's letter: R, S, D, T, Z …
	State string
	// WaitChannel is the kernel function it sleeps in, empty if not readable.
	WaitChannel string
	// File is what it waits for there, empty if unknown: "client-socket" that this side connected, "own-socket" if it
	// is connected to this very process, "unread-own-socket" if this process has not read what was sent to it there,
	// "accepted-socket", "socket" of another kind, "pipe", "named-pipe", "stdin", "stdout", "file". Peer is the other
	// end of a connection, "10.0.0.5:5432", or the path of a named pipe.
	File, Peer string
}

// IsClient reports whether the thread waits on a connection that this side opened.
func (t Task) IsClient() bool { return t.File == "client-socket" || t.ConnectsToSelf() }

// ConnectsToSelf reports whether the thread waits on the other end of a connection that the same process accepted.
func (t Task) ConnectsToSelf() bool { return t.File == ownSocket || t.File == unreadOwnSocket }

// ownSocket is a connection to the same process; unreadOwnSocket is one where the process has not read what was sent.
const (
	ownSocket       = "own-socket"
	unreadOwnSocket = "unread-own-socket"
)

// Counters are the JVM's performance counters, sums since its start unless said otherwise.
type Counters struct {
	// SafepointTime is the total time that the JVM was stopped at safepoints.
	SafepointTime Opt[time.Duration]
	Safepoints    Opt[int64]
	// GCTime is the total time of collections by all collectors.
	GCTime  Opt[time.Duration]
	GCCount Opt[int64]
	// Collector is the garbage collector's name ("G1"). GCCause is the cause of the current collection, empty if none
	// runs or it is unknown.
	Collector, GCCause string
	// LastGCCause is the cause of the last collection: "System.gc()", "G1 Evacuation Pause".
	LastGCCause string
	// Collecting is the collector that has begun a collection and not ended it, or empty. CollectingSince is the JVM's
	// age when it began.
	Collecting      string
	CollectingSince Opt[time.Duration]
	// HeapUsed and HeapMax are current bytes. Most collectors update HeapUsed only at collections.
	HeapUsed, HeapMax Opt[int64]
	// OldUsed and OldMax are the old generation's; unknown for a heap without one.
	OldUsed, OldMax Opt[int64]
	// SurvivorUsed is bytes that survived a collection and are still in the young generation. OldCollections counts
	// collections of the old generation; for G1 each has two pauses. FullCollections counts those that stop the program
	// all the time.
	SurvivorUsed, OldCollections, FullCollections Opt[int64]
	// Emptied is the JVM's age at the end of the latest collection that emptied the young generation: the sizes of
	// surviving objects are as of then.
	Emptied Opt[time.Duration]
	// EdenCapacity is the space for new objects between two collections, in bytes.
	EdenCapacity Opt[int64]
	// LoadedClasses and UnloadedClasses are sums; MetaspaceUsed is current bytes.
	LoadedClasses, UnloadedClasses Opt[int64]
	MetaspaceUsed                  Opt[int64]
	// Threads is the current number of live Java threads.
	Threads Opt[int64]
	// Uptime is the JVM's age.
	Uptime Opt[time.Duration]
}

// HeapSection is the heap section at the end of a dump of SIGQUIT, in bytes.
type HeapSection struct {
	// Collector is the garbage collector's name ("G1"), empty if unknown.
	Collector string
	// OldUsed and OldMax are the old generation's, or the whole heap's if it has no generations.
	OldUsed, OldMax Opt[int64]
}

// ClassLoaders are the class loaders of one class, without those of the JDK's own reflection.
type ClassLoaders struct {
	Class string
	// Loaders is their number, Classes the number of classes that they defined in total, and Alike the largest number
	// of them that defined the same number of classes.
	Loaders, Classes, Alike int64
}

// CodeCache is the space for compiled code.
type CodeCache struct {
	// Size and Used are bytes.
	Size, Used Opt[int64]
	// Fullest is the used share of its fullest segment, 0 to 1.
	Fullest Opt[float64]
	// Disabled is the reason why the JVM no longer compiles, empty if it does.
	Disabled string
}

// Attempt is a failed attempt to take a dump.
type Attempt struct {
	// Read reports whether the JVM's memory was read instead: dumps follow.
	Read bool
	// Phase is where the attempt ended: "connect", "trigger", "read" …
	Phase   string
	Message string
	Remedy  string
	// Code identifies the cause: "stopped", "timeout" …, as in attach.Error.
	Code string
	// Sent is what was sent to the JVM until then, in order.
	Sent []Sent
}

// Sent is something that was sent to the JVM: "SIGQUIT", or the name of a command. At is the time of day, Before how
// long before the end of the attempt that was.
type Sent struct {
	What, At string
	Before   time.Duration
}

// Process is what the kernel shows of a process as a whole.
type Process struct {
	// State is the kernel's letter for its first thread: R, S, D, T, t, Z; empty if it could not be read.
	State string
	// Gone reports whether the process no longer exists.
	Gone bool
	// Frozen reports whether its control group is frozen.
	Frozen bool
	// Tracer is the process that traces it for debugging, Parent its parent; 0 if there is no such process.
	Tracer, Parent int
	// IgnoresQuit and CatchesQuit report what it does with SIGQUIT; if both are false the signal would end it.
	IgnoresQuit, CatchesQuit bool
	// Release is the JVM's feature release, 8, 11 …; 0 if unknown.
	Release int
	// Age is the time since the process started.
	Age Opt[time.Duration]
	// Swapped is bytes. MajorFaults counts the pages that had to be read from a device.
	Swapped, MajorFaults Opt[int64]
	// Clients counts the connections to its attach listener.
	Clients int
	// OOMKills counts the processes of the whole machine that the OOM killer ended.
	OOMKills Opt[int64]
	// ExitSignal is the signal that ended it, ExitCode its exit code; known only for a zombie.
	ExitSignal, ExitCode Opt[int]
	// CrashLog is the JVM's own crash log (hs_err), empty without one.
	CrashLog string
}
