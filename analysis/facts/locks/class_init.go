package locks

import (
	"slices"

	"jstall/analysis/stack"
)

// inferInitialisers concludes who initialises a class where no line or frame
// tells. Dumps of JDK 8 and 11 say "in Object.wait()" and RUNNABLE but not for
// which class; and an owner that initialises the superclass first has no <clinit>
// frame of the class itself.
func (g *Graph) inferInitialisers() {
	g.inferUnnamed()
	if g.Snap.Complete { // else the owner may be a thread that the dump has lost
		g.inferSubclasses()
	}
}

// inferUnnamed finds owners in a dump that names no class. If one thread alone
// runs a static initialiser, all others wait for it. If two do and both wait, each
// can only wait for the other. With more of them who waits for whom cannot be
// told; but if all of them wait, some wait for each other, and a cycle of all is reported.
// If the only one waits too, and one other thread, that other one is about to initialise a subclass.
func (g *Graph) inferUnnamed() {
	runners, waiters := g.initialising()
	all := true
	for _, r := range runners {
		all = all && slices.Contains(waiters, r)
	}
	switch {
	case all && len(runners) == 2:
		g.inferPair(waiters, runners[0], runners[1])
	case len(runners) == 1 && len(waiters) == 2 && slices.Contains(waiters, runners[0]) && g.isReliable():
		g.needsSecondDump = true
		g.inferPair(waiters, runners[0], waiters[1-slices.Index(waiters, runners[0])])
	case len(runners) == 1:
		g.inferPair(waiters, runners[0], None)
	case len(runners) > 2 && all && g.isReliable():
		g.needsSecondDump = true
		for k, r := range runners {
			g.waitFor(r, runners[(k+1)%len(runners)])
		}
	}
}

// initialising lists the threads that run static initialisers, and those that wait
// for a class which the dump does not name.
func (g *Graph) initialising() (runners, waiters []int) {
	for i := range g.Snap.Samples {
		s := &g.Snap.Samples[i]
		if len(s.Stack.Initialises) > 0 {
			runners = append(runners, i)
		}
		if s.Wait == stack.WaitClassInit && s.WaitsOn() == nil {
			waiters = append(waiters, i)
		}
	}
	return runners, waiters
}

// inferPair lets a wait for b, where there is one, and all other waiters for a;
// where the two are a cycle, either leads to it.
func (g *Graph) inferPair(waiters []int, a, b int) {
	for _, i := range waiters {
		holder := a
		if i == a {
			holder = b
		}
		if holder == None {
			continue
		}
		g.waitFor(i, holder)
	}
}

// inferSubclasses closes cycles over classes that nobody is seen to initialise. Where one thread
// waits for a class that a waiter for such a class initialises, it initialises the superclass
// first and has no <clinit> of its own yet. Of several no dump tells which one does: then all of
// them wait for that thread, which is the end of their chain.
func (g *Graph) inferSubclasses() {
	for id, holders := range g.behindUnseen() {
		if len(holders) > 1 {
			g.endChainAt(g.next(holders[0]))
			continue
		}
		g.owner[id] = holders[0]
		g.inferred[id] = true
		g.needsSecondDump = true
	}
}

// endChainAt makes a thread one that waits for nobody known.
func (g *Graph) endChainAt(i int) {
	g.Waiting = slices.DeleteFunc(g.Waiting, func(j int) bool { return j == i })
	g.lock[i] = lockID{}
}

// behindUnseen lists, for each class in initialisation that nobody is seen to initialise and
// one thread waits for, those that wait for a class which that thread initialises.
func (g *Graph) behindUnseen() map[lockID][]int {
	behind := map[lockID][]int{}
	waiter := map[lockID]int{}
	for _, j := range g.Waiting {
		i := g.next(j)
		if i == None || g.Snap.Samples[j].Wait != stack.WaitClassInit || g.Snap.Samples[i].Wait != stack.WaitClassInit {
			continue
		}
		id := g.lock[i]
		if _, known := g.owner[id]; id == (lockID{}) || known {
			continue
		}
		if other, known := waiter[id]; known && other != i {
			delete(behind, id) // two circles would go through one thread
			waiter[id] = None
			continue
		}
		waiter[id] = i
		behind[id] = append(behind[id], j)
	}
	return behind
}
