package spin

import (
	"slices"
	"strings"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// tellsOwners reports that a dump of the capture names owners of locks of java.util.concurrent.
func tellsOwners(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Snaps, snapshotTellsOwners)
}

func snapshotTellsOwners(s *timeline.Snapshot) bool {
	return slices.ContainsFunc(s.Samples, func(o timeline.Sample) bool {
		return slices.ContainsFunc(o.Locks, func(l timeline.Lock) bool { return l.Op == threaddump.OwnsSynchronizer })
	})
}

// heldWhileAsking quotes the locks that several spinners own in one dump, if each of them
// owns one: they are at the same work, and each may want another's.
func heldWhileAsking(f *timeline.Timeline, group []cpu.Spinner) []finding.Evidence {
	if len(group) < 2 || !cpu.MayTryLocks(group[0]) {
		return nil
	}
	for at := range f.Snaps {
		var held []finding.Evidence
		for _, s := range group {
			if l := ownedLock(s.H.SampleAt(at)); l != nil {
				held = append(held, f.QuoteLock(at, l))
			}
		}
		if len(held) == len(group) {
			return held
		}
	}
	return nil
}

// ownedLock is the JDK's lock that a thread is seen to own, nil if it is none or there is
// no sample.
func ownedLock(s *timeline.Sample) *timeline.Lock {
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.Locks, func(l timeline.Lock) bool {
		return l.Op == threaddump.OwnsSynchronizer && strings.HasPrefix(l.Class, stack.JUC+"locks.Reentrant")
	})
	if i < 0 {
		return nil
	}
	return &s.Locks[i]
}
