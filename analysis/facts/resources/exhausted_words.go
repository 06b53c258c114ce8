package resources

import (
	"fmt"
	"slices"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// OfOnePool names threads; more than three of one pool by its name and their number.
func OfOnePool(threads []*timeline.Sample) string {
	const named = 3
	pool := stack.PoolName(threads[0].Thread.Name)
	other := func(s *timeline.Sample) bool { return stack.PoolName(s.Thread.Name) != pool }
	if len(threads) <= named || pool == "" || slices.ContainsFunc(threads, other) {
		return timeline.QuoteThreads(threads)
	}
	return fmt.Sprintf("%s × %s", finding.Thousands(len(threads)), finding.QuoteName(pool))
}
