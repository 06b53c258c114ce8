package hotthread

import (
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// provenShare is the share of a core that a thread must have used for its demand to be proven. What a thread that
// hardly ran would have used is only likely.
const provenShare = 0.5

func hotFinding(f *timeline.Timeline, hot []cpu.HotThread, severity finding.Severity,
	confidence finding.Confidence) finding.Candidate {
	sum := 0.0
	result := finding.Finding{Severity: severity, Confidence: confidence}
	for _, t := range hot {
		sum += t.Share
		r := f.Ref(t.Dominant)
		r.State = t.H.Last().Shown().String()
		r.CPUPercent = timeline.InPercent(threaddump.Known(t.Share))
		result.Culprits = append(result.Culprits, r)
		result.Evidence = append(result.Evidence, hotEvidence(f, t))
	}
	if confidence == finding.Proven && sum < provenShare*float64(len(hot)) {
		result.Confidence = finding.Likely
	}
	result.Title = hotTitle(hot, sum)
	result.Advice = hotAdvice
	if allBacktrack(hot) {
		result.Evidence = append(result.Evidence, backtrackingEvidence(f, hot[0]))
		result.Advice = backtrackingAdvice
	}
	return finding.Candidate{Finding: result}
}
