package analysis

import (
	"fmt"
	"slices"
)

// hiddenTitle words a cycle with an owner that frames show.
func (c *cycle) hiddenTitle() string {
	for n, m := range c.members {
		if m.sample.Stack.op.kind == opPermit && len(c.members) == 2 && c.overLocks() {
			return fmt.Sprintf("%s waits for a permit and holds the lock that %s waits for, which has a permit", m.called(), c.members[1-n].called())
		}
	}
	return fmt.Sprintf("%s threads block each other permanently: %s", Thousands(len(c.members)), c.names())
}

// overLocks tells a cycle in which a thread waits for a lock.
func (c *cycle) overLocks() bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.sample != nil && m.sample.wait.forLock() })
}

func (c *cycle) hiddenAdvice() string {
	const restart = " Only a restart frees these threads."
	for _, m := range c.members {
		switch {
		case m.sample.Stack.isInside("java.lang.ApplicationShutdownHooks", "runHooks"):
			return "Do not call System.exit in a shutdown hook, nor wait in one for a thread that calls it." + restart
		case m.sample.Stack.op.kind == opJoin:
			return "Do not join a thread while holding what it needs to end." + restart
		case c.permits && c.overLocks():
			return "Do not wait for a permit while holding the lock that giving it back needs: take the permit first. " +
				"The owner is concluded from frames: a permit has no owner in a dump." + restart
		}
	}
	return "Take these locks in one order everywhere. The owner is concluded from frames: this kind of lock has no owner in a dump." + restart
}
