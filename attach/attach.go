package attach

import (
	"fmt"
	"time"
)

// Target is the JVM process to ask, as found under /proc. Only PID is needed;
// what is zero is taken from /proc or left unchecked.
type Target struct {
	// PID is the process id in our pid namespace, NSPID in its innermost one.
	PID, NSPID int
	// UID and GID are the effective ids as our user namespace sees them,
	// Groups the supplementary groups. Execute takes them from /proc anew: a
	// service may have changed them since the target was found.
	UID, GID uint32
	Groups   []uint32
	// StartTime is the kernel's start time in clock ticks since boot; a process
	// with another one is not the process that was chosen.
	StartTime uint64
	// TempDir is the directory of the socket in the target's own mount
	// namespace: "/tmp", or the value of -XX:AltTempDir (JDK 28).
	TempDir string
	// SharesTemp is true if TempDir is the same folder for the target and for us. It is
	// asked for only where /proc does not show the target's own.
	SharesTemp bool
	// Major is the Java version, 8, 11, 17 …; 0 if unknown. Below 24 it saves
	// the question for the protocol version.
	Major int
	// Version is the Java version in full, as "25.0.5+9"; empty if unknown. Commands that crash some releases are not
	// sent to an unknown one.
	Version string
	// Collector is the garbage collector, as "G1" or "Shenandoah"; empty if unknown.
	Collector string
	// Capabilities is the counter sun.rt.jvmCapabilities, "" if unknown; its
	// first character is '1' where the JVM lets itself be attached to.
	Capabilities string
	// Options are the JVM's options in the order in which it takes them, those of
	// argument files and other files of options too; nil: Execute looks at the
	// command line and the environment alone. Unread names such files that could
	// not be read.
	Options, Unread []string
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

// The codes of an Error.
const (
	CodeNoProcess     = "no-such-process"
	CodeNotJVM        = "not-a-jvm"       // no HotSpot in the process
	CodeZombie        = "zombie"          // ended, not yet reaped by its parent
	CodeStopped       = "stopped"         // SIGSTOP, a debugger or a frozen cgroup
	CodeNoSIGQUIT     = "no-sigquit"      // SIGQUIT would end the process, as with -Xrs
	CodeDisabled      = "disabled"        // -XX:+DisableAttachMechanism
	CodePermission    = "permission"      // another user's, or a missing capability
	CodeTriggerFile   = "trigger-file"    // the trigger file cannot be made
	CodeForeignSocket = "foreign-socket"  // another process listens at the target's path
	CodeTimeout       = "timeout"         // no answer by the deadline
	CodeInterrupted   = "interrupted"     // the caller's context was cancelled
	CodeTargetDied    = "target-died"     // ended while it was asked
	CodeForeignProc   = "foreign-proc"    // /proc shows another pid namespace than ours
	CodePIDReused     = "pid-reused"      // another process than the one chosen
	CodeProtocol      = "protocol"        // the answer breaks the protocol
	CodeRequest       = "invalid-request" // the command cannot be sent
	CodeTooLarge      = "too-large"       // the answer is over MaxAnswer
	CodeCommandFailed = "command-failed"  // the JVM answered with another status than 0
	CodeUnsupported   = "unsupported"     // not on this operating system
	CodeThreads       = "no-thread-room"  // the JVM cannot start its listener's thread, and would end itself
	CodeHeapFull      = "heap-full"       // not asked: starting the listener takes heap that is not there
	CodeFiles         = "no-file-room"    // the JVM has no descriptor for its listener or for a connection
	CodeMemory        = "no-memory-room"  // the answer may use up the memory
	CodeSpace         = "no-space"        // the folder of the socket has no room for a file
	CodeCrash         = "known-crash"     // a bug of the target's release can end it by this command
)

// Error is a failed attach: where it ended, why, and what would help.
type Error struct {
	Phase Phase
	PID   int
	// Cause is the checked cause in one clause, Remedy what to type or do next.
	Cause, Remedy string
	// Code is a stable word for the cause, one of the Code constants.
	Code string
	// FilesLeft names trigger files that had to stay.
	FilesLeft []string
	// Triggered is true if SIGQUIT was sent, Asked if the whole command was.
	Triggered, Asked bool
	// Sent is what the target was sent, in order, At when the attach had failed.
	Sent []Sent
	At   time.Time
	Err  error
}

// Sent is something that was sent to the target: "SIGQUIT", or the name of a command.
type Sent struct {
	What string
	At   time.Time
}

func (e *Error) Error() string {
	s := fmt.Sprintf("attach to %d: %s: %s", e.PID, e.Phase, e.Cause)
	if e.Err != nil {
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Command is a request to a JVM: one of the Operations, or diagnostic commands that a user typed. The zero value is
// never sent.
type Command struct {
	name string
	args []string
	// typed marks what a user typed.
	typed bool
	// Asked, if set, is called when the request is on its way, to begin what can be
	// done while the JVM works; it must return at once.
	Asked func()
	// Early, if set, is given the body of an answer with status 0 when its first
	// bytes are there; it must return at once. The body ends before Execute returns.
	Early func(*Body)
}

// Answer is what the JVM sent.
type Answer struct {
	// Status is the number of the first line, 0 for success.
	Status int
	// Body is everything after the status line.
	Body []byte
	// Triggered is true if a SIGQUIT was needed to start the listener.
	Triggered bool
	// Protocol is the version spoken, 1 or 2.
	Protocol int
	// Took is the time from the first byte sent to the last received.
	Took time.Duration
	// Sent is what the target was sent, in order.
	Sent []Sent
}
