package exhausted

import (
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// limited finds a rate limiter that lets next to nobody through: two threads or more
// stood in it over the whole capture and were not woken even once, and at most one of the
// others was. Where more got on, the rate may be what it is meant to be: a hint.
func limited(f *timeline.Timeline, g waits.Group) (finding.Candidate, bool) {
	stood, passed := 0, 0
	for _, w := range g.Waiters {
		if w.Dumps == len(f.Snaps) && w.Long() && f.NeverWoke(w.History) {
			stood++
		} else if resources.LimiterKey(w.Samples[0]) != "" && w.At[0] == 0 {
			passed++ // it was here before, and came back
		}
	}
	if stood < 2 || !pools.LongEnough(f) {
		return finding.Candidate{}, false
	}
	at, waiters := len(f.Snaps)-1, g.Samples()
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: limiterTitle(len(waiters), passed), Advice: limiterAdvice,
		Culprits: f.Refs(waiters), Resource: &finding.Resource{Type: "permit"}, Evidence: f.WaitEvidence(at, waiters),
	}
	if passed > 1 {
		result.Severity, result.Confidence = finding.Info, finding.Possible
	}
	return finding.Candidate{Finding: result}, true
}
