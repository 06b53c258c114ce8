package analysis

import "slices"

// blameLenders goes on from the owner of a lock that waits for a permit or a pooled
// object, while it keeps the lock: to those who seem to have one, and stand.
//
// Rule: they are where the owner asks and have gone on, at a later line, or further down
// in the very method that asks. Who waits behind the owner is none of them.
func (f *facts) blameLenders(finding *Finding, q *queue) {
	if resourceKey(q.root) == "" || q.at != len(f.snaps)-1 {
		return
	}
	holders := f.lentTo(q)
	if len(holders) == 0 {
		return
	}
	f.goOnTo(finding, q, holders, seemsOf(holders)+" to have one while "+f.doing(holders))
	finding.Advice = "Do not wait for what others may keep while holding a lock; hold it for a shorter time, with a time limit on what is done meanwhile."
}

// goOnTo blames others than the owner of a lock for what that waits for, in some words: it is a victim, too.
func (f *facts) goOnTo(finding *Finding, q *queue, others []*Sample, words string) {
	finding.Title += "; " + words
	finding.Confidence = Likely
	finding.Victims = append([]ThreadRef{f.ref(q.root)}, finding.Victims...)
	finding.Culprits = f.refs(others)
	finding.Evidence = append(f.standEvidence(q.at, others), finding.Evidence...)
}

// lentTo are the threads that seem to have what the root of a queue waits for, a few at
// most.
func (f *facts) lentTo(q *queue) []*Sample {
	const few = 8
	asks := q.root.Stack
	var inMethod, later []*Sample
	for i := range f.snaps[q.at].samples {
		s := &f.snaps[q.at].samples[i]
		if s == q.root || !mayHold(s) || slices.Contains(q.waiters, s) || resourceKey(s) == resourceKey(q.root) || !f.standsStill(f.history(s)) {
			continue
		}
		if asks.suspects(s.Stack) == beyond {
			later = append(later, s)
		}
		if asks.Application != nil && s.Stack.Application != nil && isIn(asks.Application, s.Stack) && !isIn(s.Stack.Application, asks) {
			inMethod = append(inMethod, s)
		}
	}
	if len(later) == 0 {
		later = inMethod
	}
	if len(later) > few {
		return nil
	}
	return inNameOrder(later)
}
