package heapgrowth

import (
	"fmt"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

func (g growing) title() string {
	return fmt.Sprintf("the live heap grows by %s a second and is full in %s: %s of %s in use",
		timeline.Megabytes(int64(g.perSecond)), finding.Seconds(g.fullIn),
		timeline.Megabytes(g.to), timeline.Megabytes(g.max))
}

// allocators completes a title by the threads that allocate most.
func allocators(refs []finding.ThreadRef) string {
	if cpu.ShareNamePattern(refs) {
		return "; " + finding.ThreadsNamed(pools.NamePattern(refs[0].Name)) + " allocate most"
	}
	return "; " + finding.QuoteName(refs[0].Name) + " allocates most"
}

const (
	growthAdvice = "Find the classes that grow: run jstall class-histogram PID twice, a few minutes apart."
	unsureAdvice = "Take a second capture: no collection of the old generation has shown that the objects stay, " +
		"and a cache that replaces entries grows in the same way. " + growthAdvice
)

// inUse is what was in use, and when.
func (g growing) inUse() finding.Evidence {
	if g.unseen {
		return finding.Figure(fmt.Sprintf("in use after the last collection, %s after the start: %s",
			finding.Seconds(g.span), timeline.Megabytes(g.to)))
	}
	return finding.Figure(fmt.Sprintf("in use after collections: %s, then %s",
		timeline.Megabytes(g.from), timeline.Megabytes(g.to)))
}

func (g growing) stayed() finding.Evidence {
	return finding.Figure(finding.Percent(g.kept) + " of what was allocated stayed")
}
