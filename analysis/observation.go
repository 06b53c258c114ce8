// Package analysis turns observations of one JVM over time into findings. It is
// pure and deterministic: no I/O, no clock, no socket; the same observations
// give the same report, byte by byte.
package analysis

import (
	"time"

	"jstall/threaddump"
)

// Opt is a value that may be unknown; see threaddump.Opt.
type Opt[T any] = threaddump.Opt[T]

// Observation is what one look saw at one moment. Every part may be absent.
type Observation struct {
	// Dump is the thread dump, nil if none could be had.
	Dump *threaddump.Dump
	// Source names where the dump came from (a file name), empty when live.
	Source string
	// At is the time since the look began on our own monotonic clock; unknown
	// for saved dumps.
	At Opt[time.Duration]
	// Tasks are the kernel's figures per thread, by native id as the JVM prints
	// it; nil if not taken.
	Tasks map[int64]Task
	// ProcessCPU is the CPU time of the whole process so far.
	ProcessCPU Opt[time.Duration]
	// Counters are the JVM's performance counters, nil if it has none.
	Counters *Counters
	// Cores is how many cores the process may use (affinity and cgroup quota),
	// zero if unknown.
	Cores float64
	// StartTime identifies the process (kernel start time in clock ticks), zero
	// if unknown. A different one is another process under the same pid.
	StartTime uint64
	// Attempt is the failed try to get a dump, nil if it succeeded.
	Attempt *Attempt
}

// Task is what the kernel says of one thread.
type Task struct {
	// CPU is the CPU time since the thread started.
	CPU time.Duration
	// RunQueue is the time it was runnable and waited for a CPU.
	RunQueue Opt[time.Duration]
	// State is the kernel's letter: R, S, D, T, Z …
	State string
	// WaitChannel is the kernel function it sleeps in, empty if not readable.
	WaitChannel string
}

// Counters are cumulative figures of hsperfdata.
type Counters struct {
	// SafepointTime is the total time the JVM stood still, from its start.
	SafepointTime Opt[time.Duration]
	Safepoints    Opt[int64]
	// GCTime is the total time in collections of all collectors.
	GCTime  Opt[time.Duration]
	GCCount Opt[int64]
	// HeapUsed and HeapMax are bytes.
	HeapUsed, HeapMax Opt[int64]
	LoadedClasses     Opt[int64]
}

// Attempt is a failed try to get a dump.
type Attempt struct {
	// Phase is where it ended: "connect", "trigger", "read" …
	Phase   string
	Message string
	Remedy  string
}
