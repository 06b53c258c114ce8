package classfile

import (
	"slices"
	"strings"
)

// delays tells a class that is an executor of its own kind, or has one that waits before it runs things.
func (c *Class) delays() bool {
	return strings.HasPrefix(c.super, "java.util.concurrent.") && strings.HasSuffix(c.super, "ExecutorService") ||
		slices.ContainsFunc(c.interfaces, func(i string) bool {
			return strings.HasPrefix(i, "java.util.concurrent.") && strings.Contains(i, "Executor")
		}) ||
		c.callsAny(func(member string) bool { return member == "java.util.concurrent.CompletableFuture.delayedExecutor" })
}

// runsOthers tells calls that may run a thread's object elsewhere than in that thread.
func runsOthers(member string) bool {
	return strings.HasPrefix(member, "java.util.concurrent.") || strings.HasPrefix(member, "java.util.Timer.")
}

// platformBuilder makes and starts threads of the platform.
const platformBuilder = "java.lang.Thread$Builder$OfPlatform"

// takesRun tells the calls by which a thread is given what to run.
func takesRun(member string) bool {
	return member == "java.lang.Thread.<init>" || beforeDot(member) == platformBuilder && isOneOf(" start unstarted ", afterDot(member))
}

// RunsOnce tells the calls by which an executor gets something to run at once, or as soon as it can.
func RunsOnce(member string) bool {
	class, method := beforeDot(member), afterDot(member)
	switch {
	case !strings.HasPrefix(class, "java.util.concurrent."):
		return false
	case class == "java.util.concurrent.CompletableFuture":
		return method == "runAsync" || method == "supplyAsync"
	}
	ends := func(end string) bool { return strings.HasSuffix(class, end) }
	return (ends("Executor") || ends("ExecutorService") || ends("ForkJoinPool") || ends("CompletionService")) && isOneOf(" execute submit ", method)
}

// callsAtOnce tells the methods of collections and streams that call what they are given before they
// come back.
func callsAtOnce(member string) bool {
	return strings.HasPrefix(member, "java.util.") && !strings.HasPrefix(member, "java.util.concurrent.Completable") &&
		isOneOf(" forEach computeIfAbsent computeIfPresent compute merge removeIf replaceAll sort ", afterDot(member))
}
