package analysis

import (
	"cmp"
	"fmt"
	"slices"
)

// inferInitialisers concludes who initialises a class where no line or frame
// tells. Dumps of JDK 8 and 11 say "in Object.wait()" and RUNNABLE but not for
// which class; and an owner that initialises the superclass first has no <clinit>
// frame of the class itself.
func (g *graph) inferInitialisers() {
	g.inferUnnamed()
	if g.snap.complete { // else the owner may be a thread that the dump has lost
		g.inferSubclasses()
	}
}

// inferUnnamed finds owners in a dump that names no class. If one thread alone
// runs a static initialiser, all others wait for it. If two do and both wait, each
// can only wait for the other. With more of them who waits for whom cannot be
// told; but if all of them wait, some wait for each other, and a circle of all is said.
// Where the only one waits too, one of the others is on its way into a subclass.
func (g *graph) inferUnnamed() {
	runners, waiters := g.initialising()
	all := true
	for _, r := range runners {
		all = all && slices.Contains(waiters, r)
	}
	switch {
	case all && len(runners) == 2:
		g.inferPair(waiters, runners[0], runners[1])
	case len(runners) == 1 && len(waiters) > 1 && slices.Contains(waiters, runners[0]) && g.bears():
		g.inferOneOfOthers(waiters, runners[0])
	case len(runners) == 1:
		g.inferPair(waiters, runners[0], none)
	case len(runners) > 2 && all && g.bears():
		g.weak = true
		for k, r := range runners {
			g.waitFor(r, runners[(k+1)%len(runners)])
		}
	}
}

// inferOneOfOthers lets the only thread in a static initialiser wait for one of the
// others, which wait for it: that one is on its way into a subclass.
func (g *graph) inferOneOfOthers(waiters []int, runner int) {
	g.weak = true
	others := slices.DeleteFunc(slices.Clone(waiters), func(i int) bool { return i == runner })
	g.waitFor(runner, g.oneOf(others))
	for _, i := range others {
		g.waitFor(i, runner)
	}
}

// oneOf lets the oldest of some threads stand for the one that initialises a class, whichever
// of them it is.
func (g *graph) oneOf(threads []int) int {
	first := slices.MinFunc(threads, func(i, j int) int {
		a, b := g.snap.samples[i].Thread, g.snap.samples[j].Thread
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	if len(threads) > 1 {
		g.either[first] = threads
	}
	return first
}

// initialising lists the threads that run static initialisers, and those that wait
// for a class which the dump does not name.
func (g *graph) initialising() (runners, waiters []int) {
	for i := range g.snap.samples {
		s := &g.snap.samples[i]
		if len(s.Stack.initialises) > 0 {
			runners = append(runners, i)
		}
		if s.wait == waitClassInit && s.waitsOn() == nil {
			waiters = append(waiters, i)
		}
	}
	return runners, waiters
}

// inferPair lets a wait for b, where there is one, and all other waiters for a;
// where the two are a cycle, either leads to it.
func (g *graph) inferPair(waiters []int, a, b int) {
	for _, i := range waiters {
		holder := a
		if i == a {
			holder = b
		}
		if holder == none {
			continue
		}
		g.waitFor(i, holder)
	}
}

// inferSubclasses closes cycles over classes that nobody is seen to initialise.
// Where a thread waits for a class that a waiter for such a class initialises, it
// initialises the superclass first and has no <clinit> of its own yet. Of several,
// which of them it is cannot be told, but that it is one, if nobody else is in a
// static initialiser.
func (g *graph) inferSubclasses() {
	for id, holders := range g.behindUnseen() {
		if len(holders) > 1 && g.initialisesBeside(g.next(holders[0])) {
			continue
		}
		g.owner[id] = g.oneOf(holders)
		g.inferred[id] = true
		g.weak = true
	}
}

// behindUnseen lists, for each class in initialisation that nobody is seen to initialise and
// one thread waits for, those that wait for a class which that thread initialises.
func (g *graph) behindUnseen() map[lockID][]int {
	behind := map[lockID][]int{}
	waiter := map[lockID]int{}
	for _, j := range g.waiting {
		i := g.next(j)
		if i == none || g.snap.samples[j].wait != waitClassInit || g.snap.samples[i].wait != waitClassInit {
			continue
		}
		id := g.lock[i]
		if _, known := g.owner[id]; id == (lockID{}) || known {
			continue
		}
		if other, known := waiter[id]; known && other != i {
			delete(behind, id) // two circles would go through one thread
			waiter[id] = none
			continue
		}
		waiter[id] = i
		behind[id] = append(behind[id], j)
	}
	return behind
}

// initialisesBeside reports that a thread other than i runs a static initialiser.
func (g *graph) initialisesBeside(i int) bool {
	for other := range g.snap.samples {
		if other != i && len(g.snap.samples[other].Stack.initialises) > 0 {
			return true
		}
	}
	return false
}

// namedEither are those threads of which one is in the circle that a report names.
func (c *cycle) namedEither() []*Sample {
	const few = 4
	return c.either[:min(few, len(c.either))]
}

// eitherTitle words a circle in which one of several threads, nobody knows which, holds what
// another one waits for.
func (f *facts) eitherTitle(c *cycle) string {
	var known, either []string
	for _, m := range c.members {
		if !slices.Contains(c.either, m.sample) {
			known = append(known, m.called())
		}
	}
	for _, s := range c.either {
		either = append(either, s.Thread.called())
	}
	are := "are"
	if !f.confirmed(c) {
		are = "may be"
	}
	return fmt.Sprintf("%s and one of %s %s deadlocked, and the others wait behind them", listed(known), listed(either), are)
}
