package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// updatesWithin tells a stack that stands in an update of a ConcurrentHashMap which the
// function given to such an update has called.
func (s *Stack) updatesWithin() bool {
	const class, updates = juc + "ConcurrentHashMap", "computeIfAbsent compute merge"
	isUpdate := func(fr *threaddump.Frame) bool { return fr.Class == class && hasAnyPrefix(fr.Method, updates) }
	if len(s.Frames) == 0 || !isUpdate(s.Frames[0]) {
		return false
	}
	i := slices.IndexFunc(s.Frames, func(fr *threaddump.Frame) bool { return !isJDK(fr) })
	return i >= 0 && slices.ContainsFunc(s.Frames[i:], isUpdate)
}

func (f *timeline) spinAdvice(group []spinner) string {
	if group[0].sample.Stack.updatesWithin() {
		return "The function given to an update of the map updates the same map: before JDK 9 that never ends (JDK-8062841). Do the inner update before or after."
	}
	if group[0].sample.Stack.selects() {
		return "Something is always ready: a key whose event is not handled, a closed connection that is not cancelled, or an interest in writing that is never taken back."
	}
	advice := "It burns a core to wait: block instead (lock, condition, blocking queue), or find out why what it waits for never comes."
	if len(group) > 1 && mayTryLocks(group[0]) && !f.tellsOwners() {
		advice += " If they try locks, look again with --locks always, which tells what each of them holds."
	}
	return advice
}

// mayTryLocks tells a spinner that is seen to try a lock, or to step aside in between.
func mayTryLocks(s spinner) bool {
	return strings.Contains(s.asks, ".try") || strings.HasPrefix(s.asks, "java.lang.Thread.")
}

// tellsOwners reports that a dump of the capture names owners of locks of java.util.concurrent.
func (f *timeline) tellsOwners() bool {
	return slices.ContainsFunc(f.snaps, (*snapshot).tellsOwners)
}

func (s *snapshot) tellsOwners() bool {
	return slices.ContainsFunc(s.samples, func(o Sample) bool {
		return slices.ContainsFunc(o.locks, func(l lock) bool { return l.op == threaddump.OwnsSynchronizer })
	})
}

// heldWhileAsking quotes the locks that several spinners own in one dump, if each of them
// owns one: they are at the same work, and each may want another's.
func (f *timeline) heldWhileAsking(group []spinner) []Evidence {
	if len(group) < 2 || !mayTryLocks(group[0]) {
		return nil
	}
	for at := range f.snaps {
		var held []Evidence
		for _, s := range group {
			if l := s.h.sampleAt(at).ownedLock(); l != nil {
				held = append(held, f.quoteLock(at, l))
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
func (s *Sample) ownedLock() *lock {
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.locks, func(l lock) bool {
		return l.op == threaddump.OwnsSynchronizer && strings.HasPrefix(l.class, juc+"locks.Reentrant")
	})
	if i < 0 {
		return nil
	}
	return &s.locks[i]
}

func spinTitle(group []spinner) string {
	asks := shortName(group[0].asks)
	if len(group) > 1 {
		sum := 0.0
		for _, s := range group {
			sum += s.h.share().Value
		}
		return fmt.Sprintf("%s threads take %s and do nothing but ask, in %s", Thousands(len(group)), coresUsed(sum), asks)
	}
	h := group[0].h
	name, share := h.thread.called(), h.share().Value
	switch {
	case group[0].sample.Stack.selects():
		return name + " takes " + coresUsed(share) + " in a selector that returns at once, always"
	case group[0].sample.Stack.updatesWithin():
		return name + " goes round in " + asks + ", called from within an update of a map"
	case share < spinWish:
		return fmt.Sprintf("%s wants a core (ran %s, waited for a CPU %s) and does nothing but ask, in %s", name, percent(share), percent(h.starved()), asks)
	}
	return fmt.Sprintf("%s takes %s and does nothing but ask, in %s", name, coresUsed(share), asks)
}

// shortName leaves the package out: "Thread.yield".
func shortName(name string) string {
	method := strings.LastIndexByte(name, '.')
	if method < 0 {
		return name
	}
	return name[strings.LastIndexByte(name[:method], '.')+1:]
}
