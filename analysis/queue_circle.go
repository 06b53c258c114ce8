package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// fullCircles reports queues of a library that are full and stay so, as everyone who could
// take from one of them waits for room in another, and the producers that they settle.
//
// Rule: threads stand in a put of a class of a library. Some of them were called by another
// class of its package, the side that takes, as a route of a broker is that feeds the next
// one. Two of these wait for room in different queues, and whoever else that side runs has
// nothing to do: the queue of such a one is empty. Which of the queues each takes from no
// line says.
func (f *facts) fullCircles(groups []gathering) (found []candidate, told []*Sample) {
	seen := map[string]bool{}
	for _, g := range groups {
		p := g.waiters[0].last().Stack.putterPackage()
		if p == "" || seen[p] || f.gradeFull(g) == Info {
			continue
		}
		seen[p] = true
		if takers, feeders := f.circleIn(p, groups); len(takers) > 1 {
			found = append(found, f.fullCircle(takers, feeders))
			told = slices.Concat(told, takers, feeders)
		}
	}
	return found, told
}

// putterPackage is the package of the library whose class puts something into a queue,
// empty if none does.
func (s *Stack) putterPackage() string {
	if by := s.op.caller; s.op.kind == opPut && by != nil && originOf(by) == ofLibrary {
		return packageOf(by)
	}
	return ""
}

// circleIn are those of the threads waiting for room in the queues of a package that its
// own classes run, and the others; none if one that these run may still take something.
func (f *facts) circleIn(pack string, groups []gathering) (takers, feeders []*Sample) {
	waiting := map[*Sample]string{}
	queues := map[string]bool{}
	for _, g := range groups {
		for _, s := range g.samples() {
			if s.Stack.putterPackage() == pack {
				waiting[s] = g.key
			}
		}
	}
	for _, h := range f.alive() {
		s := h.last()
		queue, waits := waiting[s]
		switch runs := s.Stack.runBy(pack); {
		case waits && runs:
			takers = append(takers, s)
			queues[queue] = true
		case waits:
			feeders = append(feeders, s)
		case runs && s.Stack.op.kind != opTake && !h.surelyIdle():
			return nil, nil
		}
	}
	if len(queues) < 2 {
		return nil, nil
	}
	return inNameOrder(takers), inNameOrder(feeders)
}

// runBy reports that a class of a package called what the stack does, other than the one
// that puts into a queue.
func (s *Stack) runBy(pack string) bool {
	from, putter := 0, ""
	if i := slices.Index(s.Frames, s.Application); i >= 0 {
		from = i + 1
	}
	if s.putterPackage() == pack {
		putter = outermost(s.op.caller.Class)
	}
	return slices.ContainsFunc(s.Frames[from:], func(fr *threaddump.Frame) bool {
		rest, ok := strings.CutPrefix(fr.Class, pack)
		return ok && !strings.Contains(rest, ".") && outermost(fr.Class) != putter
	})
}

func (f *facts) fullCircle(takers, feeders []*Sample) candidate {
	at := len(f.snaps) - 1
	finding := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s wait for room in full queues of %s, and so does everyone who could take from these: each seems to wait for another to take",
			quoteThreads(takers), shortClass(takers[0].Stack.op.caller)),
		Advice: "A queue that leads back to one before it fills for good, and then only a restart frees these threads: " +
			"let them not wait for room (offer, and put aside or refuse what finds none), or hand on by a queue of another kind.",
		Resource: &Resource{Type: "queue", Class: takers[0].Stack.op.frame.Class},
		Culprits: f.refs(takers), Victims: f.refs(feeders),
		Evidence: f.standEvidence(at, takers),
	}
	for _, s := range takers[:2] {
		if l := s.waitsOn(); l != nil {
			finding.Evidence = append(finding.Evidence, f.quoteLock(at, l))
		}
	}
	return candidate{Finding: finding}
}
