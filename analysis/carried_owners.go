package analysis

import "jstall/threaddump"

// carryOwners gives the locks of java.util.concurrent that a dump without -l does
// not tell the owner of the one that another dump proves, as far as a waiter and
// that owner stand still in between.
func (f *lockFacts) carryOwners() {
	for at := 1; at < len(f.graphs); at++ {
		f.carry(at-1, at)
	}
	for at := len(f.graphs) - 2; at >= 0; at-- {
		f.carry(at+1, at)
	}
}

// carry takes owners from one dump to the one before or after it.
func (f *lockFacts) carry(from, to int) {
	known, g := f.graphs[from], f.graphs[to]
	if len(known.owner) == 0 {
		return
	}
	var places map[key]int
	for _, i := range g.waiting {
		id := g.lock[i]
		if _, owned := g.owner[id]; owned || !g.snap.samples[i].parksForLock() {
			continue
		}
		owner := f.carriedOwner(known, from, &g.snap.samples[i], to)
		if owner == nil {
			continue
		}
		if places == nil {
			places = g.snap.places()
		}
		g.owner[id] = places[owner.Thread.key()]
	}
}

// parksForLock tells a wait whose owner only a dump with locks (-l) names.
func (s *Sample) parksForLock() bool {
	l := s.waitsOn()
	return l != nil && l.op == threaddump.Parking
}

// carriedOwner is the owner of what a thread of the dump to waits for, as the dump
// from tells, nil if that tells none or one of the two was elsewhere.
func (f *timeline) carriedOwner(known *graph, from int, waiter *Sample, to int) *Sample {
	then := f.history(waiter).sampleAt(from)
	if then == nil || !stayedBetween(then, from, waiter, to) {
		return nil
	}
	id, ok := lockOf(then)
	i, owned := known.owner[id]
	if !ok || !owned {
		return nil
	}
	holder := &known.snap.samples[i]
	now := f.history(holder).sampleAt(to)
	if now == nil || !stayedBetween(holder, from, now, to) {
		return nil
	}
	return now
}

// stayedBetween is stayed for dumps in either order.
func stayedBetween(a *Sample, from int, b *Sample, to int) bool {
	if from > to {
		a, b = b, a
	}
	return stayed(a, b)
}
