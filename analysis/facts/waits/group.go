// Package waits groups threads by what they wait for.
package waits

import (
	"cmp"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// Group is threads of the application that wait for the same thing up to the end of the capture.
type Group struct {
	Key     string
	Waiters []timeline.Still
}

// GroupWaiters groups the unchanged threads of the last dump by what they wait for; an empty key leaves a thread out.
// The groups are in the order of their keys.
func GroupWaiters(f *timeline.Timeline, key func(*timeline.Sample) string) []Group {
	byKey := map[string]*Group{}
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role != threaddump.Application || !s.Waits() || h.Idle() ||
			pausesAtWork(h) {
			continue
		}
		k := key(s)
		st := f.Unchanged(h)
		if k == "" || len(f.Snaps) > 1 && !st.Long() {
			continue
		}
		if byKey[k] == nil {
			byKey[k] = &Group{Key: k}
		}
		byKey[k].Waiters = append(byKey[k].Waiters, st)
	}
	groups := make([]Group, 0, len(byKey))
	for _, g := range byKey {
		groups = append(groups, *g)
	}
	order.Sort(groups, func(a, b Group) int { return cmp.Compare(a.Key, b.Key) })
	return groups
}

// pausesAtWork reports whether a thread parks itself for some time between two pieces of work.
func pausesAtWork(h *timeline.History) bool {
	return h.Last().Stack.Op.Kind == stack.OpPark && h.Last().Timed() && (h.Works() || allocatesEachTurn(h))
}

// allocatedPerTurn is how many bytes a thread may allocate each time that it checks for work: a boxed number or an
// iterator.
const allocatedPerTurn = 128

// allocatesEachTurn reports whether a thread loaded classes in the capture, or allocated more per turn on a CPU than a
// check for work needs.
func allocatesEachTurn(h *timeline.History) bool {
	first, last := h.Samples[0], h.Last()
	if first.Classes != timeline.Unknown && last.Classes > first.Classes {
		return true
	}
	turns := h.Turns()
	return turns > 0 && h.Allocated.Known && h.Allocated.Value > allocatedPerTurn*turns
}

// Samples are the waiters as the last dump shows them, in the order of their names.
func (g Group) Samples() []*timeline.Sample {
	samples := make([]*timeline.Sample, len(g.Waiters))
	for i, w := range g.Waiters {
		samples[i] = w.Last()
	}
	return timeline.InNameOrder(samples)
}
