// Package attach speaks HotSpot's attach protocol: it proves that a process may
// be asked, wakes its attach listener, sends a command and reads the answer.
package attach

import (
	"fmt"
	"time"
)

// Target is the JVM process to ask, as found under /proc.
type Target struct {
	// PID is the process id in our pid namespace, NSPID in its innermost one.
	PID, NSPID int
	// UID and GID are the effective ids as our user namespace sees them,
	// Groups the supplementary groups.
	UID, GID uint32
	Groups   []uint32
	// StartTime is the kernel's start time in clock ticks since boot; a process
	// with another one is not the process that was chosen.
	StartTime uint64
	// TempDir is the directory of the socket in the target's own mount
	// namespace: "/tmp", or the value of -XX:AltTempDir (JDK 28).
	TempDir string
}

// Phase is a step of an attach; every Error names the one it failed in.
type Phase string

const (
	PhaseCheck   Phase = "check"   // proving that the target may be asked
	PhaseTrigger Phase = "trigger" // the trigger file and SIGQUIT
	PhaseConnect Phase = "connect" // waiting for and connecting to the socket
	PhaseWrite   Phase = "write"   // sending the request
	PhaseRead    Phase = "read"    // reading the answer
	PhaseStatus  Phase = "status"  // the answer's status line
	PhaseCommand Phase = "command" // the JVM refused the command itself
)

// Error is a failed attach: where it ended, why, and what would help.
type Error struct {
	Phase Phase
	PID   int
	// Cause is the checked cause in one clause, Remedy what to type or do next.
	Cause, Remedy string
	// Code is a stable word for the cause ("no-such-process", "not-a-jvm",
	// "zombie", "stopped", "no-sigquit", "disabled", "permission", "timeout",
	// "target-died", "pid-reused", "protocol", "too-large", "command-failed" …).
	Code string
	// FilesLeft names trigger files that had to stay.
	FilesLeft []string
	Err       error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("attach to %d: %s: %s", e.PID, e.Phase, e.Cause)
	if e.Err != nil {
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Command is one attach operation: Name with up to three arguments.
type Command struct {
	Name string
	Args []string
}

// Answer is what the JVM sent.
type Answer struct {
	// Status is the number of the first line, 0 for success.
	Status int
	// Body is everything after the status line.
	Body []byte
	// Triggered tells that a SIGQUIT was needed to start the listener.
	Triggered bool
	// Protocol is the version spoken, 1 or 2.
	Protocol int
	// Took is the time from the first byte sent to the last received.
	Took time.Duration
}
