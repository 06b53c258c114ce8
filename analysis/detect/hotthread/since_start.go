package hotthread

import (
	"time"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

const (
	// sinceStart is the share of a core that a thread must have used since it started to be reported from one dump;
	// sinceStartLong is the same for one that has run for longCPU.
	sinceStart     = cpu.HotShare
	sinceStartLong = 0.5
	longCPU        = 10 * time.Minute
	// mostOfACore is more than any thread can use of a core, with the rounding of its times. DestroyJavaVM is above it:
	// it keeps the CPU time of main, and its age is new.
	mostOfACore = 1.05
)

// sinceItsStart is the share of a core that a thread has used since it started; ok if that is enough to be reported.
func sinceItsStart(s *timeline.Sample) (share float64, ok bool) {
	if s.CPUTime == timeline.Unknown || s.Age < int64(locks.StuckFor)/2 {
		return 0, false
	}
	share = float64(s.CPUTime) / float64(s.Age)
	least := sinceStart
	if s.CPUTime >= int64(longCPU) {
		least = sinceStartLong
	}
	return share, least <= share && share <= mostOfACore
}

// hotByAverage uses the last dump alone. It reports threads deep inside a regular expression, and threads that run now
// and have used most of a core since they started.
func hotByAverage(f *timeline.Timeline) []finding.Candidate {
	found := backtrackers(f, nil)
	for _, h := range f.Alive() {
		h = h.OnCPU()
		s := h.Last()
		if !h.Thread.Program() || s.Wait != stack.Running || s.TakesDump() || backtracks(s) ||
			len(s.Stack.Frames) == 0 {
			continue
		}
		if share, ok := sinceItsStart(s); ok {
			hot := []cpu.HotThread{{H: h, Share: share, Wanted: share, Dominant: s}}
			c := hotFinding(f, hot, finding.Info, finding.Possible)
			c.Title = sinceStartTitle(h, share, time.Duration(s.CPUTime))
			found = append(found, c)
		}
	}
	return found
}
