package locks

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// lockID identifies what a thread waits for within one dump: an object by its
// address, a class in initialisation by its name, an unknown class by one more
// than the place of the thread that is concluded to initialise it.
type lockID struct {
	Address  uint64
	class    string
	inferred int
}

// None stands where there is no thread.
const None = -1

// Graph is who waits for whom in one dump. A thread waits for one thing at a
// time, so every thread has at most one edge.
type Graph struct {
	Snap    *timeline.Snapshot
	several bool  // dumps are diagnosed, and must agree on what is concluded
	Waiting []int // the threads that wait for a lock, by their place in the dump
	// lock is what each thread waits for, the zero lockID if for none.
	lock  []lockID
	owner map[lockID]int // the one thread known to hold it; absent if unknown
	// inferred marks classes whose owner is concluded; weak tells a conclusion that
	// one dump alone does not bear.
	inferred map[lockID]bool
	weak     bool
	// byFrames marks locks whose owner follows from the frames of the threads.
	ByFrames map[lockID]bool
	// beyond are the threads that stand beyond a stack that asks for something, by that stack.
	beyond map[*stack.Stack][]int
	// tasks are the threads that wait for a task of which it is concluded who runs it.
	tasks map[int]bool
	// cycles are the members of each cycle in the order of waiting; ends is where
	// each waiting thread's chain ends.
	cycles  [][]int
	Ends    map[int]chainEnd
	inCycle map[int]bool
	// named are the threads that wait, by what a report says of them: those of indexed
	// threads that waited.
	named   map[reported][]int
	indexed int
}

// reported is a thread as the JVM's report of deadlocks tells of it.
type reported struct {
	name    string
	address uint64
}

// chainEnd is where a chain waiter → owner → owner of the next lock ends.
type chainEnd struct {
	// root is the thread that the chain ends in: one that waits for no lock, or
	// the first member of a cycle. It is none where the last lock's owner is
	// unknown.
	Root int
	// lock is that last lock of unknown owner, else zero.
	lock lockID
	// cycle counts in graph.cycles, none if the chain ends in no cycle.
	cycle int
}

// newGraph finds who waits for whom in a dump, as far as it is printed; conclude
// does the rest. Where it is one of several, more may be concluded from it, as they
// must agree.
func newGraph(s *timeline.Snapshot, several bool) *Graph {
	g := &Graph{
		Snap: s, several: several, lock: make([]lockID, len(s.Samples)), owner: map[lockID]int{},
		inferred: map[lockID]bool{}, ByFrames: map[lockID]bool{}, tasks: map[int]bool{},
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
		g.dropHandedOver()
	}
	return g
}

// bears reports that a conclusion may rest on no thread being lost: the JVM lists
// them (11 and newer), or the dump is not cut off and others must show the same.
func (g *Graph) bears() bool { return g.Snap.Complete || g.several && Whole(g.Snap) }

// lockOf is what a thread waits for, if it is something that a thread can own. A
// synchronizer that the rules do not know counts as well: -l may show its owner.
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
	case s.Wait.ForLock(), l.Op == threaddump.Parking && s.Wait == stack.WaitPark, l.Owner != 0:
		return lockID{Address: l.Address}, true
	}
	return lockID{}, false
}

// dropUnknown leaves out the waits on objects that may be no locks at all and that
// nobody is seen to own: any object can be the blocker of a parked thread.
func (g *Graph) dropUnknown() {
	g.Waiting = slices.DeleteFunc(g.Waiting, func(i int) bool {
		_, owned := g.owner[g.lock[i]]
		unknown := g.Snap.Samples[i].Wait == stack.WaitPark && !owned
		if unknown {
			g.lock[i] = lockID{}
		}
		return unknown
	})
}

// findOwners looks through the locks of all threads for those that somebody
// waits for. Two claims on one lock cancel each other: one is a lie of the
// moment, and which cannot be told.
func (g *Graph) findOwners() {
	wanted := map[lockID]bool{}
	var last lockID
	for _, i := range g.Waiting {
		if id := g.lock[i]; id != last { // many in a row wait for one lock
			wanted[id], last = true, id
		}
	}
	claimed := map[lockID]int{}
	claim := func(id lockID, i int) {
		if !wanted[id] {
			return
		}
		if other, ok := claimed[id]; ok && other != i {
			i = None
		}
		claimed[id] = i
	}
	for i := range g.Snap.Samples {
		g.claims(i, claim)
	}
	for id, i := range claimed {
		if i != None {
			g.owner[id] = i
		}
	}
}

// dropUnowned forgets the waits that might have been for a lock but have no owner:
// idle workers of other makers' pools park on their pool.
func (g *Graph) dropUnowned() {
	g.Waiting = slices.DeleteFunc(g.Waiting, func(i int) bool {
		_, owned := g.owner[g.lock[i]]
		drop := !owned && !g.Snap.Samples[i].Wait.ForLock()
		if drop {
			g.lock[i] = lockID{}
		}
		return drop
	})
}

