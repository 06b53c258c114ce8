package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
)

// inferInitialisers infers which thread initialises a class if no line or frame shows it. Dumps of JDK 8 and 11 print
// "in Object.wait()" and RUNNABLE but not the class. An owner that initialises the superclass first has no <clinit>
// frame of the class itself.
func (g *Graph) inferInitialisers() {
	g.inferUnnamed()
	if g.Snap.Complete { // else the owner may be a thread that the dump has lost
		g.inferSubclasses()
	}
}

// inferUnnamed finds owners in a dump that names no class. If only one thread runs a static initialiser, all others
// wait for it. If two do and wait for a class, they wait for each other. With more of them the dump does not show which
// thread waits for which, unless all of them wait behind the waiting one.
func (g *Graph) inferUnnamed() {
	runners, waiters := g.initialising()
	switch {
	case len(runners) == 1:
		g.inferPair(waiters, runners[0], None)
	case len(runners) == 2 && slices.Contains(waiters, runners[0]) && slices.Contains(waiters, runners[1]):
		g.inferPair(waiters, runners[0], runners[1])
	default:
		for _, i := range waiters { // they do not wait for classes that they initialise themselves
			others := slices.DeleteFunc(slices.Clone(runners), func(r int) bool { return r == i })
			if len(others) == 1 || g.allBehind(i, others) {
				g.waitFor(i, others[0])
			}
		}
	}
}

// allBehind reports whether all of several threads that run a static initialiser wait for what a thread holds. Then the
// one that initialises the class that this thread waits for cannot go on, whichever it is.
func (g *Graph) allBehind(i int, runners []int) bool {
	return len(runners) > 0 && !slices.ContainsFunc(runners, func(r int) bool {
		return !slices.Contains(g.Waiting, r) || g.next(r) != i
	})
}

// initialising lists the threads that run static initialisers, and the threads that wait for a class that the dump does
// not name.
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

// inferPair makes a wait for b, if there is a b, and all other waiters for a. If a and b are a cycle, it does not
// matter which of them the others wait for.
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

// inferSubclasses closes cycles over classes in initialisation without a visible initialiser. If only one thread waits
// for such a class and another waits for that thread, this other one initialises the superclass first and has no
// <clinit> frame yet. If several threads wait for it, the initialiser is unknown, and their chain ends there.
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

// endChainAt removes the wait of a thread, so that it waits for no known thread.
func (g *Graph) endChainAt(i int) {
	g.Waiting = slices.DeleteFunc(g.Waiting, func(j int) bool { return j == i })
	g.lock[i] = lockID{}
}

// behindUnseen lists, for each class in initialisation without a visible initialiser, the threads that wait for a class
// that a waiter of the first class initialises.
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
