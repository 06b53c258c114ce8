package hotthread

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
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

// partsTitle describes threads that work on parts of one computation.
func partsTitle(group []cpu.HotThread) string {
	sum, n := 0.0, len(group)
	for _, t := range group {
		sum += t.Share
	}
	return fmt.Sprintf("%s %s on parts of one computation and %s %s", finding.Counted(n, "thread"),
		finding.Verb(n, "works", "work"), finding.Verb(n, "uses", "use"), finding.CoresUsed(sum))
}

func sinceStartTitle(h *timeline.History, share float64, used time.Duration) string {
	return fmt.Sprintf("%s has used %s since it started, %s of CPU time",
		h.Thread.Called(), finding.CoresUsed(share), finding.LongTime(used))
}

func backtrackingTitle(threads []*timeline.Sample) string {
	return fmt.Sprintf("%s %s a regular expression with heavy backtracking (%d nested frames)",
		timeline.QuoteThreads(threads), finding.Verb(len(threads), "runs", "run"), backtracking(threads[0].Stack))
}

const (
	backtrackingAdvice = "Remove nested repetitions such as (a+)+ from this regular expression. " +
		"Limit the length of the input."
	confirmAdvice = " To confirm the CPU use take two dumps 5 s apart."
)

// backtrackingEvidence describes the frames that show that a thread backtracks.
func backtrackingEvidence(f *timeline.Timeline, t cpu.HotThread) finding.Evidence {
	depth := backtracking(t.Dominant.Stack)
	levels, _ := levelsOf(t.Dominant.Stack)
	switch {
	case depth >= backtrackingDepth:
		return finding.Figure(fmt.Sprintf("java.util.regex.Pattern loops and groups are nested %d levels deep "+
			"(%d or more mean heavy backtracking)", depth, backtrackingDepth))
	case levels >= nestedLevels:
		return finding.Figure(fmt.Sprintf("repetitions inside of repetitions are nested %d levels deep "+
			"(%d or more mean heavy backtracking)", levels, nestedLevels))
	}
	return finding.Figure(fmt.Sprintf("all %d dumps show it in this regular expression, "+
		"which has repetitions inside of repetitions", len(f.Snaps)))
}

func cpuFigure(share float64) finding.Evidence {
	return finding.Figure("cpu " + finding.Percent(share))
}
