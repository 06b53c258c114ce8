package facts

import (
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Grade returns the severity and the confidence of a deadlock.
func Grade(f *timeline.Timeline, c *locks.Cycle) (finding.Severity, finding.Confidence) {
	switch {
	case locks.SeenOnlyByJava(f, c):
		return finding.Warning, finding.Likely
	case c.Timed && !locks.InAllDumps(f, c), !locks.Confirmed(f, c):
		return finding.Info, finding.Possible
	case c.Timed:
		return finding.Warning, finding.Likely
	case c.Inferred && c.Reported == nil:
		return finding.Critical, finding.Likely
	}
	return finding.Critical, finding.Proven
}
