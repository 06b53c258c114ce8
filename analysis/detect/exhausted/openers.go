package exhausted

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// poolOf is the pool that all waiters wait in, as read from the JVM's memory; nil if unknown.
func poolOf(f *facts.Facts, waiters []*timeline.Sample) *object.Pool {
	of := func(s *timeline.Sample) *object.Pool { return f.Objects.PoolOf(f.Timeline.History(s)) }
	first := of(waiters[0])
	if first == nil || slices.ContainsFunc(waiters, func(s *timeline.Sample) bool { return of(s) != first }) {
		return nil
	}
	return first
}

// openersOf returns the pool's own threads that make no progress in I/O, such as one that opens connections to a server
// that does not answer. It returns none if objects of the pool are known to be in use.
func openersOf(f *facts.Facts, waiters []*timeline.Sample) []*timeline.Sample {
	class, p := resources.PooledThing(waiters[0].Stack).Class, poolOf(f, waiters)
	if class == "" || p != nil && p.Active > 0 {
		return nil
	}
	var found []*timeline.Sample
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		ofPool := s.Stack.Application == nil && s.Stack.IsInside(class, "") && connects(s.Stack) &&
			s.Stack.Root != nil && s.Stack.Root.Kind == stack.RootPool
		if ofPool && timeline.IsIO(s) && (len(f.Timeline.Snaps) == 1 || f.Timeline.IsUnchanged(h)) {
			found = append(found, s)
		}
	}
	return timeline.InNameOrder(found)
}

// connects reports whether a stack is in a method that makes a connection: connect of a driver, getConnection of a
// source.
func connects(s *stack.Stack) bool {
	return s.IsInside("", "connect") || s.IsInside("", "getConnection")
}

// reportOpeners describes that the pool waits for its own connections to open.
func reportOpeners(f *facts.Facts, waiters, openers []*timeline.Sample, result *finding.Finding) {
	if p := poolOf(f, waiters); p != nil && p.Idle == 0 {
		result.Title = strings.Replace(result.Title, " exhausted: ", " has no connection: ", 1)
		result.Confidence = finding.Proven
		result.Evidence = append(result.Evidence, finding.Figure("read from memory: "+p.Object.Class+
			" has no object, neither in use nor idle"))
	}
	result.Culprits, result.Victims = f.Timeline.Refs(openers), f.Timeline.Refs(waiters)
	result.Title += askedIn(waiters)
	result.Title += "; " + timeline.QuoteThreads(openers) + finding.Verb(len(openers), " opens one", " open one each")
	if len(openers) == 1 {
		result.Title += " and " + f.Phrase(openers[0])
	}
	result.Advice = openAdvice
	result.Evidence = append(result.Evidence, f.Timeline.FrameEvidence(len(f.Timeline.Snaps)-1, openers)...)
}

// askedIn is the method of the program in which all waiters ask the pool, since the pool's own thread is in no method
// of the program; empty if they ask in several.
func askedIn(waiters []*timeline.Sample) string {
	in := func(s *timeline.Sample) string {
		if s.Stack.Application == nil {
			return ""
		}
		return s.Stack.Application.Name()
	}
	method := in(waiters[0])
	if method == "" || slices.ContainsFunc(waiters, func(s *timeline.Sample) bool { return in(s) != method }) {
		return ""
	}
	return " in " + stack.ShortName(method)
}

const openAdvice = "Check the server that the pool connects to, and set connect and read timeouts of the driver: " +
	"the pool opens a connection and gets no answer."
