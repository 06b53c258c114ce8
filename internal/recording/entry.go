// Package recording is the file format of readings of a JVM: raw bytes as the source gave them, each with its time and
// kind. A live reading is a recording that was never written.
package recording

import (
	"io"
	"time"
)

// Kind says what the bytes of an entry are.
type Kind string

const (
	ThreadDump Kind = "thread-dump" // text or JSON of one or more dumps
	Counters   Kind = "counters"    // hsperfdata file
	Tasks      Kind = "tasks"       // a line per kernel thread: tid, /proc's stat and schedstat
	Process    Kind = "process"     // /proc/PID/stat
	Kernel     Kind = "kernel"      // a file of the kernel about machine, process or control group
	Jcmd       Kind = "jcmd"        // the answer to a diagnostic command
	Objects    Kind = "objects"     // JSON: what threads wait for and work on, from the JVM's memory
	Virtual    Kind = "virtual"     // text: virtual threads from the JVM's memory, a virtual section of threaddump
	Flight     Kind = "flight"      // JSON: the sums of the events of a flight recording
)

// Entry is one raw fact about the target.
type Entry struct {
	Kind Kind
	// Bytes as the source gave them, nil for a failed attempt.
	Bytes []byte
	// Stream replaces Bytes if they are too many to hold (saved dumps). The reader of the entry closes it.
	Stream io.ReadCloser
	// Member reports that the entry is a file of an archive, which may hold no dump.
	Member bool
	// At is when the entry was taken, on the monotonic clock of the reading:
	// the time since the reading began. Negative if unknown (saved dumps).
	At time.Duration
	// Took is how long the request lasted.
	Took time.Duration
	// Name is the file the entry came from, the kernel's file or the diagnostic
	// command; empty for the other live ones.
	Name string
	// Err is why the attempt failed, nil if it did not.
	Err error
}
