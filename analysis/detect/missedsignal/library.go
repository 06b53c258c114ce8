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

// waitsInLibrary tells a call of the application in which a library waits without a time limit, for what nothing says.
// Calls that by their name take the next item, serve or wait for an end are none, nor is a thread that has nothing but
// its run method.
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

// inLibrary reports that the application called a library, and this the JDK.
func inLibrary(s *timeline.Sample) bool {
	caller, own := s.Stack.Op.Caller, s.Stack.Application
	return caller != nil && own != nil && caller != own && stack.OriginOf(caller) == stack.OfLibrary
}

// isLongCall reports by its name whether a method of a library blocks as long as there is nothing to do.
func isLongCall(f *threaddump.Frame) bool {
	return waits.TakesNext(f) || slices.ContainsFunc(longCalls[:], func(word string) bool {
		return strings.HasPrefix(strings.ToLower(f.Method), word)
	})
}

// longCalls are how methods of libraries are called that return at the end of the program, or when something comes.
var longCalls = [...]string{
	"receive", "fetch", "accept", "listen", "await", "join", "sync", "wait", "start", "run", "serve", "loop",
	"dispatch", "main", "subscribe", "watch", "blocklast", "blockuntil", "blockingsubscribe", "blockingforeach",
	"blockingawait",
}

// hasWork reports that a stack has more of the application than the run method of a thread.
func hasWork(s *stack.Stack) bool {
	own := func(f *threaddump.Frame) bool { return !stack.IsStart(f) || strings.HasPrefix(f.Method, "lambda$") }
	return stack.IsTask(s) || stack.CalledForWork(s) || slices.ContainsFunc(s.Program(), own)
}

// libraryCall is what threads in one call of a library have in common.
func libraryCall(s *timeline.Sample) string {
	return s.Stack.BlockingCall().Name() + "\n" + s.Stack.Application.Name()
}

// libraryTitle words threads that stay in one call of a library.
func libraryTitle(waiters []*timeline.Sample) string {
	n, first := timeline.SizeOf(waiters), waiters[0].Stack
	return finding.Counted(n, threadWord(waiters)) + finding.Verb(n, " waits", " wait") + " in " +
		stack.PublicName(first.BlockingCall()) + ", called by " + stack.ShortName(first.Application.Name())
}

// adviceFor says what to do about a wait. The tasks are those of the waiting method that threads of the dump run.
func adviceFor(waiters, tasks []*timeline.Sample) string {
	if inLibrary(waiters[0]) {
		return "Set a timeout on this call. Check the lock, transaction or server that it waits for."
	}
	return adviceOn(tasks)
}
