// Package locks finds out which thread waits for which: owners that are printed, inferred or taken from another dump,
// joins, class initialisers, and the cycles among these.
package locks

import (
	"slices"
	"strings"
	"sync"

	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Locks are the wait-for graphs of the dumps. They are computed by New and read-only, except for the threads that may
// hold a lock, which are computed for a dump when a detector first needs them.
type Locks struct {
	Timeline *timeline.Timeline
	// Objects are what was read from the JVM's memory about the objects that threads wait for and work for.
	Objects *objects.Objects
	// Cycles are the deadlocks that exist at the end of the capture.
	Cycles []*Cycle

	graphs []*Graph // one per dump
	// busy are, per dump, the threads that may hold a lock; see busyStacks.
	busy []func() [][]*timeline.Sample
}

// New computes the locks of a timeline, and adds warnings to it for deadlocks that a later dump refutes.
func New(t *timeline.Timeline) *Locks {
	f := &Locks{Timeline: t, Objects: objects.New(t)}
	for _, s := range t.Snaps {
		f.graphs = append(f.graphs, newGraph(s))
		f.busy = append(f.busy, sync.OnceValue(func() [][]*timeline.Sample { return busyStacks(s) }))
	}
	f.carryOwners()
	for _, g := range f.graphs {
		g.conclude()
	}
	f.Cycles = f.findCycles()
	return f
}

// Graph is the wait-for graph of one dump.
func (f *Locks) Graph(dump int) *Graph { return f.graphs[dump] }

// conclude adds the owners that follow from the printed ones, and walks all chains.
func (g *Graph) conclude() {
	g.dropUnowned()
	g.inferInitialisers()
	g.closeAwaited()
	g.closeQueued()
	g.inferTasks()
	for _, i := range g.Waiting {
		g.follow(i)
	}
}

// Owners maps each waiting thread of the last dump to the thread that holds what it waits for, if that is known.
func (f *Locks) Owners() map[*timeline.Sample]*timeline.Sample {
	g := f.Graph(len(f.Timeline.Snaps) - 1)
	owners := map[*timeline.Sample]*timeline.Sample{}
	for _, i := range g.Waiting {
		if owner := g.next(i); owner != None {
			owners[&g.Snap.Samples[i]] = &g.Snap.Samples[owner]
		}
	}
	return owners
}

// RootsOf follows threads that wait for a known owner to the end of their chain: they are behind, and the thread at the
// end is the root. Threads without a known owner to wait for are roots themselves.
func (f *Locks) RootsOf(at int, threads []*timeline.Sample) (behind, roots []*timeline.Sample) {
	g := f.Graph(at)
	ends := map[*timeline.Sample]*timeline.Sample{}
	for _, i := range g.Waiting {
		if root := g.Ends[i].Root; root != None {
			ends[&g.Snap.Samples[i]] = &g.Snap.Samples[root]
		}
	}
	for _, t := range threads {
		root := ends[t]
		if root == nil || root == t {
			root = t
		} else {
			behind = append(behind, t)
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return behind, roots
}

// Joined is the name of the thread that a thread of the last dump waits for to end. It is empty if the thread joins no
// other or that one is unknown.
func (f *Locks) Joined(s *timeline.Sample) string {
	if s.Stack.Op.Kind != stack.OpJoin || s.WaitsOn() == nil {
		return ""
	}
	g := f.Graph(len(f.Timeline.Snaps) - 1)
	i := slices.IndexFunc(g.Snap.Samples, func(o timeline.Sample) bool { return o.Thread == s.Thread })
	if i < 0 {
		return ""
	}
	if able := g.joinable(i); len(able) == 1 {
		return g.Snap.Samples[able[0]].Thread.Name
	}
	return ""
}

// joinable returns the threads that one in Thread.join may be waiting for. The class of the thread object must be a
// subclass of Thread with its own run method, which is at the bottom of the stacks of its threads. For a plain Thread
// no dump shows the joined thread.
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

// carryOwners completes dumps without -l, which lack the owners of locks of java.util.concurrent. It takes the owner
// from another dump if the waiter and that owner did not move in between.
func (f *Locks) carryOwners() {
	for at := 1; at < len(f.graphs); at++ {
		f.carry(at-1, at)
	}
	for at := len(f.graphs) - 2; at >= 0; at-- {
		f.carry(at+1, at)
	}
}

// carry takes owners from one dump into the one before or after it.
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

// parksForLock reports whether only a dump with locks (-l) names the owner of what the thread waits for.
func parksForLock(s *timeline.Sample) bool {
	l := s.WaitsOn()
	return l != nil && l.Op == threaddump.Parking
}

// carriedOwner is the owner, in the dump from, of what a thread of the dump to waits for. It is nil if from has no
// owner, or if the waiter or the owner was elsewhere.
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

// stayedBetween is timeline.Stayed for dumps in either order.
func stayedBetween(a *timeline.Sample, from int, b *timeline.Sample, to int) bool {
	if from > to {
		a, b = b, a
	}
	return timeline.Stayed(a, b)
}
