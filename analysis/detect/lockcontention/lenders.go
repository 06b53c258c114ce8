package lockcontention

import (
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// blameLenders goes on from the owner of a lock that waits for a permit or a pooled object,
// while it keeps the lock: to those who hold one and stand still.
func blameLenders(f *facts.Facts, result *finding.Finding, q *locks.Queue) {
	if resources.ResourceKey(q.Root) == "" || q.At != len(f.Snaps)-1 {
		return
	}
	holders, evidence := resources.HoldersOf(f.Timeline, q.At, []*timeline.Sample{q.Root})
	holders = slices.DeleteFunc(holders, func(s *timeline.Sample) bool {
		return slices.Contains(q.Waiters, s) || !f.StandsStill(f.History(s))
	})
	if len(holders) == 0 {
		return
	}
	goOnTo(f.Timeline, result, q, holders, f.HoldersWords(holders, evidence))
	result.Advice = lendersAdvice
}

// goOnTo blames others than the owner of a lock for what that waits for, in some words: it is a victim, too.
func goOnTo(f *timeline.Timeline, result *finding.Finding, q *locks.Queue, others []*timeline.Sample, words string) {
	result.Title += "; " + words
	result.Confidence = finding.Likely
	result.Victims = append([]finding.ThreadRef{f.Ref(q.Root)}, result.Victims...)
	result.Culprits = f.Refs(others)
	result.Evidence = append(f.StandEvidence(q.At, others), result.Evidence...)
}
