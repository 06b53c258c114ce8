package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// lockID identifies what a thread waits for within one dump: an object by its
// address, a class in initialisation by its name, an unknown class by one more
// than the place of the thread that is concluded to initialise it.
type lockID struct {
	address  uint64
	class    string
	inferred int
}

// none stands where there is no thread.
const none = -1

// graph is who waits for whom in one dump. A thread waits for one thing at a
// time, so every thread has at most one edge.
type graph struct {
	snap    *snapshot
	several bool  // dumps are diagnosed, and must agree on what is concluded
	waiting []int // the threads that wait for a lock, by their place in the dump
	// lock is what each thread waits for, the zero lockID if for none.
	lock  []lockID
	owner map[lockID]int // the one thread known to hold it; absent if unknown
	// inferred marks classes whose owner is concluded; weak tells a conclusion that
	// one dump alone does not bear.
	inferred map[lockID]bool
	weak     bool
	// byFrames marks locks whose owner follows from the frames of the threads.
	byFrames map[lockID]bool
	// beyond are the threads that stand beyond a stack that asks for something, by that stack.
	beyond map[*Stack][]int
	// tasks are the threads that wait for a task of which it is concluded who runs it.
	tasks map[int]bool
	// cycles are the members of each cycle in the order of waiting; ends is where
	// each waiting thread's chain ends.
	cycles  [][]int
	ends    map[int]chainEnd
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
	root int
	// lock is that last lock of unknown owner, else zero.
	lock lockID
	// cycle counts in graph.cycles, none if the chain ends in no cycle.
	cycle int
}

// newGraph finds who waits for whom in a dump, as far as it is printed; conclude
// does the rest. Where it is one of several, more may be concluded from it, as they
// must agree.
func newGraph(s *snapshot, several bool) *graph {
	g := &graph{
		snap: s, several: several, lock: make([]lockID, len(s.samples)), owner: map[lockID]int{},
		inferred: map[lockID]bool{}, byFrames: map[lockID]bool{}, tasks: map[int]bool{},
		ends: map[int]chainEnd{}, inCycle: map[int]bool{},
	}
	for i := range s.samples {
		if id, ok := lockOf(&s.samples[i]); ok {
			g.waiting = append(g.waiting, i)
			g.lock[i] = id
		}
	}
	if len(g.waiting) > 0 {
		g.findOwners()
		g.ownersByID()
		g.ownersFromReport()
		g.dropHandedOver()
	}
	return g
}

// conclude adds the owners that follow from what is printed, and walks all chains.
func (g *graph) conclude() {
	g.dropUnowned()
	g.dropUnknown()
	g.inferInitialisers()
	g.inferTasks()
	if g.bears() {
		g.inferHidden()
	}
	for _, i := range g.waiting {
		g.follow(i)
	}
}

// bears reports that a conclusion may rest on no thread being lost: the JVM lists
// them (11 and newer), or the dump is not cut off and others must show the same.
func (g *graph) bears() bool { return g.snap.complete || g.several && g.snap.whole() }

// lockOf is what a thread waits for, if it is something that a thread can own. A
// synchronizer that the rules do not know counts as well: -l may show its owner.
func lockOf(s *Sample) (lockID, bool) {
	l := s.waitsOn()
	if l == nil {
		return lockID{}, false
	}
	switch {
	case s.wait == waitClassInit:
		return lockID{class: l.class}, l.class != ""
	case l.address == 0:
		return lockID{}, false
	case s.wait.forLock(), l.op == threaddump.Parking && s.wait == waitPark, l.owner != 0:
		return lockID{address: l.address}, true
	}
	return lockID{}, false
}

// dropUnknown leaves out the waits on objects that may be no locks at all and that
// nobody is seen to own: any object can be the blocker of a parked thread.
func (g *graph) dropUnknown() {
	g.waiting = slices.DeleteFunc(g.waiting, func(i int) bool {
		_, owned := g.owner[g.lock[i]]
		unknown := g.snap.samples[i].wait == waitPark && !owned
		if unknown {
			g.lock[i] = lockID{}
		}
		return unknown
	})
}

// findOwners looks through the locks of all threads for those that somebody
// waits for. Two claims on one lock cancel each other: one is a lie of the
// moment, and which cannot be told.
func (g *graph) findOwners() {
	wanted := map[lockID]bool{}
	var last lockID
	for _, i := range g.waiting {
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
			i = none
		}
		claimed[id] = i
	}
	for i := range g.snap.samples {
		g.claims(i, claim)
	}
	for id, i := range claimed {
		if i != none {
			g.owner[id] = i
		}
	}
}

