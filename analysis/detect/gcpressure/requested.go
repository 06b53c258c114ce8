package gcpressure

import (
	"slices"

	"jstall/analysis/facts/memory"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// wereRequested reports that every dump was taken in or after a collection that was
// asked for: the thread that asks has gone on by then, and may not be one of those named.
func wereRequested(f *timeline.Timeline) bool {
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool {
		return s.Counters == nil || memory.LatestGCCause(s.Counters) != "System.gc()"
	})
}

// requesters are the application's threads that half of the dumps or more show in
// a collection which they have asked for themselves, one dump if it is known that
// somebody asks.
func requesters(f *timeline.Timeline, known bool) []*timeline.Sample {
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		var last *timeline.Sample
		times := 0
		for _, s := range h.Samples {
			if frames := s.Stack.Frames; len(frames) > 0 && frames[0].Name() == "java.lang.Runtime.gc" {
				last = s
				times++
			}
		}
		if last != nil && h.Thread.Role == threaddump.Application && (known || 2*times >= len(f.Snaps)) {
			found = append(found, last)
		}
	}
	return found
}

// blameCallers names the threads that ask for collections.
func blameCallers(f *timeline.Timeline, result *finding.Finding, callers []*timeline.Sample) {
	for _, s := range callers {
		if e, ok := timeline.WorkEvidence(f, f.History(s), s); ok {
			result.Evidence = append(result.Evidence, e)
		}
	}
	result.Culprits = f.Refs(callers)
	result.Title += callersWords(callers)
	result.Advice = requestedAdvice
}
