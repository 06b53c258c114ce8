package facts

import (
	"fmt"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// ShortenAdvice is for a lock whose owner works while others wait.
const ShortenAdvice = "Shorten the section that holds this lock: move I/O and slow calls out of it."

// BlameHolders names the threads whose frames show that they hold a lock of which no line of the
// dump names the owner.
func (f *Facts) BlameHolders(result *finding.Finding, q *locks.Queue) {
	holders, why := f.LikelyHolders(q.At, q.Waiters)
	if why == locks.NoSuspicion {
		return
	}
	result.Confidence = finding.Likely
	behind, roots := f.RootsOf(q.At, holders)
	result.Culprits = f.Refs(roots)
	result.Victims = append(result.Victims, f.Refs(behind)...)
	result.Title = fmt.Sprintf("%s for %s held by %s while %s", f.WaitersWords(q), q.Object(),
		timeline.QuoteThreads(holders), f.Doing(holders)) +
		f.HeldBy(holders, behind, roots)
	result.Advice = ShortenAdvice + " The owner is inferred from frames: " + locks.NoOwnerReason(q) + "."
	result.Evidence = append(result.Evidence, f.StandEvidence(q.At, holders)...)
}

// HeldBy completes what holders do, if all of them wait for what one thread holds.
func (f *Facts) HeldBy(holders, behind, roots []*timeline.Sample) string {
	if len(behind) < len(holders) || len(roots) != 1 {
		return ""
	}
	return fmt.Sprintf(" that %s holds while it %s", roots[0].Thread.Called(), f.Phrase(roots[0]))
}
