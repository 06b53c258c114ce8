package lockcontention

import (
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// keepsOutAnswer reports that the owner of a lock waits for an answer of this very JVM, while
// all workers of an executor that serves requests wait for that lock or for such an answer.
func keepsOutAnswer(f *iowaits.Waits, q *locks.Queue) bool {
	if q.At != len(f.Snaps)-1 || !locks.ShowsAllThreads(f.Last()) || !f.WaitsForSelf(f.History(q.Root)) {
		return false
	}
	return slices.ContainsFunc(f.Executors(), func(p *pools.Pool) bool {
		serves := false
		return p.EveryBusy() && !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
			waits := slices.Contains(q.Waiters, h.Last())
			serves = serves || waits && iowaits.CalledByLibrary(h.Last().Stack)
			return !waits && !f.WaitsForSelf(h)
		}) && serves
	})
}

// tellAnswerKeptOut adds to the finding that the owner's own lock is in the way.
func tellAnswerKeptOut(result *finding.Finding) {
	result.Title += answerKeptOut
	result.Advice = answerKeptOutAdvice
}
