package timeline

import (
	"time"
)

// Process is what the kernel says of a process as a whole.
type Process struct {
	// State is the kernel's letter for its first thread: R, S, D, T, t, Z; empty if
	// there is no such process any more.
	State string
	// Frozen tells that its control group is.
	Frozen bool
	// Tracer is the process that holds it for debugging, Parent its parent, 0 if
	// there is none.
	Tracer, Parent int
	// IgnoresQuit and CatchesQuit tell what it does with SIGQUIT; where both are
	// false the signal would end it.
	IgnoresQuit, CatchesQuit bool
	// Release is the JVM's feature release, 8, 11 …; 0 if unknown.
	Release int
	// Age is the time since the process started.
	Age Opt[time.Duration]
	// Swapped and Resident are bytes, MajorFaults counts the pages that had to be
	// read from a device.
	Swapped, Resident, MajorFaults Opt[int64]
	// Clients counts the connections to its attach listener.
	Clients int
	// OOMKills counts the processes of the whole machine that were killed for want
	// of memory.
	OOMKills Opt[int64]
	// ExitSignal is the signal that ended it, ExitCode what it ended with; known of
	// a zombie only.
	ExitSignal, ExitCode Opt[int]
	// CrashLog is the JVM's own account of its crash (hs_err), empty if there is none.
	CrashLog string
}
