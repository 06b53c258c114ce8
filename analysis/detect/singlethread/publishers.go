package singlethread

import (
	"slices"

	"jstall/analysis/facts/loops"
	"jstall/analysis/timeline"
)

// addPublishers adds those that wanted room in a ring in every dump, where the loop
// handles the events of one.
func addPublishers(f *timeline.Timeline, dependents []*timeline.History, l loops.Loop) []*timeline.History {
	if !l.Last().Stack.IsInside(loops.Disruptor, "") {
		return dependents
	}
	for _, h := range f.Alive() {
		claims := !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool { return !loops.ClaimsInRing(s.Stack) })
		if claims && len(h.Samples) == len(f.Snaps) && h != l.History && !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	return dependents
}
