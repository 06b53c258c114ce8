package locks

import (
	"slices"

	"jstall/analysis/object"
	"jstall/threaddump"
)

// readOwners takes the owners that were read from the JVM's memory right after the dump, of locks for which the dump
// has none. As dump and reading are not of one moment, threads that wait for the lock in the dump must wait for it
// there too, and the owner must be where it was. An owner that closes a cycle is concluded: two dumps must show it.
func (g *Graph) readOwners() {
	if g.Snap.Objects == nil || len(g.Waiting) == 0 {
		return
	}
	index := byID(g.Snap)
	for i := range g.Snap.Objects.Synchronizers {
		s := &g.Snap.Objects.Synchronizers[i]
		id := lockID{Address: s.Object.Address}
		owner, known := index[s.HolderID()]
		if known && g.lock[owner] == id && upgrades(s) {
			g.waitForSelf(owner, id)
			continue
		}
		if _, printed := g.owner[id]; printed || !known || g.lock[owner] == id || id == (lockID{}) ||
			!stoodAt(g.Snap.Samples[owner].Stack.Frames, s.HolderAt) {
			continue
		}
		for _, waiter := range s.WaiterIDs {
			w, known := index[waiter]
			if !known || g.lock[w] != id {
				continue
			}
			g.owner[id] = owner
			if g.leadsTo(owner, w) {
				g.inferred[id], g.needsSecondDump = true, true
			}
		}
	}
}

// stoodAt reports that a thread is in the dump where the reading found it: what it held then, it held in the dump.
func stoodAt(frames []*threaddump.Frame, places []string) bool {
	if len(places) == 0 || len(frames) < len(places) {
		return false
	}
	for i, place := range places {
		if frames[i].Text != place {
			return false
		}
	}
	return true
}

// upgrades reports that the only reader of a lock waits in its queue: for the write lock, as a further read lock it
// would get at once. It never gets the lock while it reads.
func upgrades(s *object.Synchronizer) bool {
	return s.Kind == object.ReadWriteLock && s.OwnerID == 0 && s.Readers > 0 && len(s.ReaderIDs) == 1 &&
		slices.Contains(s.WaiterIDs, s.ReaderIDs[0])
}

// waitForSelf makes a thread the owner of a lock that it waits for itself: those behind it wait for it.
func (g *Graph) waitForSelf(i int, id lockID) {
	g.owner[id] = i
	g.Waiting = slices.DeleteFunc(g.Waiting, func(w int) bool { return w == i })
	g.lock[i] = lockID{}
}
