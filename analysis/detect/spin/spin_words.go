package spin

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func spinAdvice(f *timeline.Timeline, group []cpu.Spinner) string {
	if group[0].Sample.Stack.UpdatesMapInUpdate() {
		return "The function given to an update of the map updates the same map: before JDK 9 that never ends (JDK-8062841). Do the inner update before or after."
	}
	if cpu.Selects(group[0].Sample.Stack) {
		return "Something is always ready: a key whose event is not handled, a closed connection that is not cancelled, or an interest in writing that is never taken back."
	}
	advice := "It burns a core to wait: block instead (lock, condition, blocking queue), or find out why what it waits for never comes."
	if len(group) > 1 && cpu.MayTryLocks(group[0]) && !tellsOwners(f) {
		advice += " If they try locks, look again with --locks always, which tells what each of them holds."
	}
	return advice
}

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

func spinTitle(group []cpu.Spinner) string {
	asks := stack.ShortName(group[0].Asks)
	if len(group) > 1 {
		sum := 0.0
		for _, s := range group {
			sum += s.H.Share().Value
		}
		return fmt.Sprintf("%s threads take %s and do nothing but ask, in %s", finding.Thousands(len(group)), finding.CoresUsed(sum), asks)
	}
	h := group[0].H
	name, share := h.Thread.Called(), h.Share().Value
	switch {
	case cpu.Selects(group[0].Sample.Stack):
		return name + " takes " + finding.CoresUsed(share) + " in a selector that returns at once, always"
	case group[0].Sample.Stack.UpdatesMapInUpdate():
		return name + " goes round in " + asks + ", called from within an update of a map"
	case share < cpu.SpinWanted:
		return fmt.Sprintf("%s wants a core (ran %s, waited for a CPU %s) and does nothing but ask, in %s", name, finding.Percent(share), finding.Percent(h.Starved()), asks)
	}
	return fmt.Sprintf("%s takes %s and does nothing but ask, in %s", name, finding.CoresUsed(share), asks)
}
