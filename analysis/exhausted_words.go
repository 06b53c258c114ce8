package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// title words what is exhausted and how many threads wait for it.
func (x *exhaustion) title() string {
	first := x.waiters[0].Stack
	n := sizeOf(x.waiters)
	waiting := Counted(n, "thread") + verb(n, " waits", " wait")
	switch {
	case x.permits():
		return "Semaphore exhausted: " + waiting + " for a permit"
	case strings.HasPrefix(x.key, "pool"):
		return upperFirst(first.pooledThing().pool) + " exhausted: " + waiting
	case first.op.caller != nil && handsOut(first):
		return "Pool exhausted: " + waiting + " in " + shortName(first.op.caller.Name())
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
	if x.permits() {
		return "permit"
	}
	return "pooled object"
}

// holdersWords words who holds what, and what they do meanwhile.
func (f *facts) holdersWords(holders []*Sample, evidence holderEvidence) string {
	who := ofOnePool(holders)
	switch {
	case evidence == inTransaction:
		return "possible holders: " + who + " inside a transaction"
	case len(holders) == 1:
		return who + " holds one and " + f.phrase(holders[0])
	}
	return who + " hold one each" + f.eachOf(holders)
}

// ofOnePool names threads; more than three of one pool by its name and their number.
func ofOnePool(threads []*Sample) string {
	const named = 3
	pool := PoolName(threads[0].Thread.Name)
	other := func(s *Sample) bool { return PoolName(s.Thread.Name) != pool }
	if len(threads) <= named || pool == "" || slices.ContainsFunc(threads, other) {
		return quoteThreads(threads)
	}
	return fmt.Sprintf("%s × %s", Thousands(len(threads)), quoteName(pool))
}

// eachOf words what each of several threads does, empty if they do different things.
func (f *facts) eachOf(threads []*Sample) string {
	phrase := f.phrase(threads[0])
	if slices.ContainsFunc(threads, func(s *Sample) bool { return f.phrase(s) != phrase }) {
		return ""
	}
	return "; each of them " + phrase
}

func (x *exhaustion) advice() string {
	switch {
	case x.waiters[0].Stack.pooledThing().jdbc:
		return "Set a timeout on the call made while the connection is held. A bigger pool helps only if the database has capacity."
	case x.permits():
		return "Set a timeout on the call made while the permit is held. More permits help only if the work behind has capacity."
	}
	return "Set a timeout on the call made while the object is held. A bigger pool helps only if the work behind has capacity."
}
