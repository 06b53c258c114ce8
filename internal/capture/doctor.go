package capture

import (
	"errors"
	"io/fs"
	"slices"

	"jstall/attach"
	"jstall/internal/jvm"
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
// target, from the same list, and does neither. What counters and perf events tell decides nothing.
func (l *Live) Examine() Checkup {
	c := Checkup{Checks: l.attachClient().Checks(l.attachTarget())}
	c.Listening = attach.Listening(c.Checks)
	c.Safe = !slices.ContainsFunc(c.Checks, func(check attach.Check) bool { return check.Result == attach.NotOK })
	right := l.MemoryRight()
	c.Readable = right.Result == attach.OK
	if l.Process.LibJVM != "" {
		c.Checks = append(c.Checks, l.checkCounters(), right, l.PerfRight())
	} else if errors.Is(right.Err, fs.ErrPermission) {
		c.Checks = append(c.Checks, right)
	}
	return c
}

// checkCounters reports whether pauses can be measured, and collections avoided.
func (l *Live) checkCounters() attach.Check {
	check := attach.Check{Name: "counters", Result: attach.Unknown,
		Detail: "it has no performance counters: jstall cannot wait for the end of a collection, and cannot measure " +
			"pauses",
		Remedy: "start the JVM without -XX:-UsePerfData and -XX:+PerfDisableSharedMem"}
	data, err := jvm.ParsePerfData(l.counters().Bytes)
	if err != nil {
		return check
	}
	check.Result, check.Remedy, check.Detail = attach.OK, "", "they can be read, and show no collection under way"
	if data.InGC() {
		check.Detail = "they can be read; a collection is under way; jstall would wait for its end"
	}
	return check
}
