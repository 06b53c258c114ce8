package locks

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// findOwners sets the owners that the dump prints for locks that threads wait for. If the dump prints two owners of one
// lock, neither is set: one of the lines is out of date, and it is unknown which.
func (g *Graph) findOwners() {
	awaited := map[lockID]bool{}
	var last lockID
	for _, i := range g.Waiting {
		if id := g.lock[i]; id != last { // many in a row wait for the same lock
			awaited[id], last = true, id
		}
	}
	claimed := map[lockID]int{}
	claim := func(id lockID, i int) {
		if !awaited[id] {
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

// claims calls claim for what a thread holds: monitors, synchronizers, and the classes whose static initialiser it
// runs.
func (g *Graph) claims(i int, claim func(lockID, int)) {
	s := &g.Snap.Samples[i]
	for j := range s.Locks {
		address := s.Locks[j].Address
		if address != 0 && s.HeldLock(address) != nil {
			claim(lockID{Address: address}, i)
		}
	}
	for _, class := range s.Stack.Initialises {
		claim(lockID{class: class}, i)
	}
}

// ownersByID sets the owners that JSON dumps name by thread id.
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

// dropHandedOver drops waits for a lock whose new owner is still shown as waiting for it.
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

// justGiven reports whether the owner of a reentrant lock is still shown as waiting for it: it has just acquired it.
func (g *Graph) justGiven(i int, address uint64) bool {
	if g.lock[i] != (lockID{Address: address}) {
		return false
	}
	l := g.Snap.Samples[i].WaitsOn()
	return l != nil && l.Op == threaddump.Parking && strings.HasPrefix(l.Class, stack.JUC+"locks.Reentrant")
}

// dropUnowned drops waits for an object without an owner, unless the kind of the wait is only for locks: any object can
// be the blocker of a parked thread, and idle workers of some libraries park on their pool.
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
