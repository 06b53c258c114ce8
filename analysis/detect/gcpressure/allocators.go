package gcpressure

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// leastAllocated is how much a thread must have allocated to be to blame: less fills no heap.
const leastAllocated = 16 << 20

// blameAllocators names the threads that have allocated most since they were started, which one dump shows (-e, from
// JDK 11 on). These threads filled the heap, though not necessarily now.
func blameAllocators(f *timeline.Timeline, result *finding.Finding) {
	cpu.BlameTopThreads(f, result, func(h *timeline.History) timeline.Opt[int64] {
		if at := h.Last().Allocated; at >= leastAllocated {
			return threaddump.Known(at)
		}
		return timeline.Opt[int64]{}
	})
	if len(result.Culprits) > 0 {
		result.Evidence = append(result.Evidence, allocatedEvidence(f, result.Culprits[0]))
	}
}

// allocatedEvidence is how much the first of the threads has allocated.
func allocatedEvidence(f *timeline.Timeline, first finding.ThreadRef) finding.Evidence {
	i := slices.IndexFunc(f.Alive(), func(h *timeline.History) bool { return h.Thread.ID == first.ID })
	return finding.Figure(first.Called() + " has allocated " +
		timeline.Megabytes(f.Alive()[max(0, i)].Last().Allocated) + " since it was started")
}
