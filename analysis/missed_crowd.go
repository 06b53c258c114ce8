package analysis

import (
	"fmt"
	"slices"
)

// crowdLeast is from where on threads that wait at one place, each for something of its
// own, are one finding.
const crowdLeast = 8

// crowd is the threads of many gatherings that wait by one method with one grade.
type crowd struct {
	severity Severity
	groups   []gathering
}

// crowds joins the gatherings that have a grade; few at one place stay apart.
func (w *world) crowds(groups []gathering) []crowd {
	type place struct {
		severity Severity
		kind     opKind
		caller   string
	}
	byPlace := map[place][]gathering{}
	var order []place
	for _, g := range groups {
		severity := w.grade(g)
		if severity == "" {
			continue
		}
		op := g.waiters[0].last().Stack.op
		p := place{severity, op.kind, op.caller.Name()}
		if byPlace[p] == nil {
			order = append(order, p)
		}
		byPlace[p] = append(byPlace[p], g)
	}
	var all []crowd
	for _, p := range order {
		if groups := byPlace[p]; len(groups) >= crowdLeast {
			all = append(all, crowd{p.severity, groups})
			continue
		}
		for g := range slices.Chunk(byPlace[p], 1) {
			all = append(all, crowd{p.severity, g})
		}
	}
	return all
}

// finding reports threads of a crowd as one, with the evidence of the first of them.
func (c crowd) finding(f *facts) candidate {
	found := f.missedSignal(c.groups[0], c.severity)
	if len(c.groups) == 1 {
		return found
	}
	var waiters []*Sample
	for _, g := range c.groups {
		waiters = append(waiters, g.samples()...)
	}
	waiters = inNameOrder(waiters)
	found.Title = fmt.Sprintf("%s wait each for %s", count(len(waiters), "thread"), missing(waiters[0].Stack.op))
	found.Culprits, found.Resource = f.refs(waiters), nil
	found.Evidence = append(found.Evidence, figure(fmt.Sprintf("%d others wait there for something else", len(waiters)-len(c.groups[0].waiters))))
	return found
}

// missing words what does not come, and what the other threads would have to do for
// it: they all wait themselves or have nothing to do.
func missing(op operation) string {
	switch op.kind {
	case opLatch:
		return "a latch to open; no other thread is doing anything that could count it down"
	case opBarrier:
		return "another thread at the " + barrierOf(op) + "; none is on its way"
	case opExchange:
		return "a partner at an Exchanger; none is on its way"
	case opResult:
		return "a result; no other thread is working on it"
	case opPermit:
		return "a permit; no other thread is doing anything that could release one"
	case opCondition:
		return "a condition to be signalled; no other thread is doing anything that could signal it"
	case opPark:
		return "an unpark; no other thread is doing anything that could give one"
	}
	return "a notify; no other thread is doing anything that could give one"
}

// barrierOf names a barrier: "barrier" for the usual one, "Phaser".
func barrierOf(op operation) string {
	if class := shortClass(op.frame); class != "CyclicBarrier" {
		return class
	}
	return "barrier"
}
