package heapgrowth

import (
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// loadsFirst reports that those who keep things read what the program starts with: the main thread, other than
// one that sleeps at most dumps, which takes its time on purpose.
func loadsFirst(f *timeline.Timeline) bool {
	most, _ := timeline.MostBy(f, cpu.Allocation)
	return len(most) > 0 && most[0].Thread.Name == "main" && !sleepsMostly(most[0])
}

// IsOfFillers tells a hint that those look at something again and again who fill the heap: they
// do what they are for.
func IsOfFillers(result *finding.Finding, effect *finding.Finding) bool {
	return effect.Kind == finding.KindSpin && effect.Severity == finding.Info && len(effect.Culprits) > 0 &&
		!slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool {
			return !slices.ContainsFunc(result.Culprits, func(own finding.ThreadRef) bool {
				return finding.ThreadIDOf(own) == finding.ThreadIDOf(r)
			})
		})
}

// sleepsMostly tells a thread that sleeps at most of the dumps.
func sleepsMostly(h *timeline.History) bool {
	asleep := 0
	for _, s := range h.Samples {
		if s.Stack.Op.Kind == stack.OpSleep {
			asleep++
		}
	}
	return 2*asleep > len(h.Samples)
}