// dropUnowned forgets the waits that might have been for a lock but have no owner:
// idle workers of other makers' pools park on their pool.
func (g *graph) dropUnowned() {
	g.waiting = slices.DeleteFunc(g.waiting, func(i int) bool {
		_, owned := g.owner[g.lock[i]]
		drop := !owned && !g.snap.samples[i].wait.forLock()
		if drop {
			g.lock[i] = lockID{}
		}
		return drop
	})
}

// claims tells what a thread holds: monitors, synchronizers, and the classes
// whose static initialiser it runs.
func (g *graph) claims(i int, claim func(lockID, int)) {
	s := &g.snap.samples[i]
	for j := range s.locks {
		address := s.locks[j].address
		if address != 0 && s.holding(address) != nil {
			claim(lockID{address: address}, i)
		}
	}
	for _, class := range s.Stack.initialises {
		claim(lockID{class: class}, i)
	}
}

// dropHandedOver forgets the waits for locks that are just being given on.
func (g *graph) dropHandedOver() {
	for id, i := range g.owner {
		if g.justGiven(i, id.address) {
			delete(g.owner, id)
			g.waiting = slices.DeleteFunc(g.waiting, func(w int) bool { return g.lock[w] == id })
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
func (g *graph) justGiven(i int, address uint64) bool {
	if g.lock[i] != (lockID{address: address}) {
		return false
	}
	l := g.snap.samples[i].waitsOn()
	return l != nil && l.op == threaddump.Parking && strings.HasPrefix(l.class, juc+"locks.Reentrant")
}

// ownersByID takes the owners that JSON dumps name by thread id.
func (g *graph) ownersByID() {
	var index map[int64]int
	for _, i := range g.waiting {
		l := g.snap.samples[i].waitsOn()
		if l.owner == 0 {
			continue
		}
		if index == nil {
			index = g.snap.byID()
		}
		if at, ok := index[l.owner]; ok {
			g.owner[g.lock[i]] = at
		}
	}
}

func (s *snapshot) byID() map[int64]int {
	m := make(map[int64]int, len(s.samples))
	for i := range s.samples {
		if id := s.samples[i].Thread.ID; id != 0 {
			m[id] = i
		}
	}
	return m
}

// ownersFromReport takes the owners that only the JVM's own deadlock report
// names: without -l nothing else tells who holds a j.u.c. lock.
func (g *graph) ownersFromReport() {
	for _, d := range g.snap.deadlocks {
		members := g.resolve(d)
		for i, m := range d.Members {
			g.takeOwner(lockID{address: m.Address}, members, nextMember(d, i))
		}
	}
}

func (g *graph) takeOwner(id lockID, members []int, holder int) {
	if id.address == 0 || holder == none || members[holder] == none {
		return
	}
	if _, known := g.owner[id]; !known {
		g.owner[id] = members[holder]
	}
}

// resolve finds the threads of the JVM's report by name and by what they wait
// for; none where the dump has no such thread, or several.
func (g *graph) resolve(d threaddump.Deadlock) []int {
	if g.named == nil || g.indexed != len(g.waiting) { // some wait no longer
		g.named, g.indexed = map[reported][]int{}, len(g.waiting)
		for _, at := range g.waiting {
			r := reported{g.snap.samples[at].Thread.Name, g.lock[at].address}
			if of := g.named[r]; len(of) < 2 {
				g.named[r] = append(of, at)
			}
		}
	}
	found := make([]int, len(d.Members))
	for i, m := range d.Members {
		found[i] = none
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
	return none
}

// next is the thread that i waits for, none if it waits for nobody known.
func (g *graph) next(i int) int {
	id := g.lock[i]
	if id == (lockID{}) {
		return none
	}
	owner, known := g.owner[id]
	if !known || owner == i {
		return none
	}
	return owner
}

// follow walks the chain from a thread to its end, and notes the end for all
// threads on the way. A chain that comes back to itself is a cycle.
func (g *graph) follow(start int) {
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
		if g.next(i) == none {
			g.note(path, chainEnd{root: none, lock: g.lock[i], cycle: none})
			return
		}
	}
}

// endAt is where a chain ends that comes to i, if that is known already.
func (g *graph) endAt(i int) (chainEnd, bool) {
	if g.lock[i] == (lockID{}) {
		return chainEnd{root: i, cycle: none}, true
	}
	end, known := g.ends[i]
	if known && end.cycle != none && g.inCycle[i] {
		end.root = i
	}
	return end, known
}

func (g *graph) note(path []int, end chainEnd) {
	for _, p := range path {
		g.ends[p] = end
	}
}

// noteCycle takes a path whose last thread waits for a thread further up, entry.
func (g *graph) noteCycle(path []int, entry int) {
	g.note(path, chainEnd{root: entry, cycle: len(g.cycles)})
	members := path[slices.Index(path, entry):]
	g.cycles = append(g.cycles, members)
	for _, i := range members {
		g.inCycle[i] = true
	}
}
