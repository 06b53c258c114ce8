package locks

import (
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// MissesOwners reports that a thread of the dump waits for a lock of java.util.concurrent that one thread at a time
// can own, and that the dump does not tell which one does: neither the JVM's own deadlock report nor an owned
// synchronizer names it.
func MissesOwners(d *threaddump.Dump) bool {
	told := ownersTold(d)
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

func ownersTold(d *threaddump.Dump) map[uint64]bool {
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

// ownable tells the synchronizers that know their owner: the JDK's two locks, and
// an application's own if it is waited for as a lock is.
func ownable(class string, t *threaddump.Thread) bool {
	if strings.HasPrefix(class, stack.JUC+"locks.Reentrant") {
		return true
	}
	return !strings.HasPrefix(class, stack.JUC) && stack.AcquireKind(timeline.CallStack(t)) == stack.WaitExclusive
}
