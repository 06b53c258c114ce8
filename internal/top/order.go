package top

import (
	"cmp"
	"slices"
)

// order sorts the rows. Equal rows are sorted by role with the application first, then the blocked ones, then by name,
// so that they keep their places.
func (m *Model) order() {
	compare := map[sortBy]func(a, b *row) int{
		sortCPU:   func(a, b *row) int { return cmp.Compare(share(b), share(a)) },
		sortState: func(a, b *row) int { return cmp.Compare(stateRank(a.state), stateRank(b.state)) },
		sortName:  byName,
		sortWait:  func(a, b *row) int { return cmp.Compare(b.waited, a.waited) },
	}[m.sort]
	slices.SortFunc(m.rows, func(a, b *row) int {
		c := compare(a, b)
		if m.reverse {
			c = -c
		}
		return cmp.Or(c, roleRank(a)-roleRank(b), cmp.Compare(stateRank(a.state), stateRank(b.state)),
			cmp.Compare(b.threads, a.threads), byName(a, b))
	})
}
