package analysis

import "slices"

// blameLenders goes on from the owner of a lock that waits for a permit or a pooled object,
// while it keeps the lock: to those who hold one and stand still.
func (f *facts) blameLenders(result *Finding, q *queue) {
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
	f.goOnTo(result, q, holders, f.holdersWords(holders, evidence))
	result.Advice = "Do not acquire a permit or a pooled object while holding a lock. Set a timeout on the call made while one is held."
}

// goOnTo blames others than the owner of a lock for what that waits for, in some words: it is a victim, too.
func (f *timeline) goOnTo(result *Finding, q *queue, others []*Sample, words string) {
	result.Title += "; " + words
	result.Confidence = Likely
	result.Victims = append([]ThreadRef{f.ref(q.root)}, result.Victims...)
	result.Culprits = f.refs(others)
	result.Evidence = append(f.standEvidence(q.at, others), result.Evidence...)
}
