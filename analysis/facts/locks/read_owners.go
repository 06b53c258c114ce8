package locks

import "jstall/threaddump"

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
