package lockcontention

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// outerKey groups threads that wait for one such lock. If a library parks on no object, as for an answer, the method of
// the program that asks for the lock identifies it.
func outerKey(s *timeline.Sample) string {
	if timeline.OuterLockOf(s) == "" || s.Stack.Op.Caller == nil { // or the stack is cut
		return ""
	}
	asks := s.Stack.Op.Caller.Class + " "
	// In a database that serves others each statement waits on its own object.
	if l := s.WaitsOn(); l == nil || l.Address == 0 || s.Stack.Application == nil {
		return asks + s.Stack.Lead().Name()
	}
	return asks + s.Object()
}

// outerContention reports threads that wait over the capture for a lock of timeline.OuterLocks. A thread past the line
// where they request the lock has it.
func outerContention(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range joinPlaces(waits.GroupWaiters(f.Timeline, outerKey)) {
		found = append(found, finding.Candidate{Finding: outerFinding(f, g)})
	}
	return found
}

// joinPlaces joins groups with waiters in the same call of one method. A library may make an object for each wait, as
// for the rows of a table.
func joinPlaces(groups []waits.Group) []waits.Group {
	var joined []waits.Group
	placeOf := map[string]int{}
	for _, g := range groups {
		at := len(joined)
		for _, w := range g.Waiters {
			if i, known := placeOf[outerPlace(w.Last())]; known {
				at = i
				break
			}
		}
		if at == len(joined) {
			joined = append(joined, waits.Group{Key: g.Key})
		}
		for _, w := range g.Waiters {
			joined[at].Waiters = append(joined[at].Waiters, w)
			placeOf[outerPlace(w.Last())] = at
		}
	}
	return joined
}

// outerPlace is the class of the library that waits and the method that called it.
func outerPlace(s *timeline.Sample) string {
	return s.Stack.Op.Caller.Class + " " + s.Stack.Lead().Name()
}

func outerFinding(f *facts.Facts, g waits.Group) finding.Finding {
	waiters := g.Samples()
	at, n, lock := len(f.Timeline.Snaps)-1, len(waiters), timeline.OuterLocks[timeline.OuterLockOf(waiters[0])]
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title:    outerTitle(n, lock.Awaited),
		Advice:   lock.Advice,
		Resource: facts.WaitedResource(lock.Resource, waiters[0]), Evidence: f.Timeline.WaitEvidence(at, waiters),
	}
	holders := outerHolders(f, waiters)
	goesRound := slices.ContainsFunc(holders, func(s *timeline.Sample) bool {
		return waitedForOuter(f.Timeline.History(s))
	})
	forGood := slices.ContainsFunc(g.Waiters, timeline.Still.Untimed)
	if len(f.Timeline.Snaps) < 2 || goesRound || lock.Elsewhere && (len(holders) == 0 || !forGood) {
		result.Severity, result.Confidence = finding.Info, finding.Possible
	}
	if len(holders) == 0 && waiters[0].Stack.Application == nil {
		result.Victims = f.Timeline.Refs(waiters) // the owner is on another machine
		return result
	}
	if len(holders) == 0 {
		result.Culprits = f.Timeline.Refs(waiters)
		return result
	}
	result.Culprits, result.Victims = f.Timeline.Refs(holders), f.Timeline.Refs(waiters)
	result.Title += outerHolderWords(f, holders, lock.Holding)
	result.Evidence = append(f.Timeline.FrameEvidence(at, holders), result.Evidence...)
	return result
}

// outerHolders returns the threads whose frames show that they have what the waiters want.
func outerHolders(f *facts.Facts, waiters []*timeline.Sample) []*timeline.Sample {
	holders := f.Locks.LikelyHolders(len(f.Timeline.Snaps)-1, waiters)
	return holders
}

// waitedForOuter reports whether the thread itself waited for such a lock in the capture.
func waitedForOuter(h *timeline.History) bool {
	return slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool { return timeline.OuterLockOf(s) != "" })
}
