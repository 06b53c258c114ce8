package locks

import (
	"strings"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// MissesOwners reports whether a thread of the dump waits for an exclusive lock of java.util.concurrent without a known
// owner: neither the JVM's own deadlock report nor an owned synchronizer names it, nor what was read from the JVM's
// memory (nil if nothing was).
func MissesOwners(d *threaddump.Dump, read *object.Set) bool {
	told := ownersPrinted(d)
	addOwnersRead(told, d, read)
	for _, t := range d.Threads {
		for _, locks := range [][]threaddump.Lock{t.Locks, t.MountedLocks} {
			for _, l := range locks {
				if l.Op == threaddump.Parking && l.Owner == 0 && !told[l.Address] && ownable(l.Class, t) {
					return true
				}
			}
		}
	}
	return false
}

// addOwnersRead adds the locks whose owner was read from memory, if the owner is in the dump where the reading found
// it.
func addOwnersRead(told map[uint64]bool, d *threaddump.Dump, read *object.Set) {
	if read == nil || len(read.Synchronizers) == 0 {
		return
	}
	threads := map[int64]*threaddump.Thread{}
	for _, t := range d.Threads {
		threads[t.ID] = t
	}
	for i := range read.Synchronizers {
		s := &read.Synchronizers[i]
		if holder := threads[s.HolderID()]; holder != nil && isAt(holder.Stack, s.HolderAt) {
			told[s.Object.Address] = true
		}
	}
}

func ownersPrinted(d *threaddump.Dump) map[uint64]bool {
	told := map[uint64]bool{}
	for _, dl := range d.Deadlocks {
		for _, m := range dl.Members {
			told[m.Address] = true
		}
	}
	for _, t := range d.Threads {
		for _, l := range t.Locks {
			if l.Op == threaddump.OwnsSynchronizer {
				told[l.Address] = true
			}
		}
	}
	return told
}

// ownable reports whether a synchronizer records its owner: the JDK's two locks, and an application's own if threads
// wait for it exclusively.
func ownable(class string, t *threaddump.Thread) bool {
	if strings.HasPrefix(class, stack.JUC+"locks.Reentrant") {
		return true
	}
	return !strings.HasPrefix(class, stack.JUC) && stack.AcquireKind(timeline.CallStack(t)) == stack.WaitExclusive
}
