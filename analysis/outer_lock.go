package analysis

import (
	"slices"
)

// outerLock is a lock that is none of the JVM's: no dump tells who has it.
type outerLock struct {
	resource, awaited, holding, advice string
	// elsewhere tells that another JVM may have it as well.
	elsewhere bool
}

// outerLocks are told by the rows of idle.tsv that are marked !row and !lock.
var outerLocks = map[string]outerLock{
	"row": {
		resource: "transaction",
		awaited:  "the end of a transaction that has a row or a table of the database",
		holding:  "it open while ",
		advice:   "Find the transaction that is left open: commit it before anything slow is done, and give statements a time limit.",
	},
	"lock": {
		resource:  "distributed lock",
		awaited:   "a lock that several JVMs may share",
		holding:   "it while ",
		advice:    "Hold it for a shorter time, and for nothing slow; wait for it with a time limit. If nobody here has it, look at the other JVMs.",
		elsewhere: true,
	},
}

// outerLockOf is the name of the lock that a thread waits for, empty for all others.
func outerLockOf(s *Sample) string {
	p := s.position()
	if p == nil || !p.not || s.Stack.Application == nil {
		return ""
	}
	if _, is := outerLocks[p.what]; !is {
		return ""
	}
	return p.what
}

// outerKey groups threads that wait for one such lock; where a library parks on nothing, as
// for an answer, the method of the program that asks has to tell it.
func outerKey(s *Sample) string {
	if outerLockOf(s) == "" {
		return ""
	}
	asks := s.Stack.op.caller.Class + " "
	if l := s.waitsOn(); l == nil || l.address == 0 {
		return asks + s.Stack.Application.Name()
	}
	return asks + s.object()
}

// outerContention reports threads that wait over the capture for a lock of outerLocks.
// Whoever stands past the line where they ask has it.
func (f *facts) outerContention() []candidate {
	var found []candidate
	for _, g := range f.gather(outerKey) {
		found = append(found, candidate{Finding: f.outerFinding(g)})
	}
	return found
}

func (f *facts) outerFinding(g gathering) Finding {
	waiters := g.samples()
	at, n, lock := len(f.snaps)-1, len(waiters), outerLocks[outerLockOf(waiters[0])]
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title:    Counted(n, "thread") + verb(n, " waits", " wait") + " for " + lock.awaited,
		Advice:   lock.advice,
		Resource: atResource(lock.resource, waiters[0]), Evidence: f.waitEvidence(at, waiters),
	}
	holders := f.outerHolders(waiters)
	goesRound := slices.ContainsFunc(holders, func(s *Sample) bool { return waitedForOuter(f.history(s)) })
	forGood := slices.ContainsFunc(g.waiters, still.untimed)
	if len(f.snaps) < 2 || goesRound || lock.elsewhere && (len(holders) == 0 || !forGood) {
		result.Severity, result.Confidence = Info, Possible
	}
	if len(holders) == 0 {
		result.Culprits = f.refs(waiters)
		return result
	}
	result.Culprits, result.Victims = f.refs(holders), f.refs(waiters)
	result.Title += "; " + quoteThreads(holders) + verb(len(holders), " likely has ", " likely have ") + lock.holding + f.doing(holders)
	result.Evidence = append(f.standEvidence(at, holders), result.Evidence...)
	return result
}

// outerHolders are the threads whose frames show that they have what the waiters want.
func (f *timeline) outerHolders(waiters []*Sample) []*Sample {
	holders, _ := f.likelyHolders(len(f.snaps)-1, waiters)
	return holders
}

// waitedForOuter reports that the thread waited for such a lock itself in the capture.
func waitedForOuter(h *history) bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool { return outerLockOf(s) != "" })
}
