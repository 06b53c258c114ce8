package jitpressure

import (
	"fmt"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

const (
	cacheFull   = "the code cache is full"
	cacheAdvice = "Raise -XX:ReservedCodeCacheSize: while the code cache is full, new code runs interpreted (slow)."
)

func disabledTitle(reason string) string { return "the JVM has stopped compiling: " + reason }

func disabledEvidence(reason string) finding.Evidence {
	return finding.Figure("compilation: disabled (" + reason + ")")
}

func cacheUse(used, size int64) finding.Evidence {
	return finding.Figure(fmt.Sprintf("code cache: %s of %s in use", timeline.Megabytes(used),
		timeline.Megabytes(size)))
}

func compilerTitle(cores, work float64) string {
	return fmt.Sprintf("the JIT compilers use %s, %s of the JVM's CPU time", finding.CoresUsed(cores),
		finding.Percent(work))
}

const compilerAdvice = "Capture again later: right after a start this is normal. " +
	"Otherwise find code that is generated again and again, and check the compiler options (-Xcomp)."

func compilerEvidence(cores float64) finding.Evidence {
	return finding.Figure("compiler threads used " + finding.CoresUsed(cores))
}
