package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// hiddenTitle words a cycle whose owners are concluded.
func (c *cycle) hiddenTitle() string {
	names := c.names()
	switch {
	case c.oneOfThem() && !c.permits:
		return fmt.Sprintf("%s threads wait for ever for a lock that one of them must be holding: %s", Thousands(len(c.members)), names)
	case c.permits && c.overLocks():
		return c.permitTitle()
	case c.permits:
		return fmt.Sprintf("%s threads seem to wait for each other's permits for ever: %s", Thousands(len(c.members)), names)
	case len(c.members) == 1 && c.members[0].sample.wait.forLock() && entersTwice(c.members[0].sample.Stack):
		return names + " waits for ever for a lock that only it can be holding"
	case len(c.members) == 1 && c.members[0].sample.wait.forLock():
		return names + " waits for ever for a lock that no other thread can be holding"
	case len(c.members) == 1:
		return names + " waits for ever for what only it could give"
	}
	return fmt.Sprintf("%s threads block each other for ever: %s", Thousands(len(c.members)), names)
}

// overLocks tells a cycle in which a thread waits for a lock.
func (c *cycle) overLocks() bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.sample != nil && m.sample.wait.forLock() })
}

// permitTitle words a cycle over permits and locks, which begins with a thread that waits
// for a permit.
func (c *cycle) permitTitle() string {
	if len(c.members) > 2 {
		return fmt.Sprintf("%s threads seem to block each other for ever, over permits and locks: %s", Thousands(len(c.members)), c.names())
	}
	return fmt.Sprintf("%s waits for a permit and holds the lock that %s waits for, which seems to have one: neither ever goes on",
		c.members[0].called(), c.members[1].called())
}

// notTwice says why a thread that has a lock cannot get it.
func notTwice(s *Sample) string {
	if l := s.waitsOn(); l != nil && strings.HasPrefix(l.class, juc+"locks.StampedLock") {
		return "A StampedLock cannot be taken twice by one thread"
	}
	return "A read lock cannot become a write lock"
}

func (c *cycle) hiddenAdvice() string {
	const restart = " Only a restart frees these threads."
	if !slices.ContainsFunc(c.members, func(m member) bool { return m.sample.Stack.op.kind != opJoin }) {
		return "Let one of these threads not join the other." + restart
	}
	for _, m := range c.members {
		op := m.sample.Stack.op.kind
		switch {
		case m.sample.Stack.isInside("java.lang.ApplicationShutdownHooks", "runHooks"):
			return "Do not call System.exit in a shutdown hook, nor wait in one for a thread that calls it." + restart
		case op == opJoin:
			return "Do not join a thread while holding what it needs to end." + restart
		case c.permits && c.overLocks():
			return "Do not wait for a permit while holding the lock that giving it back needs: take the permit first. " +
				"No dump shows who has permits: this is concluded from nobody else being left." + restart
		case op == opPermit:
			return "Take permits in one order everywhere, or with a timeout. No dump shows who has them: " +
				"this is concluded from nobody else being left." + restart
		case len(c.members) == 1:
			return notTwice(m.sample) + ": release it before. If it was not taken before, somebody went on or ended without releasing it. " +
				"No dump shows who holds it: this is concluded from nobody else being left." + restart
		case c.oneOfThem():
			return notTwice(m.sample) + ": release it before. No dump shows who holds it: this is concluded from nobody else being left." + restart
		}
	}
	return "Take these locks in one order everywhere. No dump shows who holds a read lock: " +
		"this is concluded from nobody else being left." + restart
}
