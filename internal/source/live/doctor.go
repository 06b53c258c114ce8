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
	// Safe reports that an attach may be tried: all its conditions hold as far as known.
	Safe bool
	// Readable reports that the memory of the JVM may be read.
	Readable bool
	// Listening reports that the JVM listens, so that no signal is needed.
	Listening bool
}

// Examine makes the checks that every attach makes before it asks or signals the target, from the same list, and does
// neither. The counters do not affect the result.
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
