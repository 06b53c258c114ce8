package spin

import (
	"cmp"
	"fmt"
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
		found = append(found, pollFinding(f, group, "and "+finding.Verb(len(group), "takes ", "take ")+finding.CoresUsed(used)+" for it"))
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
// its look, and that woke up often in between, each time for next to nothing.
func isPolling(h *timeline.History) bool {
	pause := pause(h)
	if pause == nil || cpu.WaitsBySpinning(pause.Stack) {
		return false
	}
	if r := pause.Resting(); r != nil && r.Certain || cpu.Allocates(h, cpu.SpinAllocation) || h.Wanted().Value >= cpu.SpinAtWait {
		return false
	}
	looks := 0
	for _, s := range h.Samples {
		switch {
		case s.Stack == pause.Stack && (s.Timed() || s.State == threaddump.Runnable):
			// RUNNABLE is a thread on its way into the pause, or out of it.
		case s.Wait == stack.Running && s.Stack.Work() == pause.Stack.Work():
			looks++
		default:
			return false
		}
	}
	turns := h.Turns()
	often := float64(turns) >= pollOften*h.Elapsed.Value.Seconds()
	return (looks <= 1 || often) && h.CPU.Known && float64(turns) >= pollTurns*h.Elapsed.Value.Seconds() && h.CPU.Value <= time.Duration(turns)*pollTurn
}

// pause is the last dump's sleep or timed park that the application calls itself, nil if
// no dump shows one.
func pause(h *timeline.History) *timeline.Sample {
	for _, s := range slices.Backward(h.Samples) {
		op := s.Stack.Op
		if (op.Kind == stack.OpSleep || op.Kind == stack.OpPark) && s.Timed() && op.Caller != nil && op.Caller == s.Stack.Application {
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
		Title: fmt.Sprintf("%s %s again and again for something, with %s in between, %s",
			who, finding.Verb(len(group), "looks", "look"), stack.ShortName(first.Stack.Op.Frame.Name()), how),
		Advice: "If what it looks for never comes, find out who should bring it and why it does not; " +
			"else have it told (condition, latch, unpark), or pause for longer.",
		Culprits: f.Refs(samples), Victims: f.Refs(asking),
		Evidence: append([]finding.Evidence{finding.Figure(pollFigure(f, first))}, pauseEvidence(f, samples)...),
	}
	if len(asking) > 0 {
		result.Title += fmt.Sprintf(", while %s %s for %s", finding.Counted(len(asking), "thread"), finding.Verb(len(asking), "waits", "wait"), finding.Verb(len(group), "it", "them"))
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

// pollFigure tells how often a thread woke up, and for how long.
func pollFigure(f *timeline.Timeline, s *timeline.Sample) string {
	h := f.History(s)
	turns := h.Turns()
	paused := 0
	for _, o := range h.Samples {
		if o.Stack == s.Stack {
			paused++
		}
	}
	dumps := fmt.Sprintf("each of %d dumps", paused)
	if paused < len(h.Samples) {
		dumps = fmt.Sprintf("%d of %d dumps", paused, len(h.Samples))
	}
	return fmt.Sprintf("%s woke up %s times in %s, each time for %s of CPU, and is in the same pause in %s", s.Thread.Called(),
		finding.Thousands(int(turns)), finding.Seconds(h.Elapsed.Value), (h.CPU.Value / time.Duration(max(1, turns))).Round(time.Microsecond), dumps)
}

// askers are threads in the middle of something that wait without end, over the whole
// capture, for the end or the result of what one of the others does.
func askers(f *timeline.Timeline, group []*timeline.History) []*timeline.Sample {
	var others []*stack.Stack
	seen, asks := map[*stack.Stack]bool{}, map[*stack.Stack]bool{} // many threads have one stack
	for _, h := range group {
		if s := h.Last().Stack; !seen[s] {
			seen[s], others = true, append(others, s)
		}
	}
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role != threaddump.Application || s.Timed() || s.Thread.Name == "main" && !timeline.MainAtWork(s) {
			continue
		}
		asking, known := asks[s.Stack]
		if !known {
			asking = stack.HasBegunWork(s.Stack) && slices.ContainsFunc(others, func(p0 *stack.Stack) bool { return asksFor(s.Stack, p0) })
			asks[s.Stack] = asking
		}
		if asking && f.StandsStill(h) {
			found = append(found, s)
		}
	}
	return found
}

// asksFor reports that a stack waits for the end or the result of what the other one runs:
// a lambda of a method that it is in, or else code of the same class.
func asksFor(s *stack.Stack, other *stack.Stack) bool {
	return (s.Op.Kind == stack.OpJoin || s.AwaitsSort(other)) && (s.DefinesTask(other) || s.SharesClass(other))
}
