package analysis

import "slices"

// inferInitialisers closes the cycle of two static initialisers on JDK 8 and 11,
// whose dumps say "in Object.wait()" and RUNNABLE but not for which class. Where
// two threads run static initialisers at all and both wait so, each can only wait
// for the other. With more of them who waits for whom cannot be told.
func (g *graph) inferInitialisers() {
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
	if len(runners) != 2 || !slices.Contains(waiters, runners[0]) || !slices.Contains(waiters, runners[1]) {
		return
	}
	a, b := runners[0], runners[1]
	for _, i := range waiters {
		other := a
		if i == a {
			other = b
		}
		g.addInferred(i, other)
	}
}

// addInferred lets waiter wait for a class that holder initialises. For a thread
// outside the cycle it is one of the two, and either leads to the cycle.
func (g *graph) addInferred(waiter, holder int) {
	id := lockID{class: g.snap.samples[holder].Stack.initialises[0]}
	g.waiting = append(g.waiting, waiter)
	g.lock[waiter] = id
	g.owner[id] = holder
	g.inferred[id] = true
}
