package singlethread

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/finding"
)

// addPending adds how many tasks wait for a loop that alone can run them, if that was read from the JVM's memory. It
// proves that others depend on the loop.
func addPending(f *facts.Facts, first loops.Loop, c *finding.Candidate) {
	e := f.Objects.ExecutorOf(first.History)
	if e == nil || e.Workers != 1 || e.Waiting() == 0 {
		return
	}
	n := e.Waiting()
	c.Title += fmt.Sprintf("; %s %s for it", finding.Counted(n, "task"), finding.Verb(n, "waits", "wait"))
	if c.Severity != finding.Info {
		c.Confidence = finding.Proven
	}
	c.Evidence = append(c.Evidence, finding.Figure(e.Words(first.Thread.Name)))
}
