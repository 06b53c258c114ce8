package spin

import (
	"cmp"
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/virtual"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Detector reports threads that use CPU to ask again and again for something that does not come.
var Detector = detect.Detector{
	Kind: finding.KindSpin,
	Doc:  "threads that use CPU to ask again and again for something that does not come",
	Run:  run,
}

// run reports threads that burn CPU without getting on.
//
// Rule: a thread of the program wants at least half a core, and at least two dumps
// and half of them show it in a method that asks and returns at once (yield,
// onSpinWait, tryLock, compareAndSet, poll of a queue), allocating next to
// nothing; of several with the same work, two dumps and a third of all they are in,
// where they try locks and give way those too that show one at a lock; or it wants most
// of a core while every one of at least three dumps shows it where one waits, or most of
// them in a selector that returns at once (see selecting), whatever its rounds allocate,
// or at one line of a method that says by its name that it waits or locks, which calls
// nothing. Several with the same work are one finding; who stands further on in the
// method that called it, and so seems to hold what they want, is named; where a dump with
// locks shows each of them to own one, it is a livelock. An update of a ConcurrentHashMap
// from within an update counts as asking: up to JDK 8 it waits so for itself. A library
// that is known to wait so (Disruptor, Aeron) is a hint, and so is a thread that any dump shows
// in a pause with a time limit, such as a sleep or a timed await. Of virtual threads those are told of
// that leave no carrier to others (see facts/virtual).
func run(f *facts.Facts) []finding.Candidate {
	byWork := map[string][]cpu.Spinner{}
	for _, s := range cpu.WithCompanions(f.Timeline, cpu.Spinners(f.Timeline)) {
		work := cmp.Or(s.With, s.Sample).Stack.Work()
		byWork[work] = append(byWork[work], s)
	}
	found := append(polls(f.Timeline), virtual.CarriersAsk(f.Timeline)...)
	for _, group := range byWork {
		found = append(found, spinFinding(f.Timeline, group))
	}
	slices.SortFunc(found, func(a, b finding.Candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

func spinFinding(f *timeline.Timeline, group []cpu.Spinner) finding.Candidate {
	slices.SortStableFunc(group, func(a, b cpu.Spinner) int {
		return cmp.Or(cmp.Compare(a.H.Thread.Name, b.H.Thread.Name), cmp.Compare(a.H.Thread.ID, b.H.Thread.ID))
	})
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely, Title: spinTitle(group), Advice: spinAdvice(f, group),
		Victims: f.Refs(askersOfSpinners(f, group)),
	}
	for _, s := range group {
		r := f.Ref(s.Sample)
		r.State = s.H.Last().Shown().String()
		result.Culprits = append(result.Culprits, r)
		if e, ok := topEvidence(f, s.H, s.Sample); ok {
			result.Evidence = append(result.Evidence, e)
		}
		if e, ok := timeline.WorkEvidence(f, s.H, s.Sample); ok {
			result.Evidence = append(result.Evidence, e)
		}
		if s.Idles || pausesInBetween(s.H) {
			result.Severity, result.Confidence = finding.Info, finding.Possible
		}
	}
	if held := heldWhileAsking(f, group); len(held) > 0 {
		result.Title += livelock
		result.Advice = livelockAdvice
		result.Evidence = append(held, result.Evidence...)
	}
	if owner := further(f, group[0].Sample.Stack); owner != nil {
		s := owner.Last()
		result.Title += ownerWords(s)
		result.Evidence = append(result.Evidence, f.StandEvidence(len(f.Snaps)-1, []*timeline.Sample{s})...)
	}
	return finding.Candidate{Finding: result, Behind: spinsBehind(&result)}
}

// pausesInBetween reports that a dump shows the thread in a pause with a time limit, other than at a
// selector: it gives the CPU up between its looks.
func pausesInBetween(h *timeline.History) bool {
	return slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		switch s.Stack.Op.Kind {
		case stack.OpSleep, stack.OpPark, stack.OpNotify, stack.OpCondition, stack.OpLatch, stack.OpBarrier,
			stack.OpExchange, stack.OpPermit, stack.OpResult, stack.OpJoin, stack.OpLock, stack.OpTake:
			return s.Timed()
		}
		return false
	})
}

// spinsBehind tells of threads that want for a CPU for no more than to spin: one that
// steps aside for others always waits for one.
func spinsBehind(spin *finding.Finding) func(effect *finding.Finding) bool {
	spins := finding.NewBlame(spin).Culprits
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindCPUStarved && spin.Severity != finding.Info &&
			!slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool {
				return !spins[finding.ThreadIDOf(r)]
			})
	}
}

// topEvidence quotes the top frame of a sample.
func topEvidence(f *timeline.Timeline, h *timeline.History, s *timeline.Sample) (finding.Evidence, bool) {
	i := slices.Index(h.Samples, s)
	if i < 0 || len(s.Stack.Frames) == 0 || s.Stack.Frames[0] == s.Stack.Application {
		return finding.Evidence{}, false
	}
	return f.QuoteFrame(int(h.At[i]), s, 0), true
}
