package deadlock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// restart ends the advice for threads that nothing in the JVM can free.
const restart = " Restart the JVM to free these threads."

func deadlockTitle(f *timeline.Timeline, c *locks.Cycle) string {
	names, n := c.Names(), finding.Thousands(len(c.Members))
	switch {
	case c.UpgradedReads > 0 && !locks.Confirmed(f, c):
		return names + " may be deadlocked with itself: it waits for the write lock of a lock that it holds to read"
	case c.UpgradedReads > 0:
		return names + " is deadlocked with itself: it waits for the write lock of a lock that it holds to read"
	case len(c.Members) == 1:
		return names + " is deadlocked with itself"
	case c.Timed:
		return n + " threads block each other until a wait times out: " + names
	case !locks.Confirmed(f, c):
		return n + " threads may be deadlocked: " + names
	case c.Awaits != nil:
		return taskTitle(c)
	case c.Queued != nil && len(c.Joins) == 1:
		return queuedTitle(c)
	case len(c.Joins) == 1:
		return joinTitle(c)
	case len(c.Joins) == len(c.Members):
		return n + " threads wait for each other to end: " + names
	}
	return n + " threads are deadlocked: " + names
}

func deadlockAdvice(f *timeline.Timeline, c *locks.Cycle) string {
	switch {
	case !locks.Confirmed(f, c):
		return "Take a second dump: one dump of this kind does not prove a deadlock."
	case c.UpgradedReads > 0:
		return "Release the read lock before the write lock is taken; a ReentrantReadWriteLock cannot be upgraded." +
			restart
	case len(c.Joins) > 0 && len(c.Joins) == len(c.Members):
		return "Do not let threads wait for each other's end or result in a circle." + restart
	case len(c.Joins) > 0:
		return "Release the lock before waiting for a thread or task that takes it." + restart
	case c.Awaits != nil && len(c.Awaits.Stack.Initialises) == 0:
		return "Release the lock before waiting for a task that takes it." + restart
	case c.Awaits != nil:
		return "Do not start tasks in a static initialiser that use the class, such as a parallel stream or a " +
			"lambda, and do not wait for them there." + restart
	case slices.ContainsFunc(c.Members, initialises):
		return "Break the cycle of static initialisers: one class must not use the other during its initialisation." +
			restart
	case within(c, stack.JUC+"ConcurrentHashMap"):
		return "Compute the value before the call. A function given to ConcurrentHashMap (computeIfAbsent, compute, " +
			"merge) must not change the same map, and must not wait for a thread that does." + restart
	case c.Timed:
		return "Take these locks in one order everywhere. Now the threads continue only when a wait times out."
	}
	return "Take these locks in one order everywhere, or use ReentrantLock.tryLock with a timeout." + restart
}

// initialises reports whether a thread waits for the initialisation of a class.
func initialises(m locks.Member) bool { return m.Sample != nil && m.Sample.Wait == stack.WaitClassInit }

// within reports whether a cycle has only monitors of one class of the JDK.
func within(c *locks.Cycle, class string) bool {
	return !slices.ContainsFunc(c.Members, func(m locks.Member) bool {
		return m.Holds == nil || !strings.HasPrefix(m.Holds.Class, class+"$")
	})
}

// taskTitle is the title of a cycle in which a thread waits for a task that waits for it.
func taskTitle(c *locks.Cycle) string {
	holds, what := "holds a lock", "that lock"
	if len(c.Awaits.Stack.Initialises) > 0 {
		holds, what = "initialises a class", "that class"
	}
	title := fmt.Sprintf("%s %s and waits for a task of %s; that task waits for %s", c.Awaits.Thread.Called(), holds,
		c.Members[1%len(c.Members)].Called(), what)
	if len(c.Members) > 2 {
		title += ", behind other threads"
	}
	return title
}

// joinTitle is the title of a cycle in which one thread holds a lock and waits for another thread without a lock.
func joinTitle(c *locks.Cycle) string {
	waiter, other := c.Joins[0], c.Members[1%len(c.Members)].Called()
	what := "for the end of " + other
	switch {
	case other != "" && c.Members[1%len(c.Members)].Sample.Thread.ScopeOwner == waiter.Thread.ID:
		what = "for " + other + ", a subtask of its scope"
	case waiter.Stack.Op.Kind == stack.OpResult:
		what = "for a task that " + other + " runs"
	}
	title := fmt.Sprintf("%s holds a lock and waits %s; %s waits for that lock", waiter.Thread.Called(), what, other)
	if len(c.Members) > 2 {
		title = fmt.Sprintf("%s threads are deadlocked: %s waits %s", finding.Thousands(len(c.Members)),
			waiter.Thread.Called(), what)
	}
	return title
}

// queuedTitle is the title of a cycle in which one thread holds a lock and waits for a task that no worker is left to
// run.
func queuedTitle(c *locks.Cycle) string {
	waiter, workers := c.Joins[0].Thread.Called(), c.Queued.Workers
	task := "for a task in the queue of " + finding.ExecutorCalled(c.Queued.Pattern())
	switch {
	case len(c.Members) > 2:
		return fmt.Sprintf("%s threads are deadlocked: %s waits %s", finding.Thousands(len(c.Members)), waiter, task)
	case len(workers) == 1:
		return fmt.Sprintf("%s holds a lock and waits for a task in the queue of %s; that only worker waits for that "+
			"lock", waiter, workers[0].Thread.Called())
	}
	return fmt.Sprintf("%s holds a lock and waits %s; %s wait for that lock", waiter, task,
		finding.AllWords(len(workers), "worker"))
}

// loadTitle describes threads that load values of a cache for each other.
func loadTitle(members []*timeline.Sample) string {
	if len(members) > 2 {
		return fmt.Sprintf("%s threads deadlock in a cache loader: "+
			"each waits for a value that another of them loads: %s",
			finding.Thousands(len(members)), timeline.QuoteThreads(members))
	}
	return timeline.QuoteThreads(members) + " deadlock in a cache loader: " +
		"each waits for a value that the other thread loads"
}

const loadAdvice = "Restart the JVM: these threads do not recover. Then change the loader: do not ask the cache for " +
	"another value inside it. Load both values first, then put them into the cache."
