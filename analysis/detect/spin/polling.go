package spin

import (
	"cmp"
	"slices"
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Thresholds of threads that poll.
const (
	// pollTurns is how often in a second a thread must wake up to be polling: one that does
	// something once a second is on duty.
	pollTurns = 5
	// pollTurn is more than it costs to wake up, look and sleep again. Work takes longer.
	pollTurn = 300 * time.Microsecond
	// pollOften is how often in a second it pauses if one dump of three in its pause is enough:
	// that it was about to look in the others is chance, as where it has to wait for a CPU.
	pollOften = 1000
	// pollShare is the part of a core that a thread must use for it to matter: a pause of a
	// nanosecond lasts fifty microseconds, and costs a twentieth of a core on a slow machine.
	pollShare = 0.03
)

// polls reports threads that look again and again for something, with a pause in between,
// and take some of a core for it.
//
// Rule: each of at least three dumps shows the thread in the same sleep or timed park, which
// the application calls itself, or one of them in the method that calls it, or all but one
// if it pauses a thousand times in a second; the kernel counted that it woke up five times a
// second at least, each time for a fraction of a millisecond; it uses 3 % of a core and
// allocates next to nothing. That may be meant so, whoever waits for it meanwhile, and leaves a
// hint. A library that is known to wait so is none.
func polls(f *timeline.Timeline) []finding.Candidate {
	var found []finding.Candidate
	for _, group := range pollers(f, func(h *timeline.History) bool { return h.Share().Value >= pollShare }) {
		used := 0.0
		for _, h := range group {
			used += h.Share().Value
		}
		found = append(found,
			pollFinding(f, group, pollCost(len(group), used)))
	}
	return found
}

// pollers are the threads that poll and are wanted, those with the same work together.
func pollers(f *timeline.Timeline, wanted func(*timeline.History) bool) [][]*timeline.History {
	if !f.Measurable() || len(f.Snaps) <= cpu.SpinDumps {
		return nil
	}
	byWork := map[string][]*timeline.History{}
	for _, h := range f.Alive() {
		if h.Thread.Role == threaddump.Application && len(h.Samples) == len(f.Snaps) && isPolling(h) && wanted(h) {
			work := pause(h).Stack.Work()
			byWork[work] = append(byWork[work], h)
		}
	}
	groups := make([][]*timeline.History, 0, len(byWork))
	for _, g := range byWork {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []*timeline.History) int {
		return cmp.Compare(pause(a[0]).Stack.Work(), pause(b[0]).Stack.Work())
	})
	return groups
}

// isPolling tells a thread that the dumps show in one pause of the application's own, or at
// its check, and that woke up often in between, each time for next to nothing.
func isPolling(h *timeline.History) bool {
	pause := pause(h)
	if pause == nil || cpu.WaitsBySpinning(pause.Stack) {
		return false
	}
	if r := pause.Resting(); r != nil && r.Certain || cpu.Allocates(h, cpu.SpinAllocation) ||
		h.Wanted().Value >= cpu.SpinAtWait {
		return false
	}
	checks, only := checksOf(h, pause)
	turns := h.Turns()
	often := float64(turns) >= pollOften*h.Elapsed.Value.Seconds()
	return only && (checks <= 1 || often) && h.CPU.Known && float64(turns) >= pollTurns*h.Elapsed.Value.Seconds() &&
		h.CPU.Value <= time.Duration(turns)*pollTurn
}

// checksOf counts the dumps that show the thread at its check between two pauses; only if all others show it in
// the pause.
func checksOf(h *timeline.History, pause *timeline.Sample) (checks int, only bool) {
	for _, s := range h.Samples {
		switch {
		case s.Stack == pause.Stack && (s.Timed() || s.State == threaddump.Runnable):
			// RUNNABLE is a thread on its way into the pause, or out of it.
		case s.Wait == stack.Running && s.Stack.Work() == pause.Stack.Work():
			checks++
		default:
			return checks, false
		}
	}
	return checks, true
}

// pause is the last dump's sleep or timed park that the application calls itself, nil if
// no dump shows one.
func pause(h *timeline.History) *timeline.Sample {
	for _, s := range slices.Backward(h.Samples) {
		op := s.Stack.Op
		if (op.Kind == stack.OpSleep || op.Kind == stack.OpPark) && s.Timed() && op.Caller != nil &&
			op.Caller == s.Stack.Application {
			return s
		}
	}
	return nil
}

// pollFinding is a hint at threads that poll at one place, with those that wait for them.
func pollFinding(f *timeline.Timeline, group []*timeline.History, how string) finding.Candidate {
	samples := make([]*timeline.Sample, len(group))
	for i, h := range group {
		samples[i] = pause(h)
	}
	first := timeline.InNameOrder(samples)[0]
	who := finding.Counted(len(group), "thread")
	if len(group) == 1 {
		who = first.Thread.Called()
	}
	asking := askers(f, group)
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: pollTitle(who, len(group), stack.ShortName(first.Stack.Op.Frame.Name()), how,
			len(asking)), Advice: pollAdvice,
		Culprits: f.Refs(samples), Victims: f.Refs(asking),
		Evidence: append([]finding.Evidence{finding.Figure(pollFigure(f, first))}, pauseEvidence(f, samples)...),
	}
	return finding.Candidate{Finding: result}
}

// pauseEvidence quotes the application frame of the first few pauses, each from its dump.
func pauseEvidence(f *timeline.Timeline, pauses []*timeline.Sample) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, s := range timeline.InNameOrder(pauses)[:min(shown, len(pauses))] {
		h := f.History(s)
		quotes = append(quotes, f.StandEvidence(int(h.At[slices.Index(h.Samples, s)]), []*timeline.Sample{s})...)
	}
	return quotes
}
