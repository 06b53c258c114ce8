package analysis

import (
	"jstall/threaddump"
)

// inferHidden closes cycles over what the JVM does not count as owned: read locks, stamps,
// permits of semaphores, locks in a dump without -l, and the end of threads in Thread.join.
//
// Rule: a thread waits without a time limit. One other thread has come past the line where it
// asks, in the same method (see standsBeyond), or is the only one of the class that it joins: that
// one is taken for the owner. Only owners that are part of a cycle are kept. Two dumps must
// show the members where they were, without CPU used in between.
func (g *graph) inferHidden() {
	owners := map[int]int{}
	found := false
	for i := range g.snap.samples {
		if owner := g.next(i); owner != none {
			owners[i] = owner
		} else if owner := g.hiddenOwner(i); owner != none {
			owners[i], found = owner, true
		}
	}
	if !found {
		return
	}
	cycles := onCycles(owners)
	for i := range g.snap.samples {
		if cycles[i] {
			g.adopt(i, owners[i])
		}
	}
}

// hiddenOwner is the one thread whose frames show that it has what another one waits for, none
// if there is no such thread or several.
func (g *graph) hiddenOwner(i int) int {
	s := &g.snap.samples[i]
	switch {
	case s.Thread.Role != threaddump.Application || s.timed() || !s.waitsHidden():
		return none
	case s.Stack.op.kind == opJoin:
		return onlyOne(g.joinable(i))
	}
	owner := none
	for _, j := range g.standBeyond(s.Stack) {
		if l := g.snap.samples[j].waitsOn(); l != nil && l.address == s.waitsOn().address {
			continue
		}
		if owner != none {
			return none
		}
		owner = j
	}
	return owner
}

// standBeyond are the threads that may hold something and stand beyond a stack that asks. They
// are looked for once for all threads that ask there.
func (g *graph) standBeyond(asks *Stack) []int {
	if found, known := g.beyond[asks]; known {
		return found
	}
	stands := map[*Stack]bool{}
	var found []int
	for j := range g.snap.samples {
		s := &g.snap.samples[j]
		if !mayHold(s) {
			continue
		}
		is, known := stands[s.Stack]
		if !known {
			is = asks.standsBeyond(s.Stack)
			stands[s.Stack] = is
		}
		if is {
			found = append(found, j)
		}
	}
	if g.beyond == nil {
		g.beyond = map[*Stack][]int{}
	}
	g.beyond[asks] = found
	return found
}

func onlyOne(threads []int) int {
	if len(threads) != 1 {
		return none
	}
	return threads[0]
}

// waitsHidden tells waits for what one of the threads holds or is, though the JVM
// does not say which.
func (s *Sample) waitsHidden() bool {
	l := s.waitsOn()
	if l == nil || l.address == 0 {
		return false
	}
	switch s.Stack.op.kind {
	case opLock, opReadLock, opPermit:
		return l.op == threaddump.Parking
	case opJoin:
		return s.wait == waitNotify
	}
	return false
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// onCycles are the threads that come back to themselves. Each thread is walked
// over once: a chain ends where another has been before.
func onCycles(next map[int]int) map[int]bool {
	on, walk := map[int]bool{}, map[int]int{}
	for start := range next {
		i, known := start, true
		for known && walk[i] == 0 {
			walk[i] = start + 1
			i, known = next[i]
		}
		if !known || walk[i] != start+1 {
			continue
		}
		for ; !on[i]; i = next[i] {
			on[i] = true
		}
	}
	return on
}

// adopt notes a concluded owner.
func (g *graph) adopt(i, owner int) {
	if g.next(i) == owner {
		return
	}
	id := g.lock[i]
	if id == (lockID{}) {
		id = lockID{address: g.snap.samples[i].waitsOn().address}
		g.lock[i] = id
		g.waiting = append(g.waiting, i)
	}
	if _, known := g.owner[id]; !known {
		g.owner[id] = owner
		g.byFrames[id] = true
	}
}
