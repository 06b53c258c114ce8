package facts

import (
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Grade says how sure and how bad a cycle is.
func Grade(f *timeline.Timeline, c *locks.Cycle) (finding.Severity, finding.Confidence) {
	confirmed := locks.Confirmed(f, c)
	switch {
	case !confirmed && c.Awaits != nil && c.Awaits.Stack.Op.Kind == stack.OpLatch:
		return finding.Warning, finding.Possible // a lock held in a wait without a time limit is a warning by itself
	case locks.SeenOnlyByJava(f, c):
		return finding.Warning, finding.Likely
	case c.Timed && !locks.StoodInAllDumps(f, c), !confirmed:
		return finding.Info, finding.Possible
	case c.Timed:
		return finding.Warning, finding.Likely
	case c.Inferred && c.Reported == nil:
		return finding.Critical, finding.Likely
	}
	return finding.Critical, finding.Proven
}
