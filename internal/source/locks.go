package source

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/facts/memory"
)

// LockMode says whether the JVM may be asked for the owners of java.util.concurrent locks (-l). For that the JVM walks
// its whole heap while the application is paused.
type LockMode string

const (
	// LocksAuto asks once in a capture, for its last dump, if a thread waits for such a
	// lock and the predicted pause is short enough.
	LocksAuto LockMode = "auto"
	// LocksAlways asks with every dump, LocksNever with none.
	LocksAlways LockMode = "always"
	LocksNever  LockMode = "never"
)

// DefaultMaxPause is the maximum predicted pause for LocksAuto.
const DefaultMaxPause = memory.UsualPause

// LockOutcome is the outcome of asking for lock owners in a capture.
type LockOutcome struct {
	// Asked reports that a dump was taken with them.
	Asked bool
	// Predicted is the predicted pause, zero without a prediction.
	Predicted time.Duration
	// Why says why they were not asked for although they were missing.
	Why string
}

// footnote describes the outcome for the report, empty if there is nothing to say.
func (o LockOutcome) footnote() string {
	switch {
	case o.Why != "":
		return "owners of j.u.c. locks not asked for: " + o.Why
	case o.Asked && o.Predicted > 0:
		return fmt.Sprintf("owners of j.u.c. locks asked for (-l) in the last dump: a pause of about %s predicted",
			PauseText(o.Predicted))
	}
	return ""
}

// PauseText formats a pause: 2.5 ms, 27 ms, 1.3 s.
func PauseText(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	case d < 999500*time.Microsecond:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
