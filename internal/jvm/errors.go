package jvm

import (
	"errors"
	"fmt"
	"time"
)

// ErrNoProcess means that no process has that id.
var ErrNoProcess = errors.New("no such process")

// HiddenError means that the process exists, but /proc shows nothing of it, as it is mounted with hidepid.
type HiddenError struct{ PID int }

func (e *HiddenError) Error() string {
	return fmt.Sprintf("process %d is another user's, and /proc hides it (mount option hidepid)", e.PID)
}

// ThreadError means that the id belongs to a thread, not to a process.
type ThreadError struct {
	TID, PID int
	Comm     string
}

func (e *ThreadError) Error() string {
	return fmt.Sprintf("%d is a thread (%s) of process %d", e.TID, e.Comm, e.PID)
}

// ZombieError means that the process has ended and its parent has not yet
// collected it.
type ZombieError struct {
	PID, PPID int
	Comm      string
}

func (e *ZombieError) Error() string {
	return fmt.Sprintf("process %d (%s) is a zombie: it has ended, and its parent %d has not collected it", e.PID,
		e.Comm, e.PPID)
}

// NotJVMError means that no libjvm.so is mapped into the process.
type NotJVMError struct {
	PID int
	// Exe is the path of its program, empty if it has none or it is not known.
	Exe, Comm    string
	KernelThread bool
}

func (e *NotJVMError) Error() string {
	what := e.Comm
	if e.Exe != "" {
		what = e.Exe
	}
	if e.KernelThread {
		return fmt.Sprintf("process %d is no JVM but a kernel thread (%s)", e.PID, e.Comm)
	}
	return fmt.Sprintf("process %d is no JVM: %s has no libjvm.so loaded", e.PID, what)
}

// NotReadyError means that the process is too young to be identified, or is a Java launcher that has not loaded its JVM
// yet. The caller should try again soon.
type NotReadyError struct {
	PID int
	Exe string
	Age time.Duration
}

func (e *NotReadyError) Error() string {
	return fmt.Sprintf("process %d (%s) started %v ago and has not loaded a JVM yet", e.PID, e.Exe,
		e.Age.Round(10*time.Millisecond))
}

// NotSupportedError means that the process is a Java VM but not HotSpot.
type NotSupportedError struct {
	PID int
	// Reason is a sentence.
	Reason string
}

func (e *NotSupportedError) Error() string { return fmt.Sprintf("process %d: %s", e.PID, e.Reason) }

// PermissionError means that the kernel does not allow us to inspect the process.
type PermissionError struct {
	PID  int
	Comm string
	// Owner is the user of the process, Self the user of jstall.
	Owner, Self string
	// UID and GID are the ids of the process.
	UID, GID uint32
	// Missing is the right that would help; see Found.Missing.
	Missing string
	// Forbidden reports that we have the right and are still refused.
	Forbidden bool
	Err       error
}

func (e *PermissionError) Error() string {
	s := fmt.Sprintf("process %d (%s) of user %s may not be read by user %s", e.PID, e.Comm, e.Owner, e.Self)
	if e.Missing != "" {
		s += ": that takes " + e.Missing
	}
	return s
}

func (e *PermissionError) Unwrap() error { return e.Err }
