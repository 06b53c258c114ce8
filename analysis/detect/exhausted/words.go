package exhausted

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// title names what is exhausted and how many threads wait for it.
func (x *exhaustion) title() string {
	first := x.waiters[0].Stack
	n := timeline.SizeOf(x.waiters)
	waiting := finding.Counted(n, "thread") + finding.Verb(n, " waits", " wait")
	switch {
	case permits(x.Group):
		return exhaustedSemaphore + ": " + waiting + " for a permit"
	case strings.HasPrefix(x.Key, "pool"):
		return poolName(first) + " exhausted: " + waiting
	case first.Op.Caller != nil && resources.AsksForResource(first):
		return "Pool exhausted: " + waiting + " in " + stack.ShortName(first.Op.Caller.Name())
	}
	return waiting + " for an object that others hold"
}

const exhaustedSemaphore = "Semaphore exhausted"

// resource is the type of what is waited for.
func (x *exhaustion) resource() string {
	if permits(x.Group) {
		return "permit"
	}
	return "pooled object"
}

// poolName is the name of a library's pool, else the class of the library that the program called.
func poolName(s *stack.Stack) string {
	if p := resources.PooledThing(s); p.Pool != "" {
		return p.Pool
	}
	class, _, _ := strings.Cut(asked(s), ".")
	return cmp.Or(class, "Object pool")
}

// asked is the method that a thread called to get an object: that of a library, else the program's own.
func asked(s *stack.Stack) string {
	i := slices.Index(s.Frames, s.Application)
	switch {
	case i > 0 && (s.Op.Caller != s.Application || s.Op.Kind == stack.OpPermit):
		return stack.ShortMethod(s.Frames[i-1])
	case s.Op.Caller != nil:
		return stack.ShortMethod(s.Op.Caller)
	}
	return ""
}

// advice is for holders that wait: how to free their objects.
func (x *exhaustion) advice() string {
	thing, call := "object", "the call"
	switch {
	case permits(x.Group):
		thing = "permit"
	case resources.PooledThing(x.waiters[0].Stack).Jdbc:
		thing = "connection"
	}
	if app := x.holders[0].Stack.Application; app != nil {
		call = stack.ShortMethod(app)
		if asks := x.waiters[0].Stack.Application; asks != nil && asks.Name() == app.Name() {
			call = cmp.Or(x.holders[0].Stack.Op.Name(), call) // a caller that does not hold one
		}
	}
	if x.evidence == resources.PastAcquire && strings.HasSuffix(call, ".sleep") {
		return fmt.Sprintf("Check whether these threads hold %s. If they do, release it before %s.",
			withArticle(thing), call)
	}
	if x.evidence == resources.PastAcquire {
		return fmt.Sprintf("Check whether these threads hold %s. If they do, set a timeout on %s, or release the %s "+
			"before it.", withArticle(thing), call, thing)
	}
	return fmt.Sprintf("Set a timeout on %s, which runs while the %[2]s is held, or release the %[2]s before it.",
		call, thing)
}

func withArticle(thing string) string {
	if thing == "object" {
		return "an object"
	}
	return "a " + thing
}

const (
	lockAdvice = "Do not wait for a lock while holding one of these objects, and hold that lock for a shorter time."
	takeTwo    = "Do not acquire a second object while a thread holds one. " +
		"Otherwise the pool needs more objects than threads."
)

// leakAdvice is for objects without a holder in the dump.
func (x *exhaustion) leakAdvice() string {
	return "Check every call of " + cmp.Or(asked(x.waiters[0].Stack), "acquire") +
		" for a leak: release in a finally block. Set a timeout on the wait, " +
		"so that callers fail instead of blocking."
}

// greedyWords completes a title if waiters hold an object.
func (x *exhaustion) greedyWords() string {
	return fmt.Sprintf("; %d of them hold one each and wait for another", timeline.SizeOf(x.greedy))
}

const holdersUnknown = "; holders unknown: no thread in the dump uses one (possible leak)"

func callsTitle(calls int, host, doing string) string {
	return fmt.Sprintf("%d OkHttp calls to %s wait in callbacks and keep their places in the dispatcher: %s",
		calls, host, doing)
}

const callsAdvice = "Do not wait in a callback of an OkHttp call for another call: start the second call and return. " +
	"Raise maxRequestsPerHost only if callbacks never wait for each other."
