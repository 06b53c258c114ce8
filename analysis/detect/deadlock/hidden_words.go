package deadlock

import (
	"fmt"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
)

// hiddenTitle words a cycle with an owner that frames show.
func hiddenTitle(c *locks.Cycle) string {
	for n, m := range c.Members {
		if m.Sample.Stack.Op.Kind == stack.OpPermit && len(c.Members) == 2 && c.HasLockWait() {
			return fmt.Sprintf("%s waits for a permit and holds the lock that %s waits for, which has a permit", m.Called(), c.Members[1-n].Called())
		}
	}
	return fmt.Sprintf("%s threads block each other permanently: %s", finding.Thousands(len(c.Members)), c.Names())
}

func hiddenAdvice(c *locks.Cycle) string {
	const restart = " Only a restart frees these threads."
	for _, m := range c.Members {
		switch {
		case m.Sample.Stack.IsInside("java.lang.ApplicationShutdownHooks", "runHooks"):
			return "Do not call System.exit in a shutdown hook, nor wait in one for a thread that calls it." + restart
		case m.Sample.Stack.Op.Kind == stack.OpJoin:
			return "Do not join a thread while holding what it needs to end." + restart
		case c.Permits && c.HasLockWait():
			return "Do not wait for a permit while holding the lock that giving it back needs: take the permit first. " +
				"The owner is concluded from frames: a permit has no owner in a dump." + restart
		}
	}
	return "Take these locks in one order everywhere. The owner is concluded from frames: this kind of lock has no owner in a dump." + restart
}
