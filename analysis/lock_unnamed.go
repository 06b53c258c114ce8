package analysis

import (
	"fmt"
	"maps"
	"slices"

	"jstall/threaddump"
)

// unnamedWaiters is how many threads must be BLOCKED at one place of which no line names the
// lock: class loading and old forms of dumps print none.
const unnamedWaiters = 3

// unnamedContention reports threads that are BLOCKED in one method without a line that names
// the lock. They are a warning if no dump shows a change.
func (f *timeline) unnamedContention() []candidate {
	byPlace := map[string][]*Sample{}
	for _, h := range f.alive() {
		if s := h.last(); s.lacksLockLine() {
			place := s.Stack.Frames[0].Name()
			byPlace[place] = append(byPlace[place], s)
		}
	}
	var found []candidate
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		if waiters := inNameOrder(byPlace[place]); sizeOf(waiters) >= unnamedWaiters {
			found = append(found, f.unnamedAt(place, waiters))
		}
	}
	return found
}

// lacksLockLine tells a thread that waits for a monitor which the dump does not name.
func (s *Sample) lacksLockLine() bool {
	return s.Thread.program() && s.State == threaddump.Blocked && s.wait == waitMonitor &&
		s.waitsOn() == nil && len(s.Stack.Frames) > 0
}

func (f *timeline) unnamedAt(place string, waiters []*Sample) candidate {
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s are BLOCKED in %s; owner unknown: the dump has no line for this lock",
			Counted(sizeOf(waiters), "thread"), shortName(place)),
		Advice:   "Take a dump with jcmd Thread.print or jstack: it names the locks. Class loading has no such line: take several dumps.",
		Resource: &Resource{Type: "monitor"},
		Victims:  f.refs(waiters), Evidence: f.placeOfBlocked(waiters),
	}
	if f.lasts() && !slices.ContainsFunc(waiters, func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	}) {
		result.Severity, result.Confidence = Warning, Likely
	}
	return candidate{Finding: result, unlisted: sizeOf(waiters) - len(waiters)}
}

// placeOfBlocked quotes the top frames of the first few threads.
func (f *timeline) placeOfBlocked(threads []*Sample) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, s := range threads[:min(shown, len(threads))] {
		quotes = append(quotes, f.quoteFrame(len(f.snaps)-1, s, 0))
	}
	return quotes
}
