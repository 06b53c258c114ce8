package unresponsive

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
)

// The reasons that one reading of /proc shows.

func stopped(u *unanswered.JVM) *reason {
	p := u.Process()
	switch {
	case p.State == "t" || p.State == "T" && p.Tracer != 0:
		return &reason{
			why:      fmt.Sprintf("it is held by a debugger, process %d", p.Tracer),
			advice:   fmt.Sprintf("Detach the debugger, process %d.", p.Tracer),
			evidence: []string{fmt.Sprintf("state %s, TracerPid %d in /proc", p.State, p.Tracer)},
		}
	case p.State == "T":
		return &reason{
			why:      "it is stopped (SIGSTOP, or Ctrl-Z in its terminal)",
			advice:   "Continue it: " + u.Attempt.Remedy,
			evidence: []string{fmt.Sprintf("state T of %s in /proc", finding.Counted(inState(u, "T"), "thread"))},
		}
	}
	return nil
}

func inState(u *unanswered.JVM, state string) int {
	n := 0
	for _, t := range u.Threads {
		if t.Last.State == state {
			n++
		}
	}
	return n
}

func frozen(u *unanswered.JVM) *reason {
	if !u.Process().Frozen {
		return nil
	}
	return &reason{
		why: "its control group is frozen, as by docker pause",
		advice: "Continue it: docker unpause CONTAINER, or write 0 to cgroup.freeze (THAWED to freezer.state) of " +
			"its group.",
		evidence: []string{"the freezer of its control group says so"},
	}
}

// youngest is the age up to which a JVM counts as starting.
const youngest = 10 * time.Second

func starting(u *unanswered.JVM) *reason {
	p := u.Process()
	young := p.Age.Known && p.Age.Value < youngest
	if !young || u.Named("Signal Dispatcher") != nil || !u.HasCode("timeout", "no-sigquit", "not-a-jvm") {
		return nil
	}
	if u.Named("Service Thread") != nil {
		return nil // which comes after the other: it has started, and may be about to end
	}
	return &reason{
		why:        "it is still starting, " + finding.Seconds(p.Age.Value) + " after its start",
		advice:     "Try again in a moment.",
		severity:   finding.Warning,
		confidence: finding.Likely,
		evidence:   []string{"it has no Signal Dispatcher yet, the thread that takes the request"},
	}
}

func ignoresQuit(u *unanswered.JVM) *reason {
	p := u.Process()
	if !u.HasCode("no-sigquit") {
		return nil
	}
	r := &reason{
		why: "SIGQUIT is not caught and would end it (-Xrs or -XX:+ReduceSignalUsage), and its attach socket " +
			"is not there; nothing was sent",
		advice:   "Start it without -Xrs, or with -XX:+StartAttachListener; what /proc shows of its threads is below.",
		severity: finding.Warning,
		evidence: []string{"SigCgt and SigIgn in /proc lack signal 3"},
	}
	if p.IgnoresQuit {
		r.why = "SIGQUIT is ignored (-Xrs, started with it ignored as by nohup-like scripts), and its attach socket " +
			"is not there; nothing was sent"
		r.evidence = []string{"SigIgn in /proc has signal 3"}
	}
	return r
}

func disabled(u *unanswered.JVM) *reason {
	if !u.HasCode("disabled") {
		return nil
	}
	return &reason{
		why: "its attach mechanism is disabled (-XX:+DisableAttachMechanism); nothing was sent",
		advice: "Start it without -XX:+DisableAttachMechanism; what /proc shows of its threads is below. kill " +
			"-QUIT makes it print a dump to its own output.",
		severity: finding.Warning,
		evidence: []string{u.Attempt.Message},
	}
}

// outOfFiles is a JVM that has no descriptor left to make its attach socket with, or to take a connection.
func outOfFiles(u *unanswered.JVM) *reason {
	m := u.Last().Machine
	if !limits.OutOfFiles(m) || !u.HasCode("timeout") {
		return nil
	}
	amount := fmt.Sprintf("%d of %d file descriptors", m.OpenFiles.Used.Value, m.OpenFiles.Limit.Value)
	return &reason{
		why: "it has " + amount + " in use, and needs one for the attach socket",
		advice: "Find streams and sockets that are never closed (ls -l /proc/PID/fd); prlimit --nofile=MORE --pid " +
			"PID raises " +
			"the limit of the running process; then run jstall again.",
		confidence: finding.Likely,
		evidence:   []string{amount + " in use"},
	}
}

// unreachable is a JVM that may run, but whose attach socket cannot be reached.
func unreachable(u *unanswered.JVM) *reason {
	if !u.HasCode("trigger-file", "foreign-socket", "foreign-proc", "protocol") {
		return nil
	}
	return &reason{why: u.Attempt.Message, advice: "Try: " + u.Attempt.Remedy, severity: finding.Warning}
}
