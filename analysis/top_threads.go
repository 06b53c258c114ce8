package analysis

import (
	"cmp"
	"slices"
)

// mostQuotes is how many of the threads that do most of something are quoted at it.
const mostQuotes = 4

// allocation is what a thread allocated over the capture; unknown without -e, and on JDK 8.
func (h *history) allocation() Opt[int64] { return h.allocated }

// blameMost names the threads that do most of something, with their frames; told is false
// where the dumps do not count it (JDK 8).
func (f *timeline) blameMost(result *Finding, amount func(*history) Opt[int64]) (told bool) {
	told = slices.ContainsFunc(f.alive(), func(h *history) bool { return amount(h).Known })
	if !told {
		return false
	}
	most, total := f.mostBy(amount)
	if len(most) == 0 {
		most = f.groupWithMost(amount, total)
	}
	refs, quotes := f.atWork(most)
	result.Culprits = refs
	result.Evidence = append(result.Evidence, quotes[:min(mostQuotes, len(quotes))]...)
	return true
}

// groupWithMost are the threads of one pattern of names that together do three quarters of
// something, the greatest first, without those that do less than half of the mean. Threads
// without names are no group.
func (f *timeline) groupWithMost(amount func(*history) Opt[int64], total int64) []*history {
	sums, groups := map[string]int64{}, map[string][]*history{}
	for _, h := range f.threads {
		if a := amount(h); h.thread.program() && h.thread.Name != "" && a.Known && a.Value > 0 {
			pattern := namePattern(h.thread.Name)
			sums[pattern] += a.Value
			groups[pattern] = append(groups[pattern], h)
		}
	}
	for pattern, group := range groups {
		if 4*sums[pattern] < 3*total {
			continue
		}
		mean := sums[pattern] / int64(len(group))
		group = slices.DeleteFunc(group, func(h *history) bool { return 2*amount(h).Value < mean })
		slices.SortStableFunc(group, func(a, b *history) int { return cmp.Compare(amount(b).Value, amount(a).Value) })
		return group
	}
	return nil
}

// haveOneName tells more than two threads of one pattern of names.
func haveOneName(threads []ThreadRef) bool {
	return len(threads) > 2 && !slices.ContainsFunc(threads, func(r ThreadRef) bool {
		return namePattern(r.Name) != namePattern(threads[0].Name)
	})
}
