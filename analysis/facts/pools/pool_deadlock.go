package pools

import (
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// PoolDeadlockEvidence quotes what the first workers wait for and where.
func PoolDeadlockEvidence(f *timeline.Timeline, workers []*timeline.History) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, h := range workers[:min(shown, len(workers))] {
		if l := h.Last().WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(h.LastAt(), l))
		}
		quotes = append(quotes, f.PlaceEvidence(h)...)
	}
	return quotes
}
