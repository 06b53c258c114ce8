package locks

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// lockID identifies what a thread waits for within one dump: an object by its address, a class in initialisation by its
// name, and a class without a name by the index, plus one, of the thread that is inferred to initialise it.
type lockID struct {
	Address  uint64
	class    string
	inferred int
	// awaited is the index, plus one, of a thread whose end or result is waited for.
	awaited int
}

func (id lockID) before(other lockID) bool {
	return cmp.Or(cmp.Compare(id.Address, other.Address), cmp.Compare(id.class, other.class)) < 0
}

// None is the index for no thread.
const None = -1

// Graph is the wait-for graph of one dump. A thread waits for one thing at a time, so every thread has at most one
// edge.
type Graph struct {
	Snap    *timeline.Snapshot
	Waiting []int // the indexes of the threads that wait for a lock
	// lock is what each thread waits for; the zero lockID if it waits for no lock.
	lock  []lockID
	owner map[lockID]int // the only thread known to hold it; absent if unknown
	// inferred marks classes whose owner is inferred. needsSecondDump reports whether an inference is not proven by one
	// dump.
	inferred        map[lockID]bool
	needsSecondDump bool
	// awaited are the threads that others wait for without a lock.
	awaited *awaited
	// tasks are the threads that wait for a task whose runner is inferred.
	tasks map[int]bool
	// queued are the tasks that no worker is left to run, by the index of the thread that waits for one.
	queued map[int]*QueuedTask
	// upgrades are the threads that wait for the write lock of a lock whose read lock they hold.
	upgrades []upgrade
	// cycles are the members of each cycle in the order of waiting. Ends is where the chain of each waiting thread
	// ends.
	cycles  [][]int
	Ends    map[int]chainEnd
	inCycle map[int]bool
	// named maps each thread of the JVM's deadlock report to the waiting threads that match it; indexed is the number
	// of waiting threads when it was built.
	named   map[reported][]int
	indexed int
}

// newGraph builds the graph from what the dump prints; conclude adds what follows from it.
func newGraph(s *timeline.Snapshot) *Graph {
	g := &Graph{
		Snap: s, lock: make([]lockID, len(s.Samples)), owner: map[lockID]int{},
		inferred: map[lockID]bool{}, tasks: map[int]bool{}, queued: map[int]*QueuedTask{}, awaited: newAwaited(s),
		Ends: map[int]chainEnd{}, inCycle: map[int]bool{},
	}
	for i := range s.Samples {
		if id, ok := lockOf(&s.Samples[i]); ok {
			g.Waiting = append(g.Waiting, i)
			g.lock[i] = id
		}
	}
	if len(g.Waiting) > 0 {
		g.findOwners()
		g.ownersByID()
		g.ownersFromReport()
		g.readOwners()
		g.dropHandedOver()
	}
	return g
}

// lockOf is what a thread waits for, if a thread can own it. An unknown synchronizer counts as well: -l may show its
// owner.
func lockOf(s *timeline.Sample) (lockID, bool) {
	l := s.WaitsOn()
	if l == nil {
		return lockID{}, false
	}
	switch {
	case s.Wait == stack.WaitClassInit:
		return lockID{class: l.Class}, l.Class != ""
	case l.Address == 0:
		return lockID{}, false
	case s.Wait.ForLock(), l.Op == threaddump.Parking && s.Wait == stack.WaitPark,
		l.Owner != 0 && s.Stack.Op.Kind != stack.OpJoin:
		return lockID{Address: l.Address}, true
	}
	return lockID{}, false
}

// next is the thread that i waits for, None if it is unknown or i waits for no thread.
func (g *Graph) next(i int) int {
	id := g.lock[i]
	if id == (lockID{}) {
		return None
	}
	owner, known := g.owner[id]
	if !known || owner == i {
		return None
	}
	return owner
}

// leadsTo reports whether a thread waits for another one, directly or through others.
func (g *Graph) leadsTo(j, i int) bool {
	for steps := 0; j != None && steps <= len(g.Waiting); steps++ {
		if j = g.next(j); j == i {
			return true
		}
	}
	return false
}

// waitFor makes a thread wait for another if no line names the lock.
func (g *Graph) waitFor(i, holder int) {
	id := lockID{inferred: holder + 1}
	g.Waiting = append(g.Waiting, i)
	g.lock[i] = id
	g.owner[id] = holder
}

// chainEnd is where a chain waiter → owner → owner of the next lock ends.
type chainEnd struct {
	// Root is the last thread of the chain: one that waits for no lock, or the first member of a cycle. Root equals
	// None if the owner of the last lock is unknown.
	Root int
	// lock is the last lock if its owner is unknown, else zero.
	lock lockID
	// cycle is an index of Graph.cycles, None if the chain ends in no cycle.
	cycle int
}

// follow walks the chain from a thread to its end, and records the end for all threads on the way. A chain that returns
// to one of its threads is a cycle.
func (g *Graph) follow(start int) {
	var path []int
	onPath := map[int]bool{}
	for i := start; ; i = g.next(i) {
		if onPath[i] {
			g.noteCycle(path, i)
			return
		}
		if end, known := g.endAt(i); known {
			g.note(path, end)
			return
		}
		path = append(path, i)
		onPath[i] = true
		if g.next(i) == None {
			g.note(path, chainEnd{Root: None, lock: g.lock[i], cycle: None})
			return
		}
	}
}

// endAt is the end of a chain that reaches i, if it is already known.
func (g *Graph) endAt(i int) (chainEnd, bool) {
	if g.lock[i] == (lockID{}) {
		return chainEnd{Root: i, cycle: None}, true
	}
	end, known := g.Ends[i]
	if known && end.cycle != None && g.inCycle[i] {
		end.Root = i
	}
	return end, known
}

func (g *Graph) note(path []int, end chainEnd) {
	for _, p := range path {
		g.Ends[p] = end
	}
}

// noteCycle records the cycle of a path whose last thread waits for entry, an earlier thread of the path.
func (g *Graph) noteCycle(path []int, entry int) {
	g.note(path, chainEnd{Root: entry, cycle: len(g.cycles)})
	members := path[slices.Index(path, entry):]
	g.cycles = append(g.cycles, members)
	for _, i := range members {
		g.inCycle[i] = true
	}
}
