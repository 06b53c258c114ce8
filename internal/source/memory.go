package source

import (
	"errors"
	"fmt"
	"time"

	"github.com/jstall/jstall/attach"
)

// Via says how the dumps of a running JVM are taken.
type Via string

const (
	// ViaAttach asks the JVM. The zero value means the same.
	ViaAttach Via = "attach"
	// ViaMemory reads the JVM's memory, and asks it nothing.
	ViaMemory Via = "memory"
	// ViaAuto asks the JVM if that is safe and an answer is near; otherwise it reads its memory.
	ViaAuto Via = "auto"
)

// MemoryOutcome is the outcome of reading the memory of a JVM.
type MemoryOutcome struct {
	// Dumps counts the dumps that were read from memory, Before those that the JVM gave before.
	Dumps, Before int
	// WithDumps is the time for reading it in addition to dumps that the JVM gave.
	WithDumps time.Duration `json:"Beside"` // the name in recordings
	// Ended is why the JVM gave no more dumps after those of Before, nil if it gave none or all.
	Ended error
	// Instead is why the JVM was not asked or gave no dump, where no finding says it.
	Instead string
	// Unanswered is what was sent to the JVM without an answer: "SIGQUIT at 10:22:03".
	Unanswered []string
	// Why is why it could not be read when the JVM gave no dump.
	Why string
	// Untested names the processor if reading is not tested on it, empty otherwise.
	Untested string
}

// caution is a note on a reading that no test covers, empty if there is nothing to say.
func (o MemoryOutcome) caution() string {
	if o.Untested == "" {
		return ""
	}
	return "the JVM's memory was read, which is not tested on " + o.Untested +
		": stacks, locks and virtual threads may be missing or wrong"
}

// footnote describes the outcome for the report, empty if there is nothing to say.
func (o MemoryOutcome) footnote() string {
	switch {
	case o.Dumps == 0 && o.Why != "":
		return "the JVM's memory could not be read instead: " + o.Why
	case o.Dumps > 0 && o.Instead != "":
		return "the JVM was not asked: " + o.Instead
	}
	return ""
}

// UnansweredError says why a JVM stopped giving dumps in the middle of a capture. The rest was read from its memory.
type UnansweredError struct {
	// Dumps is the number of dumps that the JVM gave.
	Dumps int
	Err   error
}

func (e *UnansweredError) Error() string {
	cause := e.Err.Error()
	if a := (*attach.Error)(nil); errors.As(e.Err, &a) {
		cause = a.Cause
	}
	noun := "dumps"
	if e.Dumps == 1 {
		noun = "dump"
	}
	return fmt.Sprintf("the JVM gave %d %s and then no more: %s; the rest was read from its memory",
		e.Dumps, noun, cause)
}
