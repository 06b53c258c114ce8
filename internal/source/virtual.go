package source

import (
	"time"
)

// VirtualMode says whether virtual threads are listed, and how.
type VirtualMode string

const (
	// VirtualAuto runs no Java code in the JVM.
	VirtualAuto VirtualMode = "auto"
	// VirtualAlways has Java code in the JVM write them to a file (Thread.dump_to_file, 21 and newer). It refuses
	// releases that this can crash.
	VirtualAlways VirtualMode = "always"
	// VirtualNever lists none.
	VirtualNever VirtualMode = "never"
)

// VirtualOutcome is the outcome of listing virtual threads in a capture.
type VirtualOutcome struct {
	// Dumps counts those that were taken, Took is how long the JVM took to write them.
	Dumps int
	Took  time.Duration
	// Plain reports that the JVM could not write JSON, and wrote plain text.
	Plain bool
	// Why says why they were not listed although that was requested.
	Why string
}

const NotListed = "virtual threads are not listed: "

// footnote describes the outcome for the report, empty if there is nothing to say.
func (o VirtualOutcome) footnote() string {
	switch {
	case o.Why != "":
		return NotListed + o.Why
	case o.Plain:
		return "the JVM could not write its virtual threads as JSON (a thread's name has control characters); " +
			"plain text was read instead"
	}
	return ""
}

// VirtualCommand is the diagnostic command that writes all threads to a file.
const VirtualCommand = "Thread.dump_to_file"
