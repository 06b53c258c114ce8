package capture

import (
	"fmt"
	"slices"

	"jstall/attach"
	"jstall/internal/jvm"
	"jstall/internal/kernel"
)

// socketThere is what attach says of the folders of a JVM that listens already.
const socketThere = "the attach socket is there"

// Checkup is what can be told of an attach before it is tried.
type Checkup struct {
	Checks []attach.Check
	// Safe tells that an attach may be tried: nothing that it needs is known to be
	// amiss.
	Safe bool
	// Listening tells that the JVM listens, so that no signal is needed.
	Listening bool
}

// Examine makes every check that an attach makes before it asks or signals the
// target, and does neither.
func (l *Live) Examine() Checkup {
	c := Checkup{Checks: l.attachClient().Checks(l.attachTarget())}
	for _, check := range c.Checks {
		c.Listening = c.Listening || check.Name == "folders" && check.Detail == socketThere
	}
	for i := range c.Checks {
		if check := &c.Checks[i]; c.Listening && check.Name == "sigquit" && check.Result == attach.NotOK {
			*check = attach.Check{Name: check.Name, Result: attach.OK,
				Detail: "SIGQUIT is not caught (-Xrs), and not needed as long as the attach socket is there"}
		}
	}
	c.Checks = append(c.Checks, l.checkFiles(c.Listening)...)
	c.Safe = !slices.ContainsFunc(c.Checks, func(check attach.Check) bool { return check.Result == attach.NotOK })
	if l.Process.LibJVM != "" {
		c.Checks = append(c.Checks, l.checkCounters())
	}
	return c
}

// checkFiles tells whether the JVM has a descriptor left for its attach socket and
// one for the connection, or for the latter alone where it listens; nothing where the
// kernel does not say.
func (l *Live) checkFiles(listening bool) []attach.Check {
	files := kernel.Files{}
	for _, e := range l.surroundings() {
		files[e.Name] = e.Bytes
	}
	used, most := files.Machine().OpenFiles.Used, files.Machine().OpenFiles.Limit
	if !used.Known || !most.Known {
		return nil
	}
	needed := int64(2)
	if listening {
		needed = 1
	}
	check := attach.Check{Name: "files", Result: attach.OK, Detail: fmt.Sprintf("%d of %d file descriptors are in use", used.Value, most.Value)}
	if used.Value+needed > most.Value {
		check.Result = attach.NotOK
		check.Detail += ", and none is left for an attach to be answered"
		check.Remedy = fmt.Sprintf("prlimit --nofile=%d --pid %d, and look for streams and sockets that are never closed (ls -l /proc/%d/fd)",
			most.Value+64, l.Process.PID, l.Process.PID)
	}
	return []attach.Check{check}
}

// checkCounters tells whether pauses can be measured, and collections avoided.
func (l *Live) checkCounters() attach.Check {
	check := attach.Check{Name: "counters", Result: attach.Unknown,
		Detail: "it has no performance counters: a collection cannot be waited for, nor a pause be measured",
		Remedy: "start the JVM without -XX:-UsePerfData and -XX:+PerfDisableSharedMem"}
	data, err := jvm.ParsePerfData(l.counters().Bytes)
	if err != nil {
		return check
	}
	check.Result, check.Remedy, check.Detail = attach.OK, "", "they can be read, and show no collection under way"
	if data.InGC() {
		check.Detail = "they can be read; a collection is under way, whose end would be waited for"
	}
	return check
}
