package hotthread

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// backtrackingDepth is the number of nested frames of loops and groups of a regular expression from which on the thread
// counts as backtracking. One frame is one repetition. Each repetition can double the number of ways to match.
const backtrackingDepth = 50

// backtrackingNodes are the classes in java.util.regex.Pattern that try several ways to match and call themselves for
// the rest of the text (JDK 8 to 26).
var backtrackingNodes = map[string]bool{
	"Prolog": true, "Loop": true, "LazyLoop": true,
	"GroupTail": true, "Curly": true, "GroupCurly": true, "Branch": true,
}

// backtracking is the number of frames on top of the stack that are nested loops and groups of a regular expression; 0
// if the thread is not inside one.
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

// nestedLevels is the number of levels of nested repetitions from which on the thread counts as backtracking. Each
// level can double the number of ways to match.
const nestedLevels = 10

// innerRepetitions are the classes in java.util.regex.Pattern that repeat a node in a loop, so that all its repetitions
// are one frame (JDK 8 to 26).
var innerRepetitions = map[string]bool{
	"Curly": true, "GroupCurly": true, "CharPropertyGreedy": true, "BmpCharPropertyGreedy": true,
}

// levelsOf counts the levels of nested repetitions, such as (a+)+, on top of the stack: a level is an inner repetition
// below a frame of an outer loop. below is the index of the first frame below the expression.
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

// backtracks reports whether the thread runs in a regular expression that backtracks deeply.
func backtracks(s *timeline.Sample) bool {
	return s.Wait == stack.Running && isDeep(s.Stack)
}

func isDeep(s *stack.Stack) bool {
	levels, _ := levelsOf(s)
	return levels >= nestedLevels || backtracking(s) >= backtrackingDepth
}

// stayDumps is how many dumps must show a thread in one expression.
const stayDumps = 3

// staysInExpression reports whether all of at least three dumps show a thread in one regular expression, called from
// one place. The frames of the expression itself are not compared, because they change from dump to dump. A thread
// whose CPU time is known is deep inside it each time: it may get little CPU beside other programs. One whose CPU time
// is unknown is in nested repetitions for at least stack.IOLeast.
func staysInExpression(f *timeline.Timeline, h *timeline.History) bool {
	if len(h.Samples) < max(stayDumps, len(f.Snaps)) {
		return false
	}
	inside := isDeep
	if !h.CPU.Known {
		if wall := f.Wall(); !wall.Known || wall.Value < stack.IOLeast {
			return false
		}
		inside = func(s *stack.Stack) bool { levels, _ := levelsOf(s); return levels > 0 }
	}
	_, at := levelsOf(h.Last().Stack)
	calls := h.Last().Stack.Frames[at:]
	sameText := func(a, b *threaddump.Frame) bool { return a.Text == b.Text }
	return !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		_, below := levelsOf(s.Stack)
		return !inside(s.Stack) || s.Wait != stack.Running ||
			!slices.EqualFunc(s.Stack.Frames[below:], calls, sameText)
	})
}

// backtrackers reports threads that run in a regular expression: deep inside it in the last dump, if the capture is too
// short to measure CPU time, else in all dumps (see staysInExpression), but for those that are reported as hot. Threads
// with the same application frame are one finding.
func backtrackers(f *timeline.Timeline, hot map[*timeline.History]bool) []finding.Candidate {
	measurable := f.Measurable()
	byWork := map[string][]cpu.HotThread{}
	for _, h := range f.Alive() {
		s := h.Last()
		if hot[h] || !h.Thread.Program() || measurable && !staysInExpression(f, h) || !measurable && !backtracks(s) {
			continue
		}
		work := f.Ref(s).Frame
		byWork[work] = append(byWork[work], cpu.HotThread{H: h, Dominant: s})
	}
	var found []finding.Candidate
	for _, hot := range byWork {
		order.Sort(hot, compareHot)
		found = append(found, backtrackingFinding(f, hot))
	}
	order.Sort(found, func(a, b finding.Candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

func backtrackingFinding(f *timeline.Timeline, hot []cpu.HotThread) finding.Candidate {
	result := finding.Finding{Severity: finding.Info, Confidence: finding.Possible, Advice: backtrackingAdvice}
	samples := make([]*timeline.Sample, 0, len(hot))
	for _, t := range hot {
		samples = append(samples, t.Dominant)
		result.Evidence = append(result.Evidence, hotEvidence(f, t))
	}
	if !hot[0].H.CPU.Known {
		result.Advice += confirmAdvice
	}
	result.Culprits = f.Refs(samples)
	result.Title = backtrackingTitle(samples)
	result.Evidence = append(result.Evidence, backtrackingEvidence(f, hot[0]))
	return finding.Candidate{Finding: result}
}

// allBacktrack reports whether all these threads spend their time in regular expressions.
func allBacktrack(hot []cpu.HotThread) bool {
	return !slices.ContainsFunc(hot, func(t cpu.HotThread) bool {
		return !isDeep(t.Dominant.Stack)
	})
}
