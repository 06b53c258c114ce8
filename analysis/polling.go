package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
func (f *timeline) polls() []candidate {
	var found []candidate
	for _, group := range f.pollers(func(h *history) bool { return h.share().Value >= pollShare }) {
		used := 0.0
		for _, h := range group {
			used += h.share().Value
		}
		found = append(found, f.pollFinding(group, "and "+verb(len(group), "takes ", "take ")+coresUsed(used)+" for it"))
	}
	return found
}

// pollers are the threads that poll and are wanted, those with the same work together.
func (f *timeline) pollers(wanted func(*history) bool) [][]*history {
	if !f.measurable() || len(f.snaps) <= spinDumps {
		return nil
	}
	byWork := map[string][]*history{}
	for _, h := range f.alive() {
		if h.thread.Role == threaddump.Application && len(h.samples) == len(f.snaps) && h.isPolling() && wanted(h) {
			work := h.pause().Stack.Work()
			byWork[work] = append(byWork[work], h)
		}
	}
	groups := make([][]*history, 0, len(byWork))
	for _, g := range byWork {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []*history) int {
		return cmp.Compare(a[0].pause().Stack.Work(), b[0].pause().Stack.Work())
	})
	return groups
}

// isPolling tells a thread that the dumps show in one pause of the application's own, or at
// its look, and that woke up often in between, each time for next to nothing.
func (h *history) isPolling() bool {
	pause := h.pause()
	if pause == nil || waitsBySpinning(pause.Stack) {
		return false
	}
	if r := pause.resting(); r != nil && r.certain || h.allocates(spinAllocation) || h.wanted().Value >= spinAtWait {
		return false
	}
	looks := 0
	for _, s := range h.samples {
		switch {
		case s.Stack == pause.Stack && (s.timed() || s.State == threaddump.Runnable):
			// RUNNABLE is a thread on its way into the pause, or out of it.
		case s.wait == running && s.Stack.Work() == pause.Stack.Work():
			looks++
		default:
			return false
		}
	}
	turns := h.turns()
	often := float64(turns) >= pollOften*h.elapsed.Value.Seconds()
	return (looks <= 1 || often) && h.cpu.Known && float64(turns) >= pollTurns*h.elapsed.Value.Seconds() && h.cpu.Value <= time.Duration(turns)*pollTurn
}

// pause is the last dump's sleep or timed park that the application calls itself, nil if
// no dump shows one.
func (h *history) pause() *Sample {
	for _, s := range slices.Backward(h.samples) {
		op := s.Stack.op
		if (op.kind == opSleep || op.kind == opPark) && s.timed() && op.caller != nil && op.caller == s.Stack.Application {
			return s
		}
	}
	return nil
}

// turns is how often the thread was given a CPU in the capture, 0 if unknown.
func (h *history) turns() int64 {
	first, last := h.samples[0].turns, h.last().turns
	if first == unknown || last == unknown {
		return 0
	}
	return last - first
}

// pollFinding is a hint at threads that poll at one place, with those that wait for them.
func (f *timeline) pollFinding(group []*history, how string) candidate {
	samples := make([]*Sample, len(group))
	for i, h := range group {
		samples[i] = h.pause()
	}
	first := inNameOrder(samples)[0]
	who := Counted(len(group), "thread")
	if len(group) == 1 {
		who = first.Thread.called()
	}
	asking := f.askers(group)
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s %s again and again for something, with %s in between, %s",
			who, verb(len(group), "looks", "look"), shortName(first.Stack.op.frame.Name()), how),
		Advice: "If what it looks for never comes, find out who should bring it and why it does not; " +
			"else have it told (condition, latch, unpark), or pause for longer.",
		Culprits: f.refs(samples), Victims: f.refs(asking),
		Evidence: append([]Evidence{figure(f.pollFigure(first))}, f.pauseEvidence(samples)...),
	}
	if len(asking) > 0 {
		result.Title += fmt.Sprintf(", while %s %s for %s", Counted(len(asking), "thread"), verb(len(asking), "waits", "wait"), verb(len(group), "it", "them"))
	}
	return candidate{Finding: result}
}

// pauseEvidence quotes the application frame of the first few pauses, each from its dump.
func (f *timeline) pauseEvidence(pauses []*Sample) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, s := range inNameOrder(pauses)[:min(shown, len(pauses))] {
		h := f.history(s)
		quotes = append(quotes, f.standEvidence(int(h.at[slices.Index(h.samples, s)]), []*Sample{s})...)
	}
	return quotes
}

// pollFigure tells how often a thread woke up, and for how long.
func (f *timeline) pollFigure(s *Sample) string {
	h := f.history(s)
	turns := h.turns()
	paused := 0
	for _, o := range h.samples {
		if o.Stack == s.Stack {
			paused++
		}
	}
	dumps := fmt.Sprintf("each of %d dumps", paused)
	if paused < len(h.samples) {
		dumps = fmt.Sprintf("%d of %d dumps", paused, len(h.samples))
	}
	return fmt.Sprintf("%s woke up %s times in %s, each time for %s of CPU, and is in the same pause in %s", s.Thread.called(),
		Thousands(int(turns)), seconds(h.elapsed.Value), (h.cpu.Value / time.Duration(max(1, turns))).Round(time.Microsecond), dumps)
}

// askers are threads in the middle of something that wait without end, over the whole
// capture, for the end or the result of what one of the others does.
func (f *timeline) askers(group []*history) []*Sample {
	var others []*Stack
	seen, asks := map[*Stack]bool{}, map[*Stack]bool{} // many threads have one stack
	for _, h := range group {
		if s := h.last().Stack; !seen[s] {
			seen[s], others = true, append(others, s)
		}
	}
	var found []*Sample
	for _, h := range f.alive() {
		s := h.last()
		if s.Thread.Role != threaddump.Application || s.timed() || s.Thread.Name == "main" && !mainAtWork(s) {
			continue
		}
		asking, known := asks[s.Stack]
		if !known {
			asking = inTheMiddle(s.Stack) && slices.ContainsFunc(others, s.Stack.asksFor)
			asks[s.Stack] = asking
		}
		if asking && f.standsStill(h) {
			found = append(found, s)
		}
	}
	return found
}

// asksFor reports that a stack waits for the end or the result of what the other one runs:
// a lambda of a method that it is in, or else code of the same class.
func (s *Stack) asksFor(other *Stack) bool {
	return (s.op.kind == opJoin || s.awaitsSort(other)) && (s.begot(other) || s.sharesClass(other))
}

// saysThatItWaits tells a method by its name.
func saysThatItWaits(fr *threaddump.Frame) bool {
	name := strings.ToLower(fr.Method)
	return strings.HasPrefix(name, "await") || strings.HasPrefix(name, "wait") || strings.Contains(name, "until")
}
