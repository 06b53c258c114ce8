// Package facts is all that detectors may use: the facts of one JVM, each package of them over the one below.
package facts

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Facts are what all detectors share.
type Facts struct {
	*loops.Loops
	// WrittenFacts are the facts of the dumps that Java code in the JVM wrote during the capture. BaseFacts is the
	// reverse: the facts of the JVM's own dumps, for those of such written dumps. Each is nil if there are no such
	// dumps.
	WrittenFacts, BaseFacts *Facts
}

// New computes the facts of a timeline.
func New(t *timeline.Timeline) *Facts {
	return &Facts{Loops: loops.New(iowaits.New(pools.New(locks.New(t))))}
}

// AddWritten adds the facts of the dumps that Java code in the JVM wrote in addition to f's own, virtual threads
// included.
func (f *Facts) AddWritten(written *timeline.Timeline) {
	f.Written, written.Base = written, f.Timeline
	f.WrittenFacts = New(written)
	f.WrittenFacts.BaseFacts = f
}

// OnlyVirtual keeps the findings of written dumps that are about virtual threads. It adds to the platform threads in
// them what the JVM's own dumps show of these threads.
func OnlyVirtual(f *timeline.Timeline, found []finding.Candidate) []finding.Candidate {
	return slices.DeleteFunc(found, func(c finding.Candidate) bool {
		virtual := false
		for _, refs := range [][]finding.ThreadRef{c.Culprits, c.Victims} {
			for i := range refs {
				if h := f.ByKey.Of(timeline.Key{ID: refs[i].ID}); h != nil {
					refs[i].NativeID, refs[i].CPUPercent = h.Thread.NativeID, timeline.InPercent(h.Share())
				} else if h := f.Written.ByKey.Of(timeline.Key{ID: refs[i].ID}); h != nil && h.Thread.Virtual {
					virtual = true
				}
			}
		}
		return !virtual
	})
}
