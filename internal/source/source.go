// Package source declares what a source of readings is, the requests to it, and the cost for the target. A live JVM,
// saved files and recordings are sources of the same thing: raw entries.
package source

import (
	"context"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
)

// Source gives the readings of one JVM, one after the other.
type Source interface {
	// Next takes the next reading: the entries that belong together. It returns io.EOF after the last one. A reading
	// that failed is an entry with Err. The error is for failures that end the whole source (a cancelled context, an
	// unreadable file).
	Next(ctx context.Context, r Request) ([]recording.Entry, error)
	// Left is the number of remaining readings, -1 if unknown.
	Left() int
	// Cost is what the readings so far cost the target.
	Cost() Cost
}

// Request says what the next reading should have in addition to a plain dump. A source that cannot give it (a saved
// dump) ignores it.
type Request struct {
	Needs
	// Locks asks for the owners of java.util.concurrent locks (-l). For that the target walks its heap while it is
	// paused. The zero value does not ask.
	Locks LockMode
	// MaxPause bounds the predicted pause for LocksAuto.
	MaxPause time.Duration
	// Repeat asks for the last reading once more instead of the next one.
	Repeat bool
	// Standing, if set, is why the JVM is not asked, see [Unasked]: the reading shows it as one that gave no answer.
	Standing error
	// Virtual asks, after the last reading, for the virtual threads as Java code in the JVM lists them, and for nothing
	// else.
	Virtual bool
	// JavaCode allows a live source to run that code. Without it only a recording has an answer.
	JavaCode bool
	// Early, if set, receives a dump of the reading while it is still being received.
	Early func(*attach.Body)
}
