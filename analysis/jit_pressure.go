package analysis

import (
	"fmt"

	"jstall/threaddump"
)

// Thresholds of jit-pressure.
const (
	// jitCores is how much of a core the compiler threads must use, and jitWork their
	// share of the CPU of the process: compiling that hinders nobody is no fault.
	jitCores = 0.5
	jitWork  = 0.5
	// jitMost is the share from which on the program hardly does anything else.
	jitMost = 0.8
	// codeFull is the part of the code cache in use from which it counts as full: the
	// JVM flushes from 90 % on (StartAggressiveSweepingAt=10) and stops compiling a
	// little above.
	codeFull = 0.97
)

// detectJITPressure reports compilers that take the CPU from the program, and a
// code cache without room.
//
// Rule: compiler threads use at least half a core and half of the CPU of the whole
// process in every interval of at least three dumps; a JVM that warms up does so
// for seconds too, which only the program's own progress could tell, so that is a
// warning only if the compilers take at least four fifths. Or the JVM says that it
// has stopped compiling, for want of room; then threads that are hot are its effect.
func detectJITPressure(f *facts) []candidate {
	var found []candidate
	if c := f.lastCodeCache(); c != nil {
		if result, ok := codeCacheFinding(c); ok {
			found = append(found, candidate{Finding: result, behind: isHot})
		}
	}
	if result, ok := f.compilerFinding(); ok {
		found = append(found, candidate{Finding: result})
	}
	return found
}

// isHot tells what interpreted code leads to: all that is done takes many times
// longer.
func isHot(effect *Finding) bool { return effect.Kind == KindHotThread }

func (f *timeline) lastCodeCache() *CodeCache {
	for i := len(f.snaps) - 1; i >= 0; i-- {
		if c := f.snaps[i].codeCache; c != nil {
			return c
		}
	}
	return nil
}

func codeCacheFinding(c *CodeCache) (Finding, bool) {
	full := c.Used.Known && c.Size.Known && c.Size.Value > 0 && float64(c.Used.Value) >= codeFull*float64(c.Size.Value)
	if c.Disabled == "" && !full {
		return Finding{}, false
	}
	f := Finding{
		Severity: Warning, Confidence: Proven, Title: "the code cache is full",
		Advice: "New code runs interpreted, many times slower: raise -XX:ReservedCodeCacheSize.",
	}
	if c.Disabled != "" {
		f.Title = "the JVM compiles nothing any more: " + c.Disabled
		f.Evidence = append(f.Evidence, figure("compilation: disabled ("+c.Disabled+")"))
	}
	if c.Used.Known && c.Size.Known {
		f.Evidence = append(f.Evidence, figure(fmt.Sprintf("code cache: %s of %s in use", megabytes(c.Used.Value), megabytes(c.Size.Value))))
	}
	return f, true
}

func (f *timeline) compilerFinding() (Finding, bool) {
	cores := f.roleShare(func(t *Thread) bool { return t.Role == threaddump.JIT })
	total := f.shareOf(f.cpu())
	if !cores.Known || !total.Known || total.Value <= 0 || cores.Value < jitCores || cores.Value < jitWork*total.Value {
		return Finding{}, false
	}
	work := min(1, cores.Value/total.Value)
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title:    fmt.Sprintf("the JIT compilers take %s, %s of the CPU of the JVM", coresUsed(cores.Value), percent(work)),
		Advice:   "Right after a start this passes. Else look for code that is made again and again, or for compiler options (-Xcomp).",
		Evidence: []Evidence{figure("compiler threads used " + coresUsed(cores.Value))},
	}
	if len(f.snaps) > 2 && work >= jitMost {
		result.Severity, result.Confidence = Warning, Likely
	}
	return result, true
}
