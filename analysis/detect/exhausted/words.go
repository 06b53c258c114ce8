package exhausted

import (
	"fmt"
	"strings"

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
		return "Semaphore exhausted: " + waiting + " for a permit"
	case strings.HasPrefix(x.Key, "pool"):
		return upperFirst(resources.PooledThing(first).Pool) + " exhausted: " + waiting
	case first.Op.Caller != nil && resources.AsksForResource(first):
		return "Pool exhausted: " + waiting + " in " + stack.ShortName(first.Op.Caller.Name())
	}
	return waiting + " for an object that others hold"
}

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

func (x *exhaustion) advice() string {
	switch {
	case resources.PooledThing(x.waiters[0].Stack).Jdbc:
		return "Set a timeout on the call made while the connection is held. A bigger pool helps only if the database has capacity."
	case permits(x.Group):
		return "Set a timeout on the call made while the permit is held. More permits help only if the work behind has capacity."
	}
	return "Set a timeout on the call made while the object is held. A bigger pool helps only if the work behind has capacity."
}

func noneOr(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}
