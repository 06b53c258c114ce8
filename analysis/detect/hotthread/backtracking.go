package hotthread

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// backtrackingDepth is how many nested frames of loops and groups of a regular expression are too many: one level is
// one repetition, and each can double the number of ways to match.
const backtrackingDepth = 50

// backtrackingNodes are the classes in java.util.regex.Pattern that try several ways to match and call themselves
// again for the rest of the text (JDK 8 to 26).
var backtrackingNodes = map[string]bool{
	"Prolog": true, "Loop": true, "LazyLoop": true,
	"GroupTail": true, "Curly": true, "GroupCurly": true, "Branch": true,
}

// backtracking is how many frames on top of the stack are nested loops and groups of a regular expression, 0 if the
// thread is not inside of one.
func backtracking(s *stack.Stack) int {
	depth := 0
	for _, f := range s.Frames {
		node, isNode := strings.CutPrefix(f.Class, "java.util.regex.Pattern$")
		switch {
		case isNode && backtrackingNodes[node]:
			depth++
		case !stack.IsJDK(f):
			return depth
		}
	}
	return depth
}

// backtracks reports that the thread runs in a regular expression that backtracks deeply.
func backtracks(s *timeline.Sample) bool {
	return s.Wait == stack.Running && backtracking(s.Stack) >= backtrackingDepth
}

// backtrackers reports threads that run deep inside of a regular expression in the last dump, by the code that
// calls it.
func backtrackers(f *timeline.Timeline) []finding.Candidate {
	byWork := map[string][]cpu.HotThread{}
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || !backtracks(s) {
			continue
		}
		work := f.Ref(s).Frame
		byWork[work] = append(byWork[work], cpu.HotThread{H: h, Dominant: s})
	}
	var found []finding.Candidate
	for _, hot := range byWork {
		slices.SortFunc(hot, compareHot)
		found = append(found, backtrackingFinding(f, hot))
	}
	slices.SortFunc(found, func(a, b finding.Candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

func backtrackingFinding(f *timeline.Timeline, hot []cpu.HotThread) finding.Candidate {
	result := finding.Finding{Severity: finding.Info, Confidence: finding.Possible, Advice: backtrackingAdvice}
	samples := make([]*timeline.Sample, 0, len(hot))
	for _, t := range hot {
		samples = append(samples, t.Dominant)
		result.Evidence = append(result.Evidence, hotEvidence(f, t))
	}
	result.Culprits = f.Refs(samples)
	result.Title = backtrackingTitle(samples)
	result.Evidence = append(result.Evidence, backtrackingEvidence(backtracking(hot[0].Dominant.Stack)))
	return finding.Candidate{Finding: result}
}

// allBacktrack reports that the time of all these threads goes to regular expressions.
func allBacktrack(hot []cpu.HotThread) bool {
	return !slices.ContainsFunc(hot, func(t cpu.HotThread) bool {
		return backtracking(t.Dominant.Stack) < backtrackingDepth
	})
}
