package timeline

import (
	"cmp"
	"slices"

	"jstall/analysis/finding"
)

// StandEvidence quotes the application frame where each of the first few threads
// stands.
func (f *Timeline) StandEvidence(at int, threads []*Sample) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, s := range InNameOrder(threads) {
		if i := slices.Index(s.Stack.Frames, s.Stack.Application); i >= 0 && len(quotes) < shown {
			quotes = append(quotes, f.QuoteFrame(at, s, i))
		}
	}
	return quotes
}

func InNameOrder(threads []*Sample) []*Sample {
	ordered := slices.Clone(threads)
	slices.SortStableFunc(ordered, func(a, b *Sample) int {
		return cmp.Or(cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	return ordered
}
