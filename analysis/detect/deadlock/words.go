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

// restart ends the advice on threads that nothing in the JVM frees.
const restart = " Restart the JVM to free these threads."

func deadlockTitle(f *timeline.Timeline, c *locks.Cycle) string {
	names, n := c.Names(), finding.Thousands(len(c.Members))
	switch {
	case len(c.Members) == 1:
		return names + " is deadlocked with itself"
	case c.Timed:
		return n + " threads block each other until a wait times out: " + names
	case !locks.Confirmed(f, c):
		return n + " threads may be deadlocked: " + names
	case c.ByFrames:
		return hiddenTitle(c)
	case c.Awaits != nil && c.Joiner != nil:
		return joinTitle(c)
	case c.Awaits != nil:
		return taskTitle(c)
	}
	return n + " threads are deadlocked: " + names
}

func deadlockAdvice(f *timeline.Timeline, c *locks.Cycle) string {
	switch {
	case !locks.Confirmed(f, c):
		return "Take a second dump: one dump of this kind does not prove a deadlock."
	case c.ByFrames:
		return hiddenAdvice(c)
	case c.Awaits != nil && len(c.TaskWaiter().Stack.Initialises) == 0:
		return "Release the lock before waiting for a task that takes it." + restart
	case c.Awaits != nil:
		return "Do not start tasks in a static initialiser that use the class, such as a parallel stream or a " +
			"lambda, " +
			"and do not wait for them there." + restart
	case slices.ContainsFunc(c.Members, initialises):
		return "Break the cycle of static initialisers: one class must not use the other during its initialisation." +
			restart
	case within(c, stack.JUC+"ConcurrentHashMap"):
		return "Compute the value before the call. A function given to ConcurrentHashMap (computeIfAbsent, compute, " +
			"merge) " +
			"must not change the same map, and must not wait for a thread that does." + restart
	case c.Timed:
		return "Take these locks in one order everywhere. Now the threads continue only when a wait times out."
	}
	return "Take these locks in one order everywhere, or with tryLock and a timeout." + restart
}

// initialises tells a thread that waits for the initialisation of a class.
func initialises(m locks.Member) bool { return m.Sample != nil && m.Sample.Wait == stack.WaitClassInit }

// within tells a cycle over monitors of a class of the JDK's own alone.
func within(c *locks.Cycle, class string) bool {
	return !slices.ContainsFunc(c.Members, func(m locks.Member) bool {
		return m.Holds == nil || !strings.HasPrefix(m.Holds.Class, class+"$")
	})
}

// taskTitle words a cycle in which a thread waits for a task that waits for it.
func taskTitle(c *locks.Cycle) string {
	holds, what := "holds a lock", "that lock"
	if len(c.Awaits.Stack.Initialises) > 0 {
		holds, what = "initialises a class", "that class"
	}
	return fmt.Sprintf("%s %s and waits for a task of %s; that task waits for %s%s", c.Awaits.Thread.Called(), holds,
		c.Members[1%len(c.Members)].Called(), what, throughOthers(len(c.Members) > 2))
}

// joinTitle words one in which a thread joins the one that waits for the task.
func joinTitle(c *locks.Cycle) string {
	holds, what := "holds a lock", "that lock"
	if len(c.Joiner.Stack.Initialises) > 0 {
		holds, what = "initialises a class", "that class"
	}
	return fmt.Sprintf("%s %s and waits for the end of %s, which waits for a task of %s; that task waits for %s%s",
		c.Joiner.Thread.Called(), holds, c.Awaits.Thread.Called(), c.Members[2%len(c.Members)].Called(), what,
		throughOthers(len(c.Members) > 3))
}

func throughOthers(others bool) string {
	if others {
		return ", behind other threads"
	}
	return ""
}

// hiddenTitle words a cycle with an owner that frames show.
func hiddenTitle(c *locks.Cycle) string {
	for n, m := range c.Members {
		if m.Sample.Stack.Op.Kind == stack.OpPermit && len(c.Members) == 2 && c.HasLockWait() {
			return fmt.Sprintf("%s holds a lock and waits for a permit; %s holds a permit and waits for that lock",
				m.Called(), c.Members[1-n].Called())
		}
	}
	return fmt.Sprintf("%s threads block each other permanently: %s", finding.Thousands(len(c.Members)), c.Names())
}

func hiddenAdvice(c *locks.Cycle) string {
	for _, m := range c.Members {
		switch {
		case m.Sample.Stack.IsInside("java.lang.ApplicationShutdownHooks", "runHooks"):
			return "Do not call System.exit in a shutdown hook, and do not wait in a hook for a thread that calls it." +
				restart
		case m.Sample.Stack.Op.Kind == stack.OpJoin:
			return "Do not join a thread while holding what that thread needs to end." + restart
		case c.Permits && c.HasLockWait():
			return "Acquire the permit before the lock: a holder needs the lock to release its permit. " +
				"The owner is inferred from frames: a permit has no owner in a dump." + restart
		}
	}
	return "Take these locks in one order everywhere. " +
		"The owner is inferred from frames: dumps do not record who holds a lock of this kind." + restart
}

// loadTitle words threads that load values of a cache for each other.
func loadTitle(members []*timeline.Sample) string {
	if len(members) > 2 {
		return fmt.Sprintf("%s threads deadlock in a cache loader: each waits for a value that another one loads: %s",
			finding.Thousands(len(members)), timeline.QuoteThreads(members))
	}
	return timeline.QuoteThreads(members) + " deadlock in a cache loader: each waits for a value that the other loads"
}

const loadAdvice = "Do not ask a cache for another value inside its loader: load both values first, " +
	"then put them into the cache." + restart
