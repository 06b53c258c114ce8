package hotthread

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
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

// nestedLevels is how many levels of repetitions inside of repetitions are too many: each level can double the number
// of ways to match.
const nestedLevels = 10

// innerRepetitions are the classes in java.util.regex.Pattern that repeat one node without a frame for each time
// (JDK 8 to 26).
var innerRepetitions = map[string]bool{
	"Curly": true, "GroupCurly": true, "CharPropertyGreedy": true, "BmpCharPropertyGreedy": true,
}

// levelsOf counts the times that a repetition on top of the stack began anew with another repetition inside of it, as
// (a+)+ does, and returns the index of the first frame below the expression.
func levelsOf(s *stack.Stack) (levels, below int) {
	inLoop := false
	for i, f := range s.Frames {
		node, isNode := strings.CutPrefix(f.Class, "java.util.regex.Pattern$")
		switch {
		case isNode && (node == "Loop" || node == "LazyLoop"):
			inLoop = true
		case isNode && innerRepetitions[node] && inLoop:
			levels++
			inLoop = false
		case !isNode && !stack.IsJDK(f):
			return levels, i
		}
	}
	return levels, len(s.Frames)
}

// backtracks reports that the thread runs in a regular expression that backtracks deeply.
func backtracks(s *timeline.Sample) bool {
	return s.Wait == stack.Running && isDeep(s.Stack)
}

func isDeep(s *stack.Stack) bool {
	levels, _ := levelsOf(s)
	return levels >= nestedLevels || backtracking(s) >= backtrackingDepth
}

// stayDumps is how many dumps must show a thread in one expression.
const stayDumps = 3

// staysInExpression reports that all of three or more dumps show a thread in a regular expression with repetitions
// inside of repetitions, called at one place, over the time in which a thread in I/O counts as stuck, and that its CPU
// time is not known. The frames of the expression itself are one place, however many there are.
func staysInExpression(f *timeline.Timeline, h *timeline.History) bool {
	if wall := f.Wall(); h.CPU.Known || len(h.Samples) < max(stayDumps, len(f.Snaps)) || !wall.Known ||
		wall.Value < stack.IOLeast {
		return false
	}
	_, at := levelsOf(h.Last().Stack)
	calls := h.Last().Stack.Frames[at:]
	sameText := func(a, b *threaddump.Frame) bool { return a.Text == b.Text }
	return !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		levels, below := levelsOf(s.Stack)
		return levels == 0 || s.Wait != stack.Running ||
			!slices.EqualFunc(s.Stack.Frames[below:], calls, sameText)
	})
}

// backtrackers reports threads that run deep inside of a regular expression in the only dump, or inside of one in all
// dumps, by the code that calls it.
func backtrackers(f *timeline.Timeline) []finding.Candidate {
	measurable := f.Measurable()
	byWork := map[string][]cpu.HotThread{}
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || measurable && !staysInExpression(f, h) || !measurable && !backtracks(s) {
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
	result.Evidence = append(result.Evidence, backtrackingEvidence(f, hot[0]))
	return finding.Candidate{Finding: result}
}

// allBacktrack reports that the time of all these threads goes to regular expressions.
func allBacktrack(hot []cpu.HotThread) bool {
	return !slices.ContainsFunc(hot, func(t cpu.HotThread) bool {
		return !isDeep(t.Dominant.Stack)
	})
}
