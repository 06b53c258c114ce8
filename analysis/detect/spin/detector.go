// Package spin finds threads that use CPU to poll.
package spin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
)

// Detector reports threads that use CPU to poll for something that does not come.
var Detector = detect.Detector{
	Kind: finding.KindSpin,
	Doc:  "threads that use CPU to poll for something that does not come",
	Run:  run,
}

// run reports threads that use CPU and only poll.
//
// Rule: a thread of the program wants half a core, and half of the dumps, at least two, show it in a method that
// returns at once (yield, onSpinWait, tryLock, compareAndSet, poll of a queue), while it allocates almost nothing; or
// it wants most of a core while each of three dumps shows it in one wait, as in a selector that returns at once.
// Threads with the same work are one finding. A library that polls on purpose, and a thread that pauses in between,
// are a hint. What reentered finds needs no CPU times.
func run(f *facts.Facts) []finding.Candidate {
	byWork, known := map[string][]cpu.Spinner{}, map[*timeline.History]bool{}
	for _, s := range cpu.Spinners(f.Timeline) {
		work := s.Sample.Stack.Work()
		byWork[work], known[s.H] = append(byWork[work], s), true
	}
	found := reentered(f.Timeline, known)
	for _, group := range byWork {
		found = append(found, spinFinding(f.Timeline, group))
	}
	order.Sort(found, func(a, b finding.Candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

func spinFinding(f *timeline.Timeline, group []cpu.Spinner) finding.Candidate {
	order.SortStable(group, func(a, b cpu.Spinner) int {
		return cmp.Or(cmp.Compare(a.H.Thread.Name, b.H.Thread.Name), cmp.Compare(a.H.Thread.ID, b.H.Thread.ID))
	})
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely, Title: spinTitle(group), Advice: spinAdvice(group[0]),
	}
	for _, s := range group {
		r := f.Ref(s.Sample)
		r.State = s.H.Last().Shown().String()
		result.Culprits = append(result.Culprits, r)
		if frames := s.Sample.Stack.Frames; len(frames) > 0 && frames[0] != s.Sample.Stack.Application {
			at := int(s.H.At[slices.Index(s.H.Samples, s.Sample)])
			result.Evidence = append(result.Evidence, f.QuoteFrame(at, s.Sample, 0))
		}
		if e, ok := timeline.WorkEvidence(f, s.H, s.Sample); ok {
			result.Evidence = append(result.Evidence, e)
		}
		if s.Idles || pausesInBetween(s.H) {
			result.Severity, result.Confidence = finding.Info, finding.Possible
		}
	}
	return finding.Candidate{Finding: result, Behind: starvesToo(&result)}
}

// pausesInBetween reports whether a dump shows the thread in a wait with a time limit, other than at a selector.
func pausesInBetween(h *timeline.History) bool {
	return slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		return s.Timed() && s.Stack.Op.Kind != stack.OpSelect
	})
}

// starvesToo reports whether the threads of a finding lack CPU only because they spin.
func starvesToo(spin *finding.Finding) func(effect *finding.Finding) bool {
	spins := finding.NewBlame(spin).Culprits
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindCPUStarved && spin.Severity != finding.Info &&
			finding.AllAmong(effect.Culprits, spins)
	}
}

// selects reports whether the thread calls select on its selector and the selector returns at once.
func selects(s cpu.Spinner) bool {
	op := s.Sample.Stack.Op
	return op.Kind == stack.OpSelect && op.Frame != nil && op.Frame.Method != "selectNow"
}

func spinTitle(group []cpu.Spinner) string {
	used := 0.0
	for _, s := range group {
		used += s.H.Share().Value
	}
	who := group[0].H.Thread.Called() + " uses "
	if len(group) > 1 {
		who = finding.Thousands(len(group)) + " threads use "
	}
	if selects(group[0]) {
		return who + finding.CoresUsed(used) + " in a selector that always returns at once"
	}
	return fmt.Sprintf("%s%s and only %s, in %s", who, finding.CoresUsed(used),
		finding.Verb(len(group), "polls", "poll"), stack.ShortName(group[0].Asks))
}

func spinAdvice(first cpu.Spinner) string {
	if selects(first) {
		return "Check the keys of the selector: an event that is not handled, a closed connection that is not " +
			"cancelled or a write interest that is never removed keeps it ready."
	}
	return "Block instead of polling (lock, condition, blocking queue), or find out why what it polls for never comes."
}
