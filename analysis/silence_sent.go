package analysis

import (
	"fmt"
	"strings"
	"time"

	"jstall/analysis/finding"
)

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

// mostSent bounds how many requests are told one by one.
const mostSent = 4

// sentText tells what was sent: the first requests and the last.
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
