package cpu

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// spinRule lists methods that ask for something and return at once, whatever the
// answer. The class is a prefix; methods are prefixes separated by blanks.
type spinRule struct{ class, methods string }

// spinRules are the JDK's, 8 to 28. The compiler makes most of them disappear from compiled code, where a spinning
// loop looks like one that computes: then the thread is found as a hot-thread.
var spinRules = [...]spinRule{
	{"java.lang.Thread", "yield onSpinWait isInterrupted interrupted isAlive"},
	{stack.JUC + "locks.", "tryLock tryAcquire nonfairTryAcquire isLocked tryReadLock tryWriteLock tryConvert " +
		"tryOptimisticRead validate"},
	{stack.JUC + "Semaphore", "tryAcquire"},
	{stack.JUC + "atomic.", "compareAnd weakCompareAnd getAnd get length"},
	{stack.JUC + "CountDownLatch", "getCount"},
	{stack.JUC + "FutureTask", "isDone isCancelled"},
	{stack.JUC + "CompletableFuture", "isDone"},
	{"jdk.internal.misc.Unsafe", "compareAnd weakCompareAnd getInt getLong getReference"},
	{"sun.misc.Unsafe", "compareAnd getInt getLong getObject"},
	{"java.lang.invoke.VarHandle", "compareAnd weakCompareAnd get"},
	{"sun.nio.ch.SelectorImpl", "selectNow"},
	{"java.lang.System", "nanoTime currentTimeMillis"},
}

// asksIn is the outermost asking method, which the program called, above the first frame
// that is not the JDK's; empty if there is none.
func asksIn(s *stack.Stack) string {
	asks := ""
	for _, fr := range s.Frames {
		if !stack.IsJDK(fr) {
			break
		}
		if isAsking(fr) {
			asks = fr.Name()
		}
	}
	return asks
}

func isAsking(fr *threaddump.Frame) bool {
	for _, r := range &spinRules {
		if strings.HasPrefix(fr.Class, r.class) && stack.HasAnyPrefix(fr.Method, r.methods) {
			return true
		}
	}
	return strings.HasPrefix(fr.Class, stack.JUC) && stack.IsQueue(fr.Class) &&
		stack.HasAnyPrefix(fr.Method, "poll peek isEmpty")
}
