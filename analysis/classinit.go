package analysis

import "slices"

// inferInitialisers concludes who initialises a class where no frame tells: its
// owner is waiting for the superclass before its own <clinit> begins, or the dump
// is of JDK 8 or 11, which say "in Object.wait()" and RUNNABLE but not for which
// class. What it concludes are cycles of two threads; with more of them who waits
// for whom cannot be told.
func (g *graph) inferInitialisers() {
	if a, b, ok := g.unnamedPair(); ok {
		g.inferPair(a, b)
	}
	if !g.snap.complete {
		return // the owner may be a thread that the dump has lost
	}
	g.inferSubclasses()
}

// unnamedPair finds the two threads that wait for each other's classes in a dump
// that names none. Where both run static initialisers, and no other thread does,
// each can only wait for the other. Where one does and one other thread waits,
// that one may be on its way into a subclass.
func (g *graph) unnamedPair() (a, b int, ok bool) {
	var runners, waiters []int
	for i := range g.snap.samples {
		s := &g.snap.samples[i]
		if len(s.Stack.initialises) > 0 {
			runners = append(runners, i)
		}
		if s.wait == waitClassInit && s.waitsOn() == nil {
			waiters = append(waiters, i)
		}
	}
	for _, r := range runners {
		if !slices.Contains(waiters, r) {
			return 0, 0, false
		}
	}
	switch {
	case len(runners) == 2:
		g.unnamed = waiters
		return runners[0], runners[1], true
	case len(runners) == 1 && len(waiters) == 2 && g.snap.complete:
		g.unnamed, g.weak = waiters, true
		return waiters[0], waiters[1], true
	}
	return 0, 0, false
}

// inferPair lets a and b wait for each other, and all others for one of them:
// either leads to the cycle.
func (g *graph) inferPair(a, b int) {
	for _, i := range g.unnamed {
		holder := a
		if i == a {
			holder = b
		}
		id := lockID{inferred: holder + 1}
		g.waiting = append(g.waiting, i)
		g.lock[i] = id
		g.owner[id] = holder
	}
}

// inferSubclasses closes cycles over classes that nobody is seen to initialise.
// Where one thread alone waits for a class that a waiter for such a class
// initialises, that one initialises the superclass first and has no <clinit> of
// its own yet.
func (g *graph) inferSubclasses() {
	holders := map[lockID]int{}
	for _, j := range g.waiting {
		i := g.next(j)
		if i == none || g.snap.samples[j].wait != waitClassInit || g.snap.samples[i].wait != waitClassInit {
			continue
		}
		id, waits := g.lock[i]
		if _, known := g.owner[id]; !waits || known {
			continue
		}
		if _, several := holders[id]; several {
			j = none
		}
		holders[id] = j
	}
	for id, holder := range holders {
		if holder != none {
			g.owner[id] = holder
			g.inferred[id] = true
			g.weak = true
		}
	}
}
