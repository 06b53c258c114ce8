package cpu

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// mostQuotes is the number of threads that a finding quotes.
const mostQuotes = 4

// amountOf is how much of something a thread did or used over the capture.
type amountOf func(*timeline.History) timeline.Opt[int64]

// Allocation is what a thread allocated over the capture; unknown without -e, and on JDK 8.
func Allocation(h *timeline.History) timeline.Opt[int64] { return h.Allocated }

// BlameTopThreads names the threads that do most of something, with their frames. It returns false where the dumps do
// not count it (JDK 8).
func BlameTopThreads(f *timeline.Timeline, result *finding.Finding, amount amountOf) (told bool) {
	told = slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool { return amount(h).Known })
	if !told {
		return false
	}
	most, total := timeline.MostBy(f, amount)
	if len(most) == 0 {
		most = groupWithMost(f, amount, total)
	}
	refs, quotes := timeline.BlameWork(f, most)
	result.Culprits = refs
	result.Evidence = append(result.Evidence, quotes[:min(mostQuotes, len(quotes))]...)
	return true
}

// groupWithMost returns the threads of one name pattern that together do three quarters of something, the largest
// first, without those that do less than half of the mean. Threads without names form no group.
func groupWithMost(f *timeline.Timeline, amount amountOf, total int64) []*timeline.History {
	sums, groups := map[string]int64{}, map[string][]*timeline.History{}
	for _, h := range f.Threads {
		if a := amount(h); h.Thread.Program() && h.Thread.Name != "" && a.Known && a.Value > 0 {
			pattern := pools.NamePattern(h.Thread.Name)
			sums[pattern] += a.Value
			groups[pattern] = append(groups[pattern], h)
		}
	}
	for pattern, group := range groups {
		if 4*sums[pattern] < 3*total {
			continue
		}
		mean := sums[pattern] / int64(len(group))
		group = slices.DeleteFunc(group, func(h *timeline.History) bool { return 2*amount(h).Value < mean })
		slices.SortStableFunc(group, func(a, b *timeline.History) int {
			return cmp.Compare(amount(b).Value, amount(a).Value)
		})
		return group
	}
	return nil
}

// ShareNamePattern reports whether more than two threads have one pattern of names.
func ShareNamePattern(threads []finding.ThreadRef) bool {
	return len(threads) > 2 && !slices.ContainsFunc(threads, func(r finding.ThreadRef) bool {
		return pools.NamePattern(r.Name) != pools.NamePattern(threads[0].Name)
	})
}
