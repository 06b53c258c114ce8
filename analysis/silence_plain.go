package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// The plain reasons for a silence, which /proc tells at once: nil where one does not fit.

// ended is a JVM that is gone. That its state could not be read proves no end.
func ended(q *silence) *reason {
	if !q.process().Gone && !q.code("target-died", "no-such-process", "pid-reused") {
		return nil
	}
	return q.endInCapture()
}

// endInCapture is a JVM that was alive when the capture began.
func (q *silence) endInCapture(evidence ...string) *reason {
	p := q.process()
	r := &reason{gone: true, why: "it ended during the capture", advice: q.afterEnd(),
		evidence: append(q.sentText(), evidence...)}
	switch {
	case p.CrashLog != "":
		r.why = "it crashed during the capture; the crash log is " + p.CrashLog
		r.advice = "Read " + p.CrashLog + ": its first lines name the library that crashed."
		r.evidence = append(r.evidence, p.CrashLog+" is there")
	case p.ExitSignal.Known:
		r.why = fmt.Sprintf("it ended during the capture, killed by signal %d", p.ExitSignal.Value)
	case p.ExitCode.Known:
		r.why = fmt.Sprintf("it ended with code %d during the capture", p.ExitCode.Value)
	}
	r.why += q.afterRequest()
	r.asIfDone(p)
	q.addMemoryKills(r)
	return r
}

// asIfDone makes little of an end without a failure: a job that is done ends so.
func (r *reason) asIfDone(p *timeline.Process) {
	if p.ExitCode.Known && p.ExitCode.Value == 0 && !p.ExitSignal.Known && p.CrashLog == "" {
		r.severity = finding.Info
		r.advice = "It ended without a failure; that is a fault only if it should have gone on."
	}
}

// addMemoryKills says if the kernel killed for want of memory in the capture.
func (q *silence) addMemoryKills(r *reason) {
	killed := growthOf(q.first().Process.OOMKills, q.process().OOMKills)
	if m, n := q.first().Machine, q.last().Machine; m != nil && n != nil {
		killed = max(killed, growthOf(m.OOMKills, n.OOMKills))
	}
	if killed > 0 {
		r.why += "; the kernel killed a process for lack of memory in that time"
		r.confidence = finding.Likely
		r.advice = "Give its container or machine more memory, or lower -Xmx. dmesg names the killed process."
		r.evidence = append(r.evidence, "oom_kill of /proc/vmstat has grown by "+fmt.Sprint(killed))
	}
}

func growthOf(a, b timeline.Opt[int64]) int64 {
	if !a.Known || !b.Known {
		return 0
	}
	return b.Value - a.Value
}

func zombie(q *silence) *reason {
	p := q.process()
	if p.State != "Z" && p.State != "X" {
		return nil
	}
	if q.answered || q.first().Process.State != p.State {
		return q.endInCapture(fmt.Sprintf("state Z in /proc; its parent, process %d, has yet to collect it", p.Parent))
	}
	r := &reason{
		gone:     true,
		why:      fmt.Sprintf("it has ended (zombie), and its parent, process %d, has not collected it", p.Parent),
		advice:   fmt.Sprintf("Restart it. Process %d has to collect the zombie.", p.Parent),
		evidence: []string{"state Z in /proc"},
	}
	switch {
	case p.ExitSignal.Known:
		r.evidence = append(r.evidence, fmt.Sprintf("signal %d ended it", p.ExitSignal.Value))
	case p.ExitCode.Known:
		r.evidence = append(r.evidence, fmt.Sprintf("it ended with code %d", p.ExitCode.Value))
	}
	return r
}

func stopped(q *silence) *reason {
	p := q.process()
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
			advice:   "Continue it: " + q.attempt.Remedy,
			evidence: []string{fmt.Sprintf("state T of %s in /proc", finding.Counted(q.inState("T"), "thread"))},
		}
	}
	return nil
}

func (q *silence) inState(state string) int {
	n := 0
	for _, t := range q.threads {
		if t.last.State == state {
			n++
		}
	}
	return n
}

