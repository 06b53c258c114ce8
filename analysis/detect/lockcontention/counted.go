package lockcontention

import (
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// countedContention reports locks for which the dump gives only the number of waiting threads and does not list them:
// Arthas prints only the owner ("thread -b").
func countedContention(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	listed := map[uint64]bool{}
	for i := range f.Timeline.Last().Samples {
		if l := f.Timeline.Last().Samples[i].WaitsOn(); l != nil {
			listed[l.Address] = true
		}
	}
	for _, h := range f.Timeline.Alive() {
		owner := h.Last()
		for i := range owner.Locks {
			l := &owner.Locks[i]
			if l.Op == threaddump.Locked && l.Blocks > 0 && !listed[l.Address] {
				found = append(found, countedBehind(f, owner, l))
			}
		}
	}
	return found
}

func countedBehind(f *facts.Facts, owner *timeline.Sample, l *timeline.Lock) finding.Candidate {
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: countedTitle(f, owner, l), Advice: countedAdvice,
		Resource: &finding.Resource{Type: "monitor", Class: l.Class, Address: finding.Hex(l.Address)},
		Culprits: f.Timeline.Refs([]*timeline.Sample{owner}),
		Evidence: []finding.Evidence{f.Timeline.QuoteLock(len(f.Timeline.Snaps)-1, l)},
	}
	if locks.LimitOf(owner) == locks.ByOthers {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return finding.Candidate{Finding: result}
}
