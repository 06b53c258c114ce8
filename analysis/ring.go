package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// disruptor begins the names of LMAX's classes, whose publishers look again and again
// whether the ring has room.
const disruptor = "com.lmax.disruptor."

// addPublishers adds those that wanted room in a ring in every dump, where the loop
// handles the events of one.
func (f *facts) addPublishers(dependents []*history, l loop) []*history {
	if !l.last().Stack.isInside(disruptor, "") {
		return dependents
	}
	for _, h := range f.alive() {
		claims := !slices.ContainsFunc(h.samples, func(s *Sample) bool { return !s.Stack.claimsInRing() })
		if claims && len(h.samples) == len(f.snaps) && h != l.history && !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	return dependents
}

// claimsInRing tells a thread that wants room in a ring.
func (s *Stack) claimsInRing() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, disruptor) && f.Method == "next"
	})
}
