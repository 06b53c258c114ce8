// Package limits lists the kernel's limits of a process, and how much of each is used.
package limits

import (
	"fmt"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// limitShare is the part of a limit in use from which it counts as near: the next burst reaches it, and what fails then
// (a socket, a thread, the process itself) fails without a trace in a dump.
const limitShare = 0.95

// limitReached is the part of a limit in use from which requests for more have likely failed already.
const limitReached = 0.98

// limitLeast is the smallest limit that is reported: with a limit of 20, the last free one is already at 95 %.
const limitLeast = 64

// limit is something that the kernel bounds.
type limit struct {
	what, unit string
	usage      timeline.Usage
	advice     string
	// fails is the error that the program gets when the limit is used up; empty if there is no such error.
	fails string
	// refusal is the code of an attach attempt that was not made because of this limit.
	refusal string
}

// The codes of attach attempts that were not made for lack of room, as in package attach.
const (
	NoThreadRoom = "no-thread-room"
	NoFileRoom   = "no-file-room"
	NoMemoryRoom = "no-memory-room"
	NoSpace      = "no-space"
)

// Near returns the findings on the limits of a process; none if m is nil. The limit for which an attempt was refused is
// left out, because it already has a finding.
func Near(m *timeline.Machine, refusal string) []finding.Candidate {
	if m == nil {
		return nil
	}
	var found []finding.Candidate
	for _, l := range []limit{
		{"open files", "", m.OpenFiles,
			"Find streams and sockets that are never closed (ls -l /proc/PID/fd), or raise the limit (ulimit -n).",
			"Too many open files", NoFileRoom},
		{"threads of the control group", "", m.GroupTasks, "Find threads that never end, or raise pids.max.",
			"unable to create native thread", NoThreadRoom},
		{"threads of the machine", "", m.MachineTasks,
			"Find the process that starts the threads, or raise kernel.pid_max and kernel.threads-max.",
			"unable to create native thread", NoThreadRoom},
		{"memory of the control group", "MB", m.GroupMemory,
			"Lower -Xmx, reduce direct and native memory, or raise the limit: at the limit the " +
				"kernel kills the process.", "", NoMemoryRoom},
	} {
		if l.near() && l.refusal != refusal {
			found = append(found, finding.Candidate{Finding: l.finding(m)})
		}
	}
	return found
}

func (l limit) near() bool {
	used, most := l.usage.Used, l.usage.Limit
	return used.Known && most.Known && most.Value >= limitLeast && float64(used.Value) >= limitShare*float64(most.Value)
}

// reached reports whether the limit is so nearly used up that requests have likely failed, for which other threads may
// wait.
func (l limit) reached() bool {
	return l.fails != "" && float64(l.usage.Used.Value) >= limitReached*float64(l.usage.Limit.Value)
}

// OutOfFiles reports whether a process has no file descriptor left for a socket and its connection.
func OutOfFiles(m *timeline.Machine) bool {
	if m == nil {
		return false
	}
	used, most := m.OpenFiles.Used, m.OpenFiles.Limit
	return used.Known && most.Known && used.Value+1 >= most.Value
}

func (l limit) finding(m *timeline.Machine) finding.Finding {
	used, most := l.usage.Used.Value, l.usage.Limit.Value
	amount := fmt.Sprintf("%d of %d", used, most)
	if l.unit == "MB" {
		amount = timeline.Megabytes(used) + " of " + timeline.Megabytes(most)
	}
	f := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven,
		Title:    fmt.Sprintf("%s: %s in use (%s)", l.what, amount, finding.Percent(float64(used)/float64(most))),
		Advice:   l.advice,
		Evidence: []finding.Evidence{finding.Figure(amount + " " + l.what)},
	}
	if l.reached() {
		f.Advice += fmt.Sprintf(" Search the log for \"%s\": other threads may wait for the operation that failed.",
			l.fails)
	}
	if l.unit == "MB" && m.MemoryDenied.Known && m.MemoryDenied.Value > 0 {
		f.Evidence = append(f.Evidence,
			finding.Figure(fmt.Sprintf("the limit was reached %d times", m.MemoryDenied.Value)))
	}
	return f
}
