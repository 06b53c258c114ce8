package timeline

import (
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/threaddump"
)

// Opt is a value that may be unknown; see threaddump.Opt.
type Opt[T any] = threaddump.Opt[T]

// Observation is what was seen at one moment. Every part may be absent.
type Observation struct {
	// Dump is the thread dump, nil if none could be taken.
	Dump *threaddump.Dump
	// Source names where the dump came from (a file name), empty when live and for standard input.
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
	// Machine is what bounds the process and what it shares the machine with, nil if not taken.
	Machine *Machine
	// CodeCache is the room for compiled code, nil if not asked for.
	CodeCache *CodeCache
	// Loaders are the class loaders of the most frequent class, nil if not asked for.
	Loaders *ClassLoaders
	// Objects are what threads wait for and work for, read from the JVM's memory right after the dump; nil if that
	// was not done.
	Objects *object.Set
	// StartTime identifies the process (kernel start time in clock ticks), zero
	// if unknown. A different one is another process under the same pid.
	StartTime uint64
	// Flight is what the events of a flight recording tell, nil if there is none. It comes without a dump.
	Flight *flight.Recording
	// Attempt is the failed try to get a dump, nil if it succeeded.
	Attempt *Attempt
	// Process is what the kernel says of the process as a whole, nil if not taken:
	// it is looked at while the JVM does not answer.
	Process *Process
}

// Task is what the kernel says of one thread.
type Task struct {
	// Name is the kernel's, at most 15 bytes of the Java one; empty if not taken.
	Name string
	// CPU is the CPU time since the thread started.
	CPU time.Duration
	// RunQueue is the time it was runnable and waited for a CPU.
	RunQueue Opt[time.Duration]
	// Turns is how often it was given a CPU since it started: once for each time that it
	// woke up, and for each that it was interrupted.
	Turns Opt[int64]
	// Writes is how often it has written to a file or, from JDK 13 on, a connection since it started, Received how
	// many bytes it has read there; known of those alone that wait for one.
	Writes, Received Opt[int64]
	// State is the kernel's letter: R, S, D, T, Z …
	State string
	// WaitChannel is the kernel function it sleeps in, empty if not readable.
	WaitChannel string
	// File is what it waits for there, empty if unknown: "client-socket" that this side connected, "own-socket" if to
	// this very process, "unread-own-socket" if it has not read there what was sent, "accepted-socket", "socket" of
	// another kind, "pipe", "named-pipe", "stdin", "stdout", "file". Peer is the other end of a connection,
	// "10.0.0.5:5432", or the path of a named pipe.
	File, Peer string
}

// IsClient reports whether the thread waits on a connection that this side opened.
func (t Task) IsClient() bool { return t.File == "client-socket" || t.ConnectsToSelf() }

// ConnectsToSelf reports whether the thread waits on the other end of a connection that the same process accepted.
func (t Task) ConnectsToSelf() bool { return t.File == ownSocket || t.File == unreadOwnSocket }

// ownSocket is such an end, unreadOwnSocket one of those to which something was sent from
// there that the process has not read.
const (
	ownSocket       = "own-socket"
	unreadOwnSocket = "unread-own-socket"
)

