package live

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/jstall/jstall/attach"
)

// Checkup is the result of the checks before an attach.
type Checkup struct {
	Checks []attach.Check
	// Safe is true if an attach may be tried: nothing that it needs is known to be
	// amiss.
	Safe bool
	// Readable is true if the memory of the JVM may be read.
	Readable bool
	// Listening is true if the JVM listens, so if no signal is needed.
	Listening bool
}

// Examine makes the checks that every attach makes before it asks or signals the
// target, from the same list, and does neither. What the counters show decides nothing.
func (l *Source) Examine() Checkup {
	c := Checkup{Checks: l.Asker().attachClient().Checks(l.Asker().attachTarget())}
	c.Listening = attach.Listening(c.Checks)
	c.Safe = !slices.ContainsFunc(c.Checks, func(check attach.Check) bool { return check.Result == attach.NotOK })
	right := l.Memory().Right()
	c.Readable = right.Result == attach.OK
	if debugger, loaded := l.Target().CheckDebugger(); loaded {
		c.Checks = append(c.Checks, debugger)
	}
	if l.Process.LibJVM != "" {
		c.Checks = append(c.Checks, l.Target().CheckCounters(), right)
	} else if errors.Is(right.Err, fs.ErrPermission) {
		c.Checks = append(c.Checks, right)
	}
	return c
}
