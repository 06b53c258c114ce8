package flame

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/jstall/jstall/internal/order"
)

// threadID is a thread of a recording in all of its chunks: the id that Java gave it, or, of a thread of the JVM, the
// native one. The keys of constants may be others in each chunk.
type threadID struct{ java, native int64 }

// enclosure is an event from its begin to before its end, in nanoseconds since 1970, and the number of what its fields
// hold.
type enclosure struct {
	from, to int64
	values   int32
}

// enclosures are the events of one type by their threads.
type enclosures map[threadID][]enclosure

// settle makes the events of each thread disjoint and puts them in the order of time: see innermost.
func (e enclosures) settle() {
	for thread, all := range e {
		e[thread] = innermost(all)
	}
}

// at is the innermost event of a thread at a time, after settle.
func (e enclosures) at(thread threadID, when int64) (values int32, found bool) {
	all := e[thread]
	i := sort.Search(len(all), func(i int) bool { return all[i].to > when })
	if i == len(all) || all[i].from > when {
		return 0, false
	}
	return all[i].values, true
}

// innermost cuts events that nest so that each moment belongs to the one that began last, of several that began
// together to the one that ends first.
func innermost(all []enclosure) (cut []enclosure) {
	order.Sort(all, func(a, b enclosure) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	var open []enclosure
	now := int64(math.MinInt64)
	// until gives the time from now on to the innermost of the events that are open.
	until := func(end int64) {
		for len(open) > 0 && now < end {
			inner := open[len(open)-1]
			if to := min(inner.to, end); to > now {
				cut = append(cut, enclosure{now, to, inner.values})
				now = to
			}
			if inner.to > end {
				break
			}
			open = open[:len(open)-1]
		}
		now = max(now, end)
	}
	for _, e := range all {
		until(e.from)
		open = append(open, e)
	}
	until(math.MaxInt64)
	return slices.Clip(cut)
}