// Counters are the JVM's performance counters, sums since its start unless said otherwise.
type Counters struct {
	// SafepointTime is the total time the JVM was stopped.
	SafepointTime Opt[time.Duration]
	Safepoints    Opt[int64]
	// GCTime is the total time in collections of all collectors.
	GCTime  Opt[time.Duration]
	GCCount Opt[int64]
	// Collector is the garbage collector's name ("G1"), GCCause why it collects
	// at this moment, empty if it does not or if unknown.
	Collector, GCCause string
	// LastGCCause is why it collected last: "System.gc()", "G1 Evacuation Pause".
	LastGCCause string
	// Collecting is the collector that has begun and not ended, empty if none has;
	// CollectingSince is the JVM's age when it began.
	Collecting      string
	CollectingSince Opt[time.Duration]
	// HeapUsed and HeapMax are bytes, now. Most collectors bring HeapUsed up to date at collections only.
	HeapUsed, HeapMax Opt[int64]
	// OldUsed and OldMax are the old generation's; unknown for a heap without one.
	OldUsed, OldMax Opt[int64]
	// SurvivorUsed is what lived through a collection and is still in the young
	// generation, in bytes. OldCollections counts the collections of the old one, of G1 its two
	// pauses for each; FullCollections those of them that stop the program for all of it.
	SurvivorUsed, OldCollections, FullCollections Opt[int64]
	// Emptied is the JVM's age at the end of the latest collection that emptied the young
	// generation: the sizes of what lived through collections are as of then.
	Emptied Opt[time.Duration]
	// EdenCapacity is the room for new objects between two collections, in bytes.
	EdenCapacity Opt[int64]
	// LoadedClasses and UnloadedClasses are sums; MetaspaceUsed is bytes, now.
	LoadedClasses, UnloadedClasses Opt[int64]
	MetaspaceUsed                  Opt[int64]
	// Threads counts the live Java threads, now.
	Threads Opt[int64]
	// Uptime is the JVM's age.
	Uptime Opt[time.Duration]
}

// HeapSection is what the heap section under a dump of SIGQUIT reports, in bytes.
type HeapSection struct {
	// Collector is the garbage collector's name ("G1"), empty if unknown.
	Collector string
	// OldUsed and OldMax are the old generation's, or the whole heap's where it has no generations.
	OldUsed, OldMax Opt[int64]
}

// ClassLoaders are the class loaders of one class, those of the JDK's own reflection left out.
type ClassLoaders struct {
	Class string
	// Loaders counts them, Classes what they have defined together, Alike the most of
	// them that have defined one and the same number of classes.
	Loaders, Classes, Alike int64
}

// CodeCache is the room for compiled code.
type CodeCache struct {
	// Size and Used are bytes.
	Size, Used Opt[int64]
	// Fullest is the share in use of its fullest part, 0 to 1.
	Fullest Opt[float64]
	// Disabled is why the JVM compiles nothing any more, empty if it does.
	Disabled string
}

// Attempt is a failed try to get a dump.
type Attempt struct {
	// Read reports whether the JVM's memory was read instead: dumps follow.
	Read bool
	// Phase is where it ended: "connect", "trigger", "read" …
	Phase   string
	Message string
	Remedy  string
	// Code is a word for the cause: "stopped", "timeout" …, those of attach.Error.
	Code string
	// Sent is what the JVM was sent until then, in order.
	Sent []Sent
}

// Sent is something that the JVM was sent: "SIGQUIT", or the name of a command. At is the
// time of day, Before how long before the end of the attempt that was.
type Sent struct {
	What, At string
	Before   time.Duration
}

// Process is what the kernel says of a process as a whole.
type Process struct {
	// State is the kernel's letter for its first thread: R, S, D, T, t, Z; empty if it could not be read.
	State string
	// Gone reports that the kernel has no such process any more.
	Gone bool
	// Frozen reports whether its control group is frozen.
	Frozen bool
	// Tracer is the process that holds it for debugging, Parent its parent, 0 without one.
	Tracer, Parent int
	// IgnoresQuit and CatchesQuit tell what it does with SIGQUIT; where both are false the signal would end it.
	IgnoresQuit, CatchesQuit bool
	// Release is the JVM's feature release, 8, 11 …; 0 if unknown.
	Release int
	// Age is the time since the process started.
	Age Opt[time.Duration]
	// Swapped is bytes, MajorFaults counts the pages that had to be read from a device.
	Swapped, MajorFaults Opt[int64]
	// Clients counts the connections to its attach listener.
	Clients int
	// OOMKills counts the processes of the whole machine that were killed for want of memory.
	OOMKills Opt[int64]
	// ExitSignal is the signal that ended it, ExitCode what it ended with; known of a zombie only.
	ExitSignal, ExitCode Opt[int]
	// CrashLog is the JVM's own account of its crash (hs_err), empty without one.
	CrashLog string
}
