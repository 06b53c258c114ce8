package cpustarved

import (
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

const (
	// starvedFair is the part of what it wants from which a thread gets on, if slowly, and
	// starvedDumps how many dumps must show it in one method: then that is the story.
	starvedFair  = 0.25
	starvedDumps = 3
)

// Detector reports threads that are ready and get no CPU.
var Detector = detect.Detector{
	Kind: finding.KindCPUStarved,
	Doc:  "threads that are ready and get no CPU",
	Run:  run,
}

// run reports threads that want CPU and do not get it.
//
// Rule: a thread of the program was ready for half of the capture, and the kernel
// counted it as waiting for a CPU for at least 40 % of its time, a quarter where the
// control group's quota was used up, two thirds where others have the cores; a dump
// shows it at work or it ran at all. The
// cause is the quota if periods of it ended early, the hypervisor or other
// processes if they took a quarter of the cores that we may use and more than what
// the process's own threads want beyond these cores, or if others took seven tenths of them and the
// process no more than the rest, else the program's own threads:
// these are then to blame, unless they all do the same work, which is a hot-thread
// finding if they get enough to be one. Three times as many threads as there are cores, or
// more, are starved then, too. Threads that others leave a third of a core
// are starved first, and hot because they would like to be, unless all of them are at one
// work, in one method in every dump, and get a quarter of what they want. A process that
// wants less than most of a core does not suffer from others.
func run(f *facts.Facts) []finding.Candidate {
	s := cpu.FindStarvation(f.Timeline)
	if s == nil || cpu.IsOneHotWork(f.Timeline, s) && !cpu.WantsManyMoreCores(f.Timeline, s) {
		return nil
	}
	s.Oversubscribed = cpu.WantsManyMoreCores(f.Timeline, s)
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven,
		Title: title(s), Advice: advice(s),
	}
	refs, quotes := timeline.BlameWork(f.Timeline, s.Threads)
	result.Culprits = refs
	for _, h := range s.Threads[:min(3, len(s.Threads))] {
		result.Evidence = append(result.Evidence,
			ranAndWaited(h))
	}
	result.Evidence = append(append(result.Evidence, evidence(s)...), quotes...)
	return []finding.Candidate{{Finding: result, Behind: func(effect *finding.Finding) bool {
		return isBehind(s, effect)
	}}}
}

// isBehind reports that threads are hot only because they want a core of which others
// leave them a third, and are not seen at a work that may never end; or that they are parts of
// a computation of which there are too many.
func isBehind(s *cpu.Starvation, effect *finding.Finding) bool {
	if effect.Kind == finding.KindHotThread && effect.Severity == finding.Info && s.Oversubscribed && s.Covers(effect) {
		return true
	}
	most, stuck := map[finding.ThreadID]bool{}, 0
	for _, h := range s.Threads {
		id := finding.ThreadID{ID: h.Thread.ID}
		most[id] = h.Starved() >= cpu.StarvedByOthers
		if slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool {
			return finding.ThreadIDOf(r) == id
		}) && staysAtWork(h) {
			stuck++
		}
	}
	return effect.Kind == finding.KindHotThread && !s.ByOwnThreads() && stuck < len(s.Threads) &&
		!slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool {
			return !most[finding.ThreadIDOf(r)]
		})
}

// staysAtWork tells a thread that gets a fair part of what it wants, and that three dumps or
// more, and all, show in one method: it does not come to an end there, whoever else has the
// cores.
func staysAtWork(h *timeline.History) bool {
	work := h.Last().Stack.Work()
	return len(h.Samples) >= starvedDumps && h.Share().Value >= starvedFair*h.Wanted().Value &&
		!slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
			return s.Stack.Application == nil || s.Stack.Work() != work
		})
}
