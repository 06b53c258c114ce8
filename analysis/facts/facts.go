// Package facts is all that detectors may use: the facts of one JVM, each package of them over the one below.
package facts

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Facts are what all detectors share.
type Facts struct {
	// Timeline is the threads over the dumps, Objects what was read from the JVM's memory with the dumps.
	Timeline *timeline.Timeline
	Objects  *objects.Objects
	// Locks are who waits for whom, Pools the executors, IOWaits the threads in I/O, Loops the threads that do alone
	// what others need.
	Locks   *locks.Locks
	Pools   *pools.Pools
	IOWaits *iowaits.Waits
	Loops   *loops.Loops
	// Written are the facts of the dumps that Java code in the JVM wrote during the capture. Base is the
	// reverse: the facts of the JVM's own dumps, for those of such written dumps. Each is nil if there are no such
	// dumps.
	Written, Base *Facts
}

// New computes the facts of a timeline.
func New(t *timeline.Timeline) *Facts {
	l := locks.New(t)
	p := pools.New(l)
	io := iowaits.New(p)
	return &Facts{Timeline: t, Objects: l.Objects, Locks: l, Pools: p, IOWaits: io, Loops: loops.New(io)}
}

// AddWritten adds the facts of the dumps that Java code in the JVM wrote in addition to f's own, virtual threads
// included.
func (f *Facts) AddWritten(written *timeline.Timeline) {
	f.Timeline.Written, written.Base = written, f.Timeline
	f.Written = New(written)
	f.Written.Base = f
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