func frozen(q *silence) *reason {
	if !q.process().Frozen {
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

func starting(q *silence) *reason {
	p := q.process()
	young := p.Age.Known && p.Age.Value < youngest
	if !young || q.thread("Signal Dispatcher") != nil || !q.code("timeout", "no-sigquit", "not-a-jvm") {
		return nil
	}
	if q.thread("Service Thread") != nil {
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

func ignoresQuit(q *silence) *reason {
	p := q.process()
	if !q.code("no-sigquit") {
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

func disabled(q *silence) *reason {
	if !q.code("disabled") {
		return nil
	}
	return &reason{
		why: "its attach mechanism is disabled (-XX:+DisableAttachMechanism); nothing was sent",
		advice: "Start it without -XX:+DisableAttachMechanism; what /proc shows of its threads is below. kill " +
			"-QUIT makes it print a dump to its own output.",
		severity: finding.Warning,
		evidence: []string{q.attempt.Message},
	}
}

// outOfFiles is a JVM that has no descriptor left to make its attach socket with, or to take a connection.
func outOfFiles(q *silence) *reason {
	m := q.last().Machine
	if !limits.OutOfFiles(m) || !q.code("timeout") {
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

// unreachable is a JVM that may run, but to which no way leads.
func unreachable(q *silence) *reason {
	if !q.code("trigger-file", "foreign-socket", "foreign-proc", "protocol") {
		return nil
	}
	return &reason{why: q.attempt.Message, advice: "Try: " + q.attempt.Remedy, severity: finding.Warning}
}

// afterRequest says how long after the first thing that jstall sent the JVM's end was seen:
// an end so soon may be the answer's doing.
func (q *silence) afterRequest() string {
	if len(q.attempt.Sent) == 0 {
		return ", and jstall had sent it nothing"
	}
	first := q.attempt.Sent[0]
	return fmt.Sprintf(", %s after jstall's first request (%s at %s)", shortTime(first.Before), first.What, first.At)
}

// afterEnd is what to do about a JVM that has ended: also to find out whether we did it.
func (q *silence) afterEnd() string {
	log := "Read the log of what runs it (journalctl, kubectl describe pod) for how it ended."
	if len(q.attempt.Sent) == 0 {
		return log
	}
	return log + " To answer jstall the JVM starts a thread and needs memory and a file descriptor: " +
		"check its limits, since a JVM at a limit may end for that."
}

// mostSent bounds how many requests are listed one by one.
const mostSent = 4

// sentText lists what was sent: the first requests and the last.
func (q *silence) sentText() []string {
	sent := q.attempt.Sent
	if len(sent) == 0 {
		return nil
	}
	var parts []string
	for i, s := range sent {
		if i < mostSent || i == len(sent)-1 {
			parts = append(parts, fmt.Sprintf("%s at %s", s.What, s.At))
		} else if i == mostSent {
			parts = append(parts, "…")
		}
	}
	last := shortTime(sent[len(sent)-1].Before)
	return []string{fmt.Sprintf("jstall had sent %s; the end was seen %s after the last", strings.Join(parts, ", "),
		last)}
}

// shortTime is a duration with what can be read of it.
func shortTime(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return finding.Seconds(d)
}

// debugged is a JVM whose Signal Dispatcher a debugger holds as well: a request to all threads holds that one, too.
func debugged(q *silence) *reason {
	reader := q.thread(debuggerReader)
	if reader == nil || !q.code("timeout") || len(q.moments) < 2 {
		return nil
	}
	for _, t := range q.threads {
		if t.kind == "java" && !isOfAgent(t.name) && (t.running > 0 || t.last.CPU > t.first.CPU) {
			return nil
		}
	}
	return &reason{
		why:        "it is held by a Java debugger",
		advice:     debuggerAdvice,
		confidence: finding.Likely,
		evidence: []string{fmt.Sprintf("a debugger is connected: the thread %s exists; no Java thread used CPU over %s",
			finding.QuoteName(reader.name), finding.Seconds(q.wall()))},
	}
}
