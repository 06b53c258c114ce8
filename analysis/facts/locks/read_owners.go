package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// readOwners takes the owners that were read from the JVM's memory right after the dump, for locks without an owner in
// the dump. Dump and reading differ in time, so threads that wait for the lock in the dump must wait for it in memory
// too, and the owner must be where it was. A cycle that such an owner closes is inferred: two dumps must show it.
func (g *Graph) readOwners() {
	if g.Snap.Objects == nil || len(g.Waiting) == 0 {
		return
	}
	index := byID(g.Snap)
	for i := range g.Snap.Objects.Synchronizers {
		s := &g.Snap.Objects.Synchronizers[i]
		id := lockID{Address: s.Object.Address}
		owner, known := index[s.HolderID()]
		if g.addUpgrades(s, id, index) {
			continue
		}
		if _, printed := g.owner[id]; printed || !known || g.lock[owner] == id || id == (lockID{}) ||
			!isAt(g.Snap.Samples[owner].Stack.Frames, s.HolderAt) {
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

// isAt reports whether a thread is in the dump where the reading found it: what it held then, it held in the dump.
func isAt(frames []*threaddump.Frame, places []string) bool {
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

// addUpgrades finds the threads that hold a read lock and wait in its queue for the write lock: no such thread gets it
// while it holds the read lock, whatever other readers do. A wait for a further read lock does not count. It reports
// whether there are any.
func (g *Graph) addUpgrades(s *object.Synchronizer, id lockID, index map[int64]int) bool {
	if s.Kind != object.ReadWriteLock || s.OwnerID != 0 || s.Readers == 0 {
		return false
	}
	found := false
	for _, reader := range s.ReaderIDs {
		i, known := index[reader]
		if !known || id == (lockID{}) || g.lock[i] != id || !slices.Contains(s.WaiterIDs, reader) ||
			asksToRead(&g.Snap.Samples[i]) {
			continue
		}
		found = true
		g.waitForSelf(i, id)
		if !g.Snap.Samples[i].Timed() {
			g.upgrades = append(g.upgrades, upgrade{i, s.Readers})
		}
	}
	return found
}

func asksToRead(s *timeline.Sample) bool {
	return s.Wait == stack.WaitShared || s.Stack.Op.Kind == stack.OpReadLock
}

// upgrade is a thread that waits for the write lock of a lock whose read lock it holds, and how often it holds that.
type upgrade struct{ at, readers int }

// upgradeCycles returns the deadlocks of threads with themselves. Memory was read after the dump, so a second dump must
// confirm it.
func (g *Graph) upgradeCycles() []*Cycle {
	var found []*Cycle
	for _, u := range g.upgrades {
		s := &g.Snap.Samples[u.at]
		c := &Cycle{times: 1, NeedsSecondDump: !s.Thread.Virtual, UpgradedReads: u.readers,
			Members: []Member{{Name: s.Thread.Name, Sample: s}}}
		for _, i := range g.Waiting {
			if g.Ends[i].cycle == None && g.Ends[i].Root == u.at {
				c.Behind = append(c.Behind, &g.Snap.Samples[i])
			}
		}
		found = append(found, c)
	}
	return found
}

// waitForSelf makes a thread the owner of a lock that it waits for, so that the threads behind it wait for it.
func (g *Graph) waitForSelf(i int, id lockID) {
	g.owner[id] = i
	g.Waiting = slices.DeleteFunc(g.Waiting, func(w int) bool { return w == i })
	g.lock[i] = lockID{}
}
