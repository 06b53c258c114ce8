// Package cpustarved finds threads that get no CPU.
package cpustarved

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports threads that are ready and get no CPU.
var Detector = detect.Detector{
	Kind: finding.KindCPUStarved,
	Doc:  "threads that are ready and get no CPU",
	Run:  run,
}

// run reports threads that are ready and get no CPU.
//
// Rule: a thread of the program was ready for half of the capture, and the kernel counted it as waiting for a CPU for
// 40 % of its time; a quarter if the control group's quota was used up, two thirds if other processes use the cores.
// The cause is the quota if periods of it were throttled. It is the hypervisor or other processes if they took a
// quarter of the cores and more than the process's own threads want beyond them. Else it is these threads themselves.
// Threads that all do the same work are a hot-thread finding, unless there are three times as many as cores.
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
		return effect.Kind == finding.KindHotThread && isBehind(s, effect)
	}}}
}

// isBehind reports whether threads are hot only because they want a core of which others leave them a third, or are
// parts of a computation that is split into too many.
func isBehind(s *cpu.Starvation, effect *finding.Finding) bool {
	most := map[finding.ThreadID]bool{}
	for _, h := range s.Threads {
		most[finding.ThreadID{ID: h.Thread.ID}] = h.Starved() >= cpu.StarvedByOthers
	}
	return !s.ByOwnThreads() && finding.AllAmong(effect.Culprits, most) ||
		effect.Severity == finding.Info && s.Oversubscribed && s.Covers(effect)
}
