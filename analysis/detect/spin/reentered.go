package spin

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

const (
	hashMap = stack.JUC + "ConcurrentHashMap"
	// reservation is in a bin of the map while a function computes the first value of it. A thread that finds its own
	// there tries again without an end (JDK-8062841, up to 8).
	reservation = hashMap + "$ReservationNode"
	// sureDumps is how many dumps must show the thread at one line for a warning: two may be chance.
	sureDumps = 3
)

// reentered reports threads that run in a ConcurrentHashMap at one line in every dump, two at least, called by a
// function that the map itself has called, while they hold a bin that the map keeps for the value of that function.
// It needs no CPU times; where they are known, the thread has used half a core.
func reentered(f *timeline.Timeline, known map[*timeline.History]bool) []finding.Candidate {
	var found []finding.Candidate
	for _, h := range f.Alive() {
		if share := h.Share(); share.Known && share.Value < 0.5 {
			continue
		}
		if known[h] || len(h.Samples) < 2 || len(h.Samples) < len(f.Snaps) || !reenters(h) {
			continue
		}
		s := h.Last()
		result := finding.Finding{
			Severity: finding.Info, Confidence: finding.Likely,
			Title: h.Thread.Called() + " runs in " + stack.ShortName(s.Stack.Frames[0].Name()) +
				", called by a function of this method, at one line in " + finding.Counted(len(h.Samples), "dump"),
			Advice: "Compute the value before the call. A function given to ConcurrentHashMap must not change the " +
				"same map: up to JDK 8 the thread then never returns, later it gets an exception.",
			Culprits: []finding.ThreadRef{f.Ref(s)},
			Evidence: f.PlaceEvidence(h),
		}
		if len(h.Samples) >= sureDumps {
			result.Severity = finding.Warning
		}
		found = append(found, finding.Candidate{Finding: result})
	}
	return found
}

// reenters reports whether each dump shows the thread at the same frames of such a call.
func reenters(h *timeline.History) bool {
	frames := h.Last().Stack.Frames
	if len(frames) == 0 || !computes(frames[0]) || !slices.ContainsFunc(frames[1:], computes) {
		return false
	}
	return !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		holds := slices.ContainsFunc(s.Locks, func(l timeline.Lock) bool {
			return l.Op == threaddump.Locked && l.Class == reservation
		})
		return s.State != threaddump.Runnable || !holds || !slices.Equal(s.Stack.Frames, frames)
	})
}

// computes recognises the methods of the map that call a function.
func computes(f *threaddump.Frame) bool {
	if f.Class != hashMap {
		return false
	}
	switch f.Method {
	case "computeIfAbsent", "computeIfPresent", "compute", "merge":
		return true
	}
	return false
}
