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
	var waiters []*Sample
	for _, g := range c.groups {
		waiters = append(waiters, g.samples()...)
	}
	if len(c.groups) == 1 {
		return found
	}
	waiters = inNameOrder(waiters)
	found.Title = fmt.Sprintf("%s wait each for %s", Counted(len(waiters), "thread"), f.missingTo(waiters[0]))
	found.Culprits, found.Resource = f.refs(waiters), nil
	found.Evidence = append(found.Evidence, figure(fmt.Sprintf("%d others wait there for something else", len(waiters)-len(c.groups[0].waiters))))
	return found
}
