// Package jitpressure finds compilers that take the CPU.
package jitpressure

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of jit-pressure.
const (
	// jitCores is how much of a core the compiler threads must use, and jitWork their share of the CPU of the process:
	// compiling that slows no thread down is not a problem.
	jitCores = 0.5
	jitWork  = 0.5
	// jitMost is the share from which on the program hardly does anything else.
	jitMost = 0.8
	// codeFull is the part of the code cache in use from which it counts as full: the JVM flushes from 90 % on
	// (StartAggressiveSweepingAt=10) and stops compiling a little above.
	codeFull = 0.97
)

// Detector reports compiler threads that take the CPU from the application.
var Detector = detect.Detector{
	Kind: finding.KindJITPressure,
	Doc:  "compiler threads that take the CPU from the application",
	Run:  run,
}

// run reports compilers that take the CPU from the program, and a code cache without room.
//
// Rule: compiler threads use at least half a core and half of the CPU of the whole process in every interval of at
// least three dumps. A JVM that warms up does so for some seconds too, and only the program's own progress could show
// the difference. So it is a warning only if the compilers take at least four fifths, and otherwise no finding until
// the JVM has used a minute of CPU. It is also a finding if the JVM reports that it has stopped compiling for lack of
// room; then hot threads are its effect.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	if c := lastCodeCache(f.Timeline); c != nil {
		if result, ok := codeCacheFinding(c); ok {
			found = append(found, finding.Candidate{Finding: result, Behind: isHot})
		}
	}
	if result, ok := compilerFinding(f.Timeline); ok {
		found = append(found, finding.Candidate{Finding: result})
	}
	return found
}

// isHot reports whether an effect follows from interpreted code, which takes many times longer.
func isHot(effect *finding.Finding) bool { return effect.Kind == finding.KindHotThread }

func lastCodeCache(f *timeline.Timeline) *timeline.CodeCache {
	for i := len(f.Snaps) - 1; i >= 0; i-- {
		if c := f.Snaps[i].CodeCache; c != nil {
			return c
		}
	}
	return nil
}

func codeCacheFinding(c *timeline.CodeCache) (finding.Finding, bool) {
	full := c.Used.Known && c.Size.Known && c.Size.Value > 0 && float64(c.Used.Value) >= codeFull*float64(c.Size.Value)
	if c.Disabled == "" && !full {
		return finding.Finding{}, false
	}
	f := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven, Title: cacheFull, Advice: cacheAdvice,
	}
	if c.Disabled != "" {
		f.Title = disabledTitle(c.Disabled)
		f.Evidence = append(f.Evidence, disabledEvidence(c.Disabled))
	}
	if c.Used.Known && c.Size.Known {
		f.Evidence = append(f.Evidence,
			cacheUse(c.Used.Value, c.Size.Value))
	}
	return f, true
}

func compilerFinding(f *timeline.Timeline) (finding.Finding, bool) {
	cores := timeline.RoleShare(f, func(t *timeline.Thread) bool { return t.Role == threaddump.JIT })
	total := f.ShareOf(f.CPU())
	if !cores.Known || !total.Known || total.Value <= 0 || cores.Value < jitCores || cores.Value < jitWork*total.Value {
		return finding.Finding{}, false
	}
	work := min(1, cores.Value/total.Value)
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title:    compilerTitle(cores.Value, work),
		Advice:   compilerAdvice,
		Evidence: []finding.Evidence{compilerEvidence(cores.Value)},
	}
	if len(f.Snaps) > 2 && work >= jitMost {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return result, result.Severity == finding.Warning || !memory.InFirstWork(f)
}
