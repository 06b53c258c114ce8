package saturated

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// addQueued adds what was read of the executor from the JVM's memory: it has all its workers, each runs a task, and
// tasks wait. Workers that did not move over the capture are then a hint without any caller, and a warning if all wait
// for others without a time limit.
func addQueued(f *facts.Facts, p *pools.Pool, stuck bool, c *finding.Candidate) {
	e := saturatedExecutor(f, p)
	if e == nil {
		return
	}
	stood := stuck && pools.LongEnough(f.Timeline)
	switch {
	case stood && c.Severity != finding.Warning && pools.AllWaitForOthers(f.Timeline, p):
		c.Severity = finding.Warning
	case stood && c.Severity == "":
		c.Severity = finding.Info
	}
	if c.Severity == "" {
		return
	}
	c.Confidence = finding.Proven
	c.Title += "; " + e.QueueWords()
	c.Evidence = append(c.Evidence, finding.Figure(e.Words(p.Pattern)))
}

// saturatedExecutor is the executor that all workers of a pool are known to work for, if tasks wait in its queue.
func saturatedExecutor(f *facts.Facts, p *pools.Pool) *objects.Executor {
	e := f.Objects.ExecutorOfAll(p.Workers)
	absent := func(h *timeline.History) bool { return !p.Has(h) }
	if e == nil || !e.Complete() || slices.ContainsFunc(e.Threads, absent) || !e.Saturated() {
		return nil
	}
	return e
}
