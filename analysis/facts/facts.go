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

// New computes the facts of a timeline.
func New(t *timeline.Timeline) *Facts {
	return &Facts{Loops: loops.New(iowaits.New(pools.New(locks.New(t))))}
}

// AddWritten adds the facts of the dumps that Java code in the JVM wrote beside f's own, virtual threads included.
func (f *Facts) AddWritten(written *timeline.Timeline) {
	f.Written, written.Beside = written, f.Timeline
	f.WrittenFacts = New(written)
	f.WrittenFacts.BesideFacts = f
}
