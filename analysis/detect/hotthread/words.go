package hotthread

import (
	"fmt"
	"slices"
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

func hotTitle(hot []cpu.HotThread, sum float64) string {
	starved := slices.ContainsFunc(hot, func(t cpu.HotThread) bool {
		return t.Share < cpu.HotShare && t.Wanted >= cpu.HotShare
	})
	name, n := hot[0].H.Thread.Called(), finding.Thousands(len(hot))
	switch {
	case len(hot) == 1 && starved:
		return fmt.Sprintf("%s needs a whole core (ran %s, waited for a CPU %s)",
			name, finding.Percent(sum), finding.Percent(hot[0].Wanted-sum))
	case len(hot) == 1:
		return name + " uses " + finding.CoresUsed(sum)
	case starved:
		return n + " threads with the same work need a core each and get " + finding.CoresUsed(sum) + " together"
	}
	return n + " threads with the same work use " + finding.CoresUsed(sum)
}

const hotAdvice = "Profile this code: jstall flame PID shows which methods use the time."

// partsTitle words threads that share one computation.
func partsTitle(threads int, sum float64) string {
	return fmt.Sprintf("%s %s on parts of one computation and %s %s", finding.Counted(threads, "thread"),
		finding.Verb(threads, "works", "work"), finding.Verb(threads, "uses", "use"), finding.CoresUsed(sum))
}

func sinceStartTitle(h *timeline.History, share float64, used time.Duration) string {
	return fmt.Sprintf("%s has used %s since it started, %s of CPU time",
		h.Thread.Called(), finding.CoresUsed(share), finding.LongTime(used))
}

func backtrackingTitle(threads []*timeline.Sample) string {
	return timeline.QuoteThreads(threads) + finding.Verb(len(threads), " runs", " run") +
		" a regular expression with heavy backtracking"
}

const backtrackingAdvice = "Remove nested repetitions such as (a+)+ from the regular expression, " +
	"use possessive quantifiers (a++), or limit the length of the input."

func backtrackingEvidence(depth int) finding.Evidence {
	return finding.Figure(finding.Counted(depth, "nested frame") +
		" of java.util.regex.Pattern loops and groups")
}

// insideWords tells of a thread that waits inside the method which others run.
func insideWords(f *timeline.Timeline, s *timeline.Sample, method string) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s is in %s too and %s, %s",
		s.Thread.Called(), method, resources.Phrase(s), f.Ref(s).Where()))
}

func inAllDumps(method string, dumps int) finding.Evidence {
	return finding.Figure(fmt.Sprintf("in %s in all %d dumps", method, dumps))
}

func cpuFigure(share float64) finding.Evidence {
	return finding.Figure("cpu " + finding.Percent(share))
}
