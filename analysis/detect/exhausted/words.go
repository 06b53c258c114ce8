package exhausted

import (
	"fmt"
	"strings"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// title words what is exhausted and how many threads wait for it.
func (x *exhaustion) title() string {
	first := x.waiters[0].Stack
	n := timeline.SizeOf(x.waiters)
	waiting := finding.Counted(n, "thread") + finding.Verb(n, " waits", " wait")
	switch {
	case permits(x.Group):
		return exhaustedSemaphore + ": " + waiting + " for a permit"
	case strings.HasPrefix(x.Key, "pool"):
		return upperFirst(resources.PooledThing(first).Pool) + " exhausted: " + waiting
	case first.Op.Caller != nil && resources.AsksForResource(first):
		return "Pool exhausted: " + waiting + " in " + stack.ShortName(first.Op.Caller.Name())
	}
	return waiting + " for an object that others hold"
}

const exhaustedSemaphore = "Semaphore exhausted"

// upperFirst begins a title with a capital letter, other than names that begin with a small one.
func upperFirst(s string) string {
	if strings.HasPrefix(s, "c3p0") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// resource is the type of what is waited for.
func (x *exhaustion) resource() string {
	if permits(x.Group) {
		return "permit"
	}
	return "pooled object"
}

// advice is for holders that wait: what would free their objects.
func (x *exhaustion) advice() string {
	const limit = "Set a timeout on the call made while the %s is held. %s only if %s has capacity."
	switch {
	case resources.PooledThing(x.waiters[0].Stack).Jdbc:
		return fmt.Sprintf(limit, "connection", "A bigger pool helps", "the database")
	case permits(x.Group):
		return fmt.Sprintf(limit, "permit", "More permits help", "the called service")
	}
	return fmt.Sprintf(limit, "object", "A bigger pool helps", "the called service")
}

const (
	unfedAdvice = iowaits.NoInputAdvice + " Set a timeout on the call made while one is held."
	lockAdvice  = "Do not wait for a lock while holding one of these objects, and hold that lock for a shorter time."
	takeTwo     = "Return the first object before acquiring a second one, or make the pool larger than the number of " +
		"threads that take two."
	leakAdvice = "Check for a leak: return each object in a finally block. " +
		"Set a timeout on the wait for one, so that callers fail instead of blocking."
)

// greedyWords completes a title where waiters hold an object.
func (x *exhaustion) greedyWords() string {
	return fmt.Sprintf("; %d of them hold one each and wait for another", timeline.SizeOf(x.greedy))
}

const holdersUnknown = "; holders unknown: no frame in this dump shows a holder"

func limiterTitle(waiters, passed int) string {
	return fmt.Sprintf("%s wait in a rate limiter; it let %s of them pass between the dumps",
		finding.Counted(waiters, "thread"), noneOr(passed))
}

const limiterAdvice = "Raise the rate of the limiter to the load, or reject early what exceeds it."

func noneOr(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func callsTitle(calls int, host, doing string) string {
	return fmt.Sprintf("%d OkHttp calls to %s wait in callbacks and keep their places in the dispatcher: %s",
		calls, host, doing)
}

const callsAdvice = "Do not wait in a callback of an OkHttp call for another call: start the second call and return. " +
	"Raise maxRequestsPerHost only if callbacks never wait for each other."
