package lockcontention

import (
	"maps"
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// unnamedWaiters is how many threads must be BLOCKED at one place of which no line names the
// lock: class loading and old forms of dumps print none.
const unnamedWaiters = 3

// unnamedContention reports threads that are BLOCKED in one method without a line that names
// the lock. They are a warning if no dump shows a change.
func unnamedContention(f *timeline.Timeline) []finding.Candidate {
	byPlace := map[string][]*timeline.Sample{}
	for _, h := range f.Alive() {
		if s := h.Last(); lacksLockLine(s) {
			place := s.Stack.Frames[0].Name()
			byPlace[place] = append(byPlace[place], s)
		}
	}
	var found []finding.Candidate
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		if waiters := timeline.InNameOrder(byPlace[place]); timeline.SizeOf(waiters) >= unnamedWaiters {
			found = append(found, unnamedAt(f, place, waiters))
		}
	}
	return found
}

// lacksLockLine tells a thread that waits for a monitor which the dump does not name.
func lacksLockLine(s *timeline.Sample) bool {
	return s.Thread.Program() && s.State == threaddump.Blocked && s.Wait == stack.WaitMonitor &&
		s.WaitsOn() == nil && len(s.Stack.Frames) > 0
}

func unnamedAt(f *timeline.Timeline, place string, waiters []*timeline.Sample) finding.Candidate {
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: unnamedTitle(timeline.SizeOf(waiters), place), Advice: unnamedAdvice,
		Resource: &finding.Resource{Type: "monitor"},
		Victims:  f.Refs(waiters), Evidence: placeOfBlocked(f, waiters),
	}
	if pools.LongEnough(f) && !slices.ContainsFunc(waiters, func(s *timeline.Sample) bool {
		return f.StandingStill(f.History(s)).Dumps < len(f.Snaps)
	}) {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(waiters) - len(waiters)}
}

// placeOfBlocked quotes the top frames of the first few threads.
func placeOfBlocked(f *timeline.Timeline, threads []*timeline.Sample) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, s := range threads[:min(shown, len(threads))] {
		quotes = append(quotes, f.QuoteFrame(len(f.Snaps)-1, s, 0))
	}
	return quotes
}
