package deadlock

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// hiddenTitle words a cycle with an owner that frames show.
func hiddenTitle(c *locks.Cycle) string {
	for n, m := range c.Members {
		if m.Sample.Stack.Op.Kind == stack.OpPermit && len(c.Members) == 2 && c.HasLockWait() {
			return fmt.Sprintf("%s waits for a permit and holds the lock that %s waits for, which has a permit",
				m.Called(), c.Members[1-n].Called())
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

func deadlockTitle(f *timeline.Timeline, c *locks.Cycle) string {
	names := c.Names()
	switch {
	case len(c.Members) == 1:
		return names + " is deadlocked with itself"
	case c.Timed:
		return fmt.Sprintf("%s threads block each other until a wait times out: %s", finding.Thousands(len(c.Members)),
			names)
	case !locks.Confirmed(f, c):
		return fmt.Sprintf("%s threads may be deadlocked: %s", finding.Thousands(len(c.Members)), names)
	case c.ByFrames:
		return hiddenTitle(c)
	case c.Awaits != nil:
		return taskTitle(c)
	}
	return fmt.Sprintf("%s threads are deadlocked: %s", finding.Thousands(len(c.Members)), names)
}

// taskTitle words a cycle in which a thread waits for a task that waits for it.
func taskTitle(c *locks.Cycle) string {
	if c.Joiner != nil {
		return joinTitle(c)
	}
	runner := c.Members[1%len(c.Members)].Called()
	holds := "a lock"
	if len(c.Awaits.Stack.Initialises) > 0 {
		holds = "the initialisation of a class"
	}
	wants := "wants it"
	if len(c.Members) > 2 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s holds %s and waits for a task of %s, which %s: neither ever ends",
		c.Awaits.Thread.Called(), holds, runner, wants)
}

// joinTitle words one in which a thread joins the one that waits for the task.
func joinTitle(c *locks.Cycle) string {
	with, wants := "with a lock in its hands", "wants that lock"
	if len(c.Joiner.Stack.Initialises) > 0 {
		with, wants = "in the initialisation of a class", "wants that class"
	}
	if len(c.Members) > 3 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s waits %s for %s to end, which waits for a task of %s, which %s: none of them ever ends",
		c.Joiner.Thread.Called(), with, c.Awaits.Thread.Called(), c.Members[2%len(c.Members)].Called(), wants)
}

func deadlockAdvice(f *timeline.Timeline, c *locks.Cycle) string {
	if !locks.Confirmed(f, c) {
		return "One such dump does not prove it: take a second one to be sure."
	}
	if c.ByFrames {
		return hiddenAdvice(c)
	}
	if c.Awaits != nil && len(c.TaskWaiter().Stack.Initialises) == 0 {
		return "Do not wait for a task while holding a lock that the task takes: give the lock up before. " +
			"Only a restart frees these threads."
	}
	if c.Awaits != nil {
		return "Start no tasks in a static initialiser that use the class, and wait for none there: a parallel stream " +
			"or a lambda is such a use. Only a restart frees these threads."
	}
	for _, m := range c.Members {
		if m.Sample != nil && m.Sample.Wait == stack.WaitClassInit {
			return "Break the circle of static initialisers: let one class not use the other while it is " +
				"initialised. Only a restart frees these threads."
		}
	}
	if within(c, stack.JUC+"ConcurrentHashMap") {
		return "A function that is given to ConcurrentHashMap (computeIfAbsent, compute, merge) must not change the map itself, " +
			"nor wait for one that does: work the value out before. Only a restart frees these threads."
	}
	if c.Timed {
		return "Take these locks in one order everywhere; now the threads depend on a timeout to go on."
	}
	return "Take these locks in one order everywhere, or with tryLock and a timeout. " +
		"Only a restart frees these threads."
}

// within tells a cycle over monitors of a class of the JDK's own alone.
func within(c *locks.Cycle, class string) bool {
	return !slices.ContainsFunc(c.Members, func(m locks.Member) bool {
		return m.Holds == nil || !strings.HasPrefix(m.Holds.Class, class+"$")
	})
}
