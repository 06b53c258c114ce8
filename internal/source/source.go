// Package source declares what a source of readings is, what a reading may be asked for and what it cost the target. A
// live JVM, saved files and recordings are sources of the same thing: raw entries.
package source

import (
	"context"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
)

// Source yields what can be seen of one JVM, one reading after the other.
type Source interface {
	// Next takes the next reading: the entries that belong to one moment. It
	// returns io.EOF after the last one. A reading that failed is an entry with
	// Err; the error is for what ends the whole source (a cancelled context, an
	// unreadable file).
	Next(ctx context.Context, r Request) ([]recording.Entry, error)
	// Left is how many readings are still to come, -1 where that is not known.
	Left() int
	// Cost says what the readings so far cost the target.
	Cost() Cost
}

// Request says what the next reading should hold beyond a plain dump. A source
// that cannot give it (a saved dump) ignores it.
type Request struct {
	Needs
	// Locks asks for the owners of java.util.concurrent locks (-l), which walks
	// the target's heap while it is paused. The zero value asks for none.
	Locks LockMode
	// MaxPause bounds that pause, as predicted, for LocksAuto.
	MaxPause time.Duration
	// Again asks for the last reading once more instead of the next one.
	Again bool
	// Standing, if set, is why the JVM is not asked, see [Unasked]: the reading shows it as one that gave no answer.
	Standing error
	// Virtual asks, after the last reading, for the virtual threads as Java code in the JVM lists them, and for nothing
	// else.
	Virtual bool
	// JavaCode allows a live source to run that code. Without it only a recording has an answer.
	JavaCode bool
	// Early, if set, is given a dump of the reading while it is still read.
	Early func(*attach.Body)
}
