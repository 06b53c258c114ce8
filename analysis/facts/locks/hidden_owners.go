package locks

import (
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// inferHidden closes cycles over what the JVM does not count as owned: read locks, stamps,
// permits of semaphores, locks in a dump without -l, and the end of threads in Thread.join.
//
// Rule: a thread waits without a time limit. One other thread has come past the line where it
// asks, in the same method (see isPast), or is the only one of the class that it joins: that
// one is taken for the owner. Only owners that are part of a cycle are kept. Two dumps must
// show the members where they were, without CPU used in between.
func (g *Graph) inferHidden() {
	owners := map[int]int{}
	found := false
	for i := range g.Snap.Samples {
		if owner := g.next(i); owner != None {
			owners[i] = owner
		} else if owner := g.hiddenOwner(i); owner != None {
			owners[i], found = owner, true
		}
	}
	if !found {
		return
	}
	cycles := onCycles(owners)
	for i := range g.Snap.Samples {
		if cycles[i] {
			g.adopt(i, owners[i])
		}
	}
}

// hiddenOwner is the one thread whose frames show that it has what another one waits for, none
// if there is no such thread or several.
func (g *Graph) hiddenOwner(i int) int {
	s := &g.Snap.Samples[i]
	switch {
	case s.Thread.Role != threaddump.Application || s.Timed() || !waitsHidden(s):
		return None
	case s.Stack.Op.Kind == stack.OpJoin:
		return onlyOne(g.joinable(i))
	}
	owner := None
	for _, j := range g.threadsPast(s.Stack) {
		if l := g.Snap.Samples[j].WaitsOn(); l != nil && l.Address == s.WaitsOn().Address {
			continue
		}
		if owner != None {
			return None
		}
		owner = j
	}
	return owner
}

// threadsPast are the threads that may hold something and stand beyond a stack that asks. They
// are looked for once for all threads that ask there.
func (g *Graph) threadsPast(asks *stack.Stack) []int {
	if found, known := g.past[asks]; known {
		return found
	}
	stands := map[*stack.Stack]bool{}
	var found []int
	for j := range g.Snap.Samples {
		s := &g.Snap.Samples[j]
		if !isBusy(s) {
			continue
		}
		is, known := stands[s.Stack]
		if !known {
			is = isPast(asks, s.Stack)
			stands[s.Stack] = is
		}
		if is {
			found = append(found, j)
		}
	}
	if g.past == nil {
		g.past = map[*stack.Stack][]int{}
	}
	g.past[asks] = found
	return found
}

func onlyOne(threads []int) int {
	if len(threads) != 1 {
		return None
	}
	return threads[0]
}

// waitsHidden tells waits for what one of the threads holds or is, though the JVM
// does not say which.
func waitsHidden(s *timeline.Sample) bool {
	l := s.WaitsOn()
	if l == nil || l.Address == 0 {
		return false
	}
	switch s.Stack.Op.Kind {
	case stack.OpLock, stack.OpReadLock, stack.OpPermit:
		return l.Op == threaddump.Parking
	case stack.OpJoin:
		return s.Wait == stack.WaitNotify
	}
	return false
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
func (g *Graph) adopt(i, owner int) {
	if g.next(i) == owner {
		return
	}
	id := g.lock[i]
	if id == (lockID{}) {
		id = lockID{Address: g.Snap.Samples[i].WaitsOn().Address}
		g.lock[i] = id
		g.Waiting = append(g.Waiting, i)
	}
	if _, known := g.owner[id]; !known {
		g.owner[id] = owner
		g.ByFrames[id] = true
	}
}

// joinable are the threads that one in Thread.join may be waiting for, as far as the dump shows
// it: the class of the thread object is a subclass of Thread with a run method of its own, which
// stands at the bottom of the stacks of its threads. Of a plain Thread no dump tells.
func (g *Graph) joinable(i int) []int {
	class := g.Snap.Samples[i].WaitsOn().Class
	if strings.HasPrefix(class, "java.lang.") {
		return nil
	}
	var able []int
	for j := range g.Snap.Samples {
		s := &g.Snap.Samples[j]
		if n := len(s.Stack.Frames); j != i && n > 0 && s.Stack.Frames[n-1].Class == class {
			able = append(able, j)
		}
	}
	return able
}
