package render

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/order"
)

// partition groups threads with equal keys, the largest group first. Groups of one size are in the order of their first
// members.
func partition[K comparable](threads []*analysis.ThreadReport,
	key func(*analysis.ThreadReport) K) [][]*analysis.ThreadReport {
	var out [][]*analysis.ThreadReport
	place := map[K]int{}
	for _, t := range threads {
		k := key(t)
		i, seen := place[k]
		if !seen {
			i = len(out)
			place[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], t)
	}
	order.SortStable(out, func(a, b []*analysis.ThreadReport) int { return cmp.Compare(sizeOf(b), sizeOf(a)) })
	return out
}

func sortByName(threads []*analysis.ThreadReport) {
	slices.SortStableFunc(threads, func(a, b *analysis.ThreadReport) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.NativeID, b.NativeID))
	})
}

func sumThreads(groups [][]*analysis.ThreadReport) int {
	n := 0
	for _, g := range groups {
		n += sizeOf(g)
	}
	return n
}
