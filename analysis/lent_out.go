package analysis

import "slices"

// blameLenders goes on from the owner of a lock that waits for a permit or a pooled object,
// while it keeps the lock: to those who hold one and stand still.
func (f *facts) blameLenders(finding *Finding, q *queue) {
	if resourceKey(q.root) == "" || q.at != len(f.snaps)-1 {
		return
	}
	holders, evidence := f.holdersOf(q.at, []*Sample{q.root})
	holders = slices.DeleteFunc(holders, func(s *Sample) bool {
		return slices.Contains(q.waiters, s) || !f.standsStill(f.history(s))
	})
	if len(holders) == 0 {
		return
	}
	f.goOnTo(finding, q, holders, f.holdersWords(holders, evidence))
	finding.Advice = "Do not acquire a permit or a pooled object while holding a lock. Set a timeout on the call made while one is held."
}

// goOnTo blames others than the owner of a lock for what that waits for, in some words: it is a victim, too.
func (f *facts) goOnTo(finding *Finding, q *queue, others []*Sample, words string) {
	finding.Title += "; " + words
	finding.Confidence = Likely
	finding.Victims = append([]ThreadRef{f.ref(q.root)}, finding.Victims...)
	finding.Culprits = f.refs(others)
	finding.Evidence = append(f.standEvidence(q.at, others), finding.Evidence...)
}