// claims tells what a thread holds: monitors, synchronizers, and the classes
// whose static initialiser it runs.
func (g *Graph) claims(i int, claim func(lockID, int)) {
	s := &g.Snap.Samples[i]
	for j := range s.Locks {
		address := s.Locks[j].Address
		if address != 0 && s.Holding(address) != nil {
			claim(lockID{Address: address}, i)
		}
	}
	for _, class := range s.Stack.Initialises {
		claim(lockID{class: class}, i)
	}
}

// dropHandedOver forgets the waits for locks that are just being given on.
func (g *Graph) dropHandedOver() {
	for id, i := range g.owner {
		if g.justGiven(i, id.Address) {
			delete(g.owner, id)
			g.Waiting = slices.DeleteFunc(g.Waiting, func(w int) bool { return g.lock[w] == id })
			for w := range g.lock {
				if g.lock[w] == id {
					g.lock[w] = lockID{}
				}
			}
		}
	}
}

// justGiven tells a reentrant lock of the JDK whose owner is still on its way out of the wait for
// it: no thread waits for one that it has.
func (g *Graph) justGiven(i int, address uint64) bool {
	if g.lock[i] != (lockID{Address: address}) {
		return false
	}
	l := g.Snap.Samples[i].WaitsOn()
	return l != nil && l.Op == threaddump.Parking && strings.HasPrefix(l.Class, stack.JUC+"locks.Reentrant")
}

// ownersByID takes the owners that JSON dumps name by thread id.
func (g *Graph) ownersByID() {
	var index map[int64]int
	for _, i := range g.Waiting {
		l := g.Snap.Samples[i].WaitsOn()
		if l.Owner == 0 {
			continue
		}
		if index == nil {
			index = byID(g.Snap)
		}
		if at, ok := index[l.Owner]; ok {
			g.owner[g.lock[i]] = at
		}
	}
}

func byID(s *timeline.Snapshot) map[int64]int {
	m := make(map[int64]int, len(s.Samples))
	for i := range s.Samples {
		if id := s.Samples[i].Thread.ID; id != 0 {
			m[id] = i
		}
	}
	return m
}

// ownersFromReport takes the owners that only the JVM's own deadlock report
// names: without -l nothing else tells who holds a j.u.c. lock.
func (g *Graph) ownersFromReport() {
	for _, d := range g.Snap.Deadlocks {
		members := g.resolve(d)
		for i, m := range d.Members {
			g.takeOwner(lockID{Address: m.Address}, members, nextMember(d, i))
		}
	}
}

func (g *Graph) takeOwner(id lockID, members []int, holder int) {
	if id.Address == 0 || holder == None || members[holder] == None {
		return
	}
	if _, known := g.owner[id]; !known {
		g.owner[id] = members[holder]
	}
}

// resolve finds the threads of the JVM's report by name and by what they wait
// for; none where the dump has no such thread, or several.
func (g *Graph) resolve(d threaddump.Deadlock) []int {
	if g.named == nil || g.indexed != len(g.Waiting) { // some wait no longer
		g.named, g.indexed = map[reported][]int{}, len(g.Waiting)
		for _, at := range g.Waiting {
			r := reported{g.Snap.Samples[at].Thread.Name, g.lock[at].Address}
			if of := g.named[r]; len(of) < 2 {
				g.named[r] = append(of, at)
			}
		}
	}
	found := make([]int, len(d.Members))
	for i, m := range d.Members {
		found[i] = None
		if of := g.named[reported{m.Thread, m.Address}]; len(of) == 1 {
			found[i] = of[0]
		}
	}
	return found
}

// nextMember is the member that holds what member i waits for. HotSpot prints a
// chain, each member's holder after it; the last one closes the cycle with the
// first, or on JDK 8, which may put a bystander in front, with a later one. None
// if the report is cut off before it.
func nextMember(d threaddump.Deadlock, i int) int {
	if i+1 < len(d.Members) && d.Members[i+1].Thread == d.Members[i].HeldBy {
		return i + 1
	}
	for j, m := range d.Members {
		if j != i && m.Thread == d.Members[i].HeldBy {
			return j
		}
	}
	return None
}

// next is the thread that i waits for, none if it waits for nobody known.
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

// follow walks the chain from a thread to its end, and notes the end for all
// threads on the way. A chain that comes back to itself is a cycle.
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

// endAt is where a chain ends that comes to i, if that is known already.
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

// noteCycle takes a path whose last thread waits for a thread further up, entry.
func (g *Graph) noteCycle(path []int, entry int) {
	g.note(path, chainEnd{Root: entry, cycle: len(g.cycles)})
	members := path[slices.Index(path, entry):]
	g.cycles = append(g.cycles, members)
	for _, i := range members {
		g.inCycle[i] = true
	}
}
