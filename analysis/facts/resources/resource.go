// Package resources finds pooled objects, permits and queues with a limit, and the threads that hold one, by the frames
// between acquire and release.
package resources

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// ResourceKey identifies the resource that threads wait for; empty if they do not wait for a resource.
func ResourceKey(s *timeline.Sample) string {
	if p := s.Position(); p != nil && p.Not && p.What == "pool" {
		return "pool " + poolOf(s.Stack)
	}
	if WaitsForRoomInLibrary(s) {
		return ""
	}
	if LimiterKey(s) != "" || timeline.OuterLockOf(s) != "" {
		return ""
	}
	op := s.Stack.Op
	switch {
	case op.Kind == stack.OpPermit:
		return "permit " + s.Object()
	case !AsksForResource(s.Stack):
		return ""
	case op.Kind == stack.OpNotify:
		return "object " + s.Object()
	case op.Kind == stack.OpCondition, op.Kind == stack.OpTake, op.Kind == stack.OpPark, op.Kind == stack.OpSleep:
		return "object " + op.Caller.Name()
	}
	return ""
}

// poolOf is the class of a library's pool that a stack waits in.
func poolOf(s *stack.Stack) string {
	if s.Op.Caller == nil {
		return ""
	}
	return s.Op.Caller.Class
}

// LimiterKey identifies the rate limiter that a thread waits in, by the method of the program that calls it, because no
// dump names the limiter. It is empty for all other waits.
func LimiterKey(s *timeline.Sample) string {
	p := s.Position()
	if p == nil || !p.Not || p.What != "limiter" || s.Stack.Application == nil {
		return ""
	}
	return s.Stack.Application.Name()
}

// LendingMethods are prefixes of names of methods that lend something until it is returned, grantingMethods those of
// methods that lend something or limit a rate. Words that workers also use for their next job (take, next, poll) are
// left out.
var (
	LendingMethods  = [...]string{"borrow", "lend", "getconnection", "getsession", "openconnection", "opensession"}
	grantingMethods = [...]string{"acquire", "checkout", "lease", "rent", "obtain", "allocate", "reserve", "claim",
		"permit", "consumetoken", "taketoken", "gettoken"}
)

// AsksForResource reports whether the waiting method or its caller hands out a resource, by its name.
func AsksForResource(s *stack.Stack) bool {
	return CallsMethodNamed(s, LendingMethods[:]) || CallsMethodNamed(s, grantingMethods[:])
}

// CallsMethodNamed reports whether the name of the waiting method or of its caller begins with one of these words.
func CallsMethodNamed(s *stack.Stack, words []string) bool {
	i := slices.Index(s.Frames, s.Op.Caller)
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(s.Frames[i:min(i+2, len(s.Frames))], func(f *threaddump.Frame) bool {
		method := strings.ToLower(f.Method)
		return stack.OriginOf(f) != stack.OfJDK &&
			slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(method, word) })
	})
}

// Phrase completes "THREAD holds it while it …".
func Phrase(s *timeline.Sample) string {
	switch {
	case s.LibraryCall() != "":
		return "waits for the answer to " + s.LibraryCall()
	case s.WritesToClient():
		return "waits to write to a client"
	case s.InLibraryFuture():
		return "waits for a result"
	case s.Stack.Op.Kind == stack.OpPut && s.Waits() && !s.Wait.ForLock():
		return "waits for " + Room(s.Stack)
	}
	switch what := s.WaitType(); {
	case what == "time":
		return "sleeps"
	case what != "":
		return "waits for " + stack.WaitWords(what)
	case s.Wait == stack.WaitWork:
		return "waits for work"
	case s.Wait == stack.Running:
		return "runs"
	}
	return "is in an unknown state"
}
