package cpu

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// spinRule lists methods that ask for something and return at once, whatever the
// answer. The class is a prefix; methods are prefixes separated by blanks.
type spinRule struct{ class, methods string }

// spinRules are the methods of the JDK, 8 to 28. The compiler removes most of them from compiled code, where a spinning
// loop looks like one that computes. Such a thread is reported as a hot-thread.
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

// asksIn returns the outermost asking method above the first frame outside the JDK, which is the one that the program
// called. It is empty if the stack has no such method.
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
