package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
)

// inferInitialisers concludes who initialises a class where no line or frame tells. Dumps of JDK 8 and 11 say "in
// Object.wait()" and RUNNABLE but not for which class; and an owner that initialises the superclass first has no
// <clinit> frame of the class itself.
func (g *Graph) inferInitialisers() {
	g.inferUnnamed()
	if g.Snap.Complete { // else the owner may be a thread that the dump has lost
		g.inferSubclasses()
	}
}

// inferUnnamed finds owners in a dump that names no class. If one thread alone runs a static initialiser, all others
// wait for it. If two do, one that waits for a class waits for the other. With more of them nothing tells who waits
// for whom, unless all of them are behind the one that waits.
func (g *Graph) inferUnnamed() {
	runners, waiters := g.initialising()
	switch {
	case len(runners) == 1:
		g.inferPair(waiters, runners[0], None)
	case len(runners) == 2 && slices.Contains(waiters, runners[0]) && slices.Contains(waiters, runners[1]):
		g.inferPair(waiters, runners[0], runners[1])
	default:
		for _, i := range waiters { // which do not wait for classes that they initialise themselves
			others := slices.DeleteFunc(slices.Clone(runners), func(r int) bool { return r == i })
			if len(others) == 1 || g.allBehind(i, others) {
				g.waitFor(i, others[0])
			}
		}
	}
}

// allBehind reports that all of several threads that run a static initialiser wait for what a thread holds: whichever
// of them initialises the class that it waits for cannot go on.
func (g *Graph) allBehind(i int, runners []int) bool {
	return len(runners) > 0 && !slices.ContainsFunc(runners, func(r int) bool {
		return !slices.Contains(g.Waiting, r) || g.next(r) != i
	})
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

// inferSubclasses closes cycles over classes that no thread is seen to initialise: where the one thread that waits for
// such a class is waited for by another, that other one initialises the superclass first and has no <clinit> yet. Of
// several that wait for it nothing tells which one does: it is the end of their chain.
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

// endChainAt makes a thread one that waits for no known thread.
func (g *Graph) endChainAt(i int) {
	g.Waiting = slices.DeleteFunc(g.Waiting, func(j int) bool { return j == i })
	g.lock[i] = lockID{}
}

// behindUnseen lists, for each class in initialisation that no thread is seen to initialise, the threads that wait for
// a class which a waiter for it initialises.
func (g *Graph) behindUnseen() map[lockID][]int {
	behind := map[lockID][]int{}
	for _, j := range g.Waiting {
		i := g.next(j)
		if i == None || g.Snap.Samples[j].Wait != stack.WaitClassInit || g.Snap.Samples[i].Wait != stack.WaitClassInit {
			continue
		}
		id := g.lock[i]
		if _, known := g.owner[id]; id != (lockID{}) && !known {
			behind[id] = append(behind[id], j)
		}
	}
	return behind
}
