package dump

import (
	"github.com/jstall/jstall/internal/hotspot/facts"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"time"
)

// Dump is what the memory of a JVM shows of its threads.
type Dump struct {
	// Untested is JVM.Untested of a core file's.
	Untested string
	// Time is when it was taken.
	Time time.Time
	// VM is the name of the JVM, Release its version, Mode how it runs Java: "OpenJDK 64-Bit
	// Server VM", "21.0.13+9", "mixed mode, sharing".
	VM, Release, Mode string
	// Major is the feature release: 8, 21.
	Major   int
	Threads []*thread.Thread
	// Ended counts threads that were in the JVM's list and that the kernel no longer has.
	Ended int
	// ListMoved reports that the list of threads changed each time it was read: threads may be missing.
	ListMoved bool
	// Collecting reports that a collection was under way that stops the program: objects may be half moved.
	Collecting bool

	// Sampling is why threads that run were not sampled, nil if they were or none runs.
	Sampling error
	// Facts are what objects hold that threads wait for or work for.
	Facts facts.Facts
	// Virtual are the virtual threads; nil of a JDK before 21.
	Virtual *virtual.Set

	// List is the address of the JVM's list of threads.
	List uint64
}
