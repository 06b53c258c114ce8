package missedsignal

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// waitsInLibrary reports whether a library waits without a time limit in a call of the application and the reason is
// unknown. Calls that by their name take the next item, serve or wait for an end do not count, nor does a thread that
// has only its run method.
func waitsInLibrary(f *timeline.Timeline, s *timeline.Sample) bool {
	op := s.Stack.Op
	if s.State != threaddump.Waiting || !inLibrary(s) || s.Position() != nil || locks.OneMoment(f) || explained(s) ||
		isLongCall(s.Stack.BlockingCall()) || !hasWork(s.Stack) {
		return false
	}
	switch op.Kind {
	case stack.OpCondition, stack.OpNotify, stack.OpPark:
		return true
	}
	return stack.IsOnce(op.Kind)
}

// inLibrary reports whether the application called a library that called the JDK.
func inLibrary(s *timeline.Sample) bool {
	caller, own := s.Stack.Op.Caller, s.Stack.Application
	return caller != nil && own != nil && caller != own && stack.OriginOf(caller) == stack.OfLibrary
}

// isLongCall reports whether a method of a library blocks as long as there is nothing to do, by its name.
func isLongCall(f *threaddump.Frame) bool {
	return waits.TakesNext(f) || slices.ContainsFunc(longCalls[:], func(word string) bool {
		return strings.HasPrefix(strings.ToLower(f.Method), word)
	})
}

// longCalls are prefixes of the names of library methods that return at the end of the program, or when there is
// something to do.
var longCalls = [...]string{
	"receive", "fetch", "accept", "listen", "await", "join", "sync", "wait", "start", "run", "serve", "loop",
	"dispatch", "main", "subscribe", "watch", "blocklast", "blockuntil", "blockingsubscribe", "blockingforeach",
	"blockingawait",
}

// hasWork reports whether a stack has more of the application than the run method of a thread.
func hasWork(s *stack.Stack) bool {
	own := func(f *threaddump.Frame) bool { return !stack.IsStart(f) || strings.HasPrefix(f.Method, "lambda$") }
	return stack.IsTask(s) || stack.CalledForWork(s) || slices.ContainsFunc(s.Program(), own)
}

// libraryCall is what threads in one call of a library have in common.
func libraryCall(s *timeline.Sample) string {
	return s.Stack.BlockingCall().Name() + "\n" + s.Stack.Application.Name()
}

// libraryTitle describes threads that stay in one call of a library.
func libraryTitle(waiters []*timeline.Sample) string {
	n, first := timeline.SizeOf(waiters), waiters[0].Stack
	return finding.Counted(n, threadWord(waiters)) + finding.Verb(n, " waits", " wait") + " in " +
		stack.PublicName(first.BlockingCall()) + ", called by " + stack.ShortName(first.Application.Name())
}

// adviceFor is the advice for a wait. tasks are the tasks of the waiting method that threads of the dump run.
func adviceFor(waiters, tasks []*timeline.Sample) string {
	if inLibrary(waiters[0]) {
		return "Set a timeout on this call. Check the lock, transaction or server that it waits for."
	}
	return adviceOn(tasks)
}
