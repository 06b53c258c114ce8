package locks

import (
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// carryOwners gives the locks of java.util.concurrent that a dump without -l does
// not tell the owner of the one that another dump proves, as far as a waiter and
// that owner stand still in between.
func (f *Locks) carryOwners() {
	for at := 1; at < len(f.graphs); at++ {
		f.carry(at-1, at)
	}
	for at := len(f.graphs) - 2; at >= 0; at-- {
		f.carry(at+1, at)
	}
}

// carry takes owners from one dump to the one before or after it.
func (f *Locks) carry(from, to int) {
	known, g := f.graphs[from], f.graphs[to]
	if len(known.owner) == 0 {
		return
	}
	var places map[timeline.Key]int
	for _, i := range g.Waiting {
		id := g.lock[i]
		if _, owned := g.owner[id]; owned || !parksForLock(&g.Snap.Samples[i]) {
			continue
		}
		owner := carriedOwner(f.Timeline, known, from, &g.Snap.Samples[i], to)
		if owner == nil {
			continue
		}
		if places == nil {
			places = g.Snap.Places()
		}
		g.owner[id] = places[owner.Thread.Key()]
	}
}

// parksForLock tells a wait whose owner only a dump with locks (-l) names.
func parksForLock(s *timeline.Sample) bool {
	l := s.WaitsOn()
	return l != nil && l.Op == threaddump.Parking
}

// carriedOwner is the owner of what a thread of the dump to waits for, as the dump
// from tells, nil if that tells none or one of the two was elsewhere.
func carriedOwner(f *timeline.Timeline, known *Graph, from int, waiter *timeline.Sample, to int) *timeline.Sample {
	then := f.History(waiter).SampleAt(from)
	if then == nil || !stayedBetween(then, from, waiter, to) {
		return nil
	}
	id, ok := lockOf(then)
	i, owned := known.owner[id]
	if !ok || !owned {
		return nil
	}
	holder := &known.Snap.Samples[i]
	now := f.History(holder).SampleAt(to)
	if now == nil || !stayedBetween(holder, from, now, to) {
		return nil
	}
	return now
}

// stayedBetween is stayed for dumps in either order.
func stayedBetween(a *timeline.Sample, from int, b *timeline.Sample, to int) bool {
	if from > to {
		a, b = b, a
	}
	return timeline.Stayed(a, b)
}
