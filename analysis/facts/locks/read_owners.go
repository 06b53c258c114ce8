package locks

import (
	"slices"

	"jstall/analysis/object"
)

// readOwners takes the owners that were read from the JVM's memory right after the dump, of locks for which the dump
// has none. Threads that wait for the lock in the dump must wait for it there too, and the owner must not. An owner
// that closes a cycle is concluded, as the dump and the reading are not of one moment: two dumps must show it.
func (g *Graph) readOwners() {
	if g.Snap.Objects == nil || len(g.Waiting) == 0 {
		return
	}
	index := byID(g.Snap)
	for i := range g.Snap.Objects.Synchronizers {
		s := &g.Snap.Objects.Synchronizers[i]
		id := lockID{Address: s.Object.Address}
		owner, known := index[holderOf(s)]
		if _, printed := g.owner[id]; printed || !known || g.lock[owner] == id || id == (lockID{}) {
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

// holderOf is the id of the thread that keeps others from a lock: its owner, or the only one that reads; 0 if there
// are several, or it is not known.
func holderOf(s *object.Synchronizer) int64 {
	readers := slices.Compact(slices.Clone(s.ReaderIDs))
	if s.OwnerID == 0 && s.Readers > 0 && len(readers) == 1 {
		return readers[0]
	}
	return s.OwnerID
}
