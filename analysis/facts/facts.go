package facts

import (
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/pools"
	"jstall/analysis/timeline"
)

// Facts are what all detectors share.
type Facts struct {
	*loops.Loops
	// writtenFacts are those of what Java code in the JVM wrote beside, besideFacts, of these, those
	// of what it was written beside; nil if there are none.
	WrittenFacts, BesideFacts *Facts
}

func New(t *timeline.Timeline) *Facts {
	l := &locks.Locks{Timeline: t, Graphs: make([]*locks.Graph, len(t.Snaps))}
	return &Facts{Loops: &loops.Loops{Waits: &iowaits.Waits{Pools: &pools.Pools{Locks: l}}}}
}
