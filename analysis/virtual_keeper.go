package analysis

import (
	"slices"

	"jstall/threaddump"
)

// keptBy is who seems to hold the monitor that virtual threads on carriers stand at, of
// which no dump before JDK 26 tells the owner: the only other thread of the program that
// has a monitor locked, which stands still in a class that they call. Nil if there is none.
func (f *facts) keptBy(held []carrier) *Sample {
	var keeper *Sample
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if s.Thread.Virtual || s.carrier != 0 || s.Thread.Role != threaddump.Application || !s.hasMonitor() {
			continue
		}
		if keeper != nil {
			return nil
		}
		keeper = s
	}
	if keeper == nil || !f.standsStill(f.history(keeper)) {
		return nil
	}
	at := func(c carrier) bool {
		what, _ := c.pinOf(f.monitorsPin())
		return what == pinEntry && c.stack.suspects(keeper.Stack) > noSuspicion
	}
	if !slices.ContainsFunc(held, at) {
		return nil
	}
	return keeper
}

// hasMonitor reports that the thread has a monitor and has not given it up to wait.
func (s *Sample) hasMonitor() bool {
	return slices.ContainsFunc(s.locks, func(l lock) bool {
		return l.op == threaddump.Locked && s.holding(l.address) != nil
	})
}

// blameKeeper says who seems to hold the monitor.
func (f *facts) blameKeeper(finding *Finding, keeper *Sample) {
	finding.Title += " that " + keeper.Thread.called() + " seems to hold while it " + f.phrase(keeper)
	finding.Advice = "Do not wait while holding this monitor: look at what that thread waits for. " + finding.Advice
	finding.Culprits = slices.Insert(finding.Culprits, 0, f.ref(keeper))
	finding.Evidence = append(f.standEvidence(len(f.snaps)-1, []*Sample{keeper}), finding.Evidence...)
}
