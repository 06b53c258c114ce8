package unresponsive

import (
	"fmt"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// ended is a JVM that is gone. That its state could not be read proves no end.
func ended(u *unanswered.JVM) *reason {
	if !u.Process().Gone && !u.HasCode("target-died", "no-such-process", "pid-reused") {
		return nil
	}
	return endInCapture(u)
}

// endInCapture is a JVM that was alive when the capture began.
func endInCapture(u *unanswered.JVM, evidence ...string) *reason {
	p := u.Process()
	r := &reason{gone: true, why: "it ended during the capture", advice: afterEnd(u),
		evidence: append(sentText(u), evidence...)}
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
	r.why += afterRequest(u)
	r.asIfDone(p)
	addMemoryKills(u, r)
	return r
}

// asIfDone lowers the severity of an end without a failure, which is how a finished job ends.
func (r *reason) asIfDone(p *timeline.Process) {
	if p.ExitCode.Known && p.ExitCode.Value == 0 && !p.ExitSignal.Known && p.CrashLog == "" {
		r.severity = finding.Info
		r.advice = "It ended with exit code 0. This is a problem only if it should still run."
	}
}

// addMemoryKills adds that the OOM killer ended a process during the capture, if it did.
func addMemoryKills(u *unanswered.JVM, r *reason) {
	killed := growth(u.First().Process.OOMKills, u.Process().OOMKills)
	if m, n := u.First().Machine, u.Last().Machine; m != nil && n != nil {
		killed = max(killed, growth(m.OOMKills, n.OOMKills))
	}
	if killed > 0 {
		r.why += "; the kernel killed a process for lack of memory in that time"
		r.confidence = finding.Likely
		r.advice = "Give its container or machine more memory, or lower -Xmx. dmesg names the killed process."
		r.evidence = append(r.evidence, "oom_kill of /proc/vmstat has grown by "+fmt.Sprint(killed))
	}
}

func zombie(u *unanswered.JVM) *reason {
	p := u.Process()
	if p.State != "Z" && p.State != "X" {
		return nil
	}
	if u.Answered || u.First().Process.State != p.State {
		return endInCapture(u, fmt.Sprintf("state Z in /proc; its parent, process %d, has yet to collect it", p.Parent))
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

// afterRequest is the time from the first request of jstall to the moment at which the JVM's end was seen: an end soon
// after a request may be caused by the answer.
func afterRequest(u *unanswered.JVM) string {
	if len(u.Attempt.Sent) == 0 {
		return ", and jstall had sent it nothing"
	}
	first := u.Attempt.Sent[0]
	return fmt.Sprintf(", %s after jstall's first request (%s at %s)", shortTime(first.Before), first.What, first.At)
}

// afterEnd is the advice on a JVM that has ended, which includes how to find out whether jstall caused the end.
func afterEnd(u *unanswered.JVM) string {
	log := "Read the log of what runs it (journalctl, kubectl describe pod) for how it ended."
	if len(u.Attempt.Sent) == 0 {
		return log
	}
	return log + " To answer jstall the JVM starts a thread and needs memory and a file descriptor: " +
		"check its limits, since a JVM at a limit may end for that."
}

// mostSent bounds how many requests are listed one by one.
const mostSent = 4

// sentText lists what was sent: the first requests and the last.
func sentText(u *unanswered.JVM) []string {
	sent := u.Attempt.Sent
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

// shortTime formats a duration, in milliseconds if it is short.
func shortTime(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return finding.Seconds(d)
}
