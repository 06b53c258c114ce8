package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// backtrackingDepth is how many nested frames of loops and groups of a regular expression are too many: one level is
// one repetition, and each can double the number of ways to match.
const backtrackingDepth = 50

// backtrackingNodes are the classes in java.util.regex.Pattern that try several ways to match and call themselves
// again for the rest of the text (JDK 8 to 26).
var backtrackingNodes = map[string]bool{
	"Prolog": true, "Loop": true, "LazyLoop": true, "GroupTail": true, "Curly": true, "GroupCurly": true, "Branch": true,
}

// backtracking is how many frames on top of the stack are nested loops and groups of a regular expression, 0 if the
// thread is not inside of one.
func (s *Stack) backtracking() int {
	depth := 0
	for _, f := range s.Frames {
		node, isNode := strings.CutPrefix(f.Class, "java.util.regex.Pattern$")
		switch {
		case isNode && backtrackingNodes[node]:
			depth++
		case !isJDK(f):
			return depth
		}
	}
	return depth
}

// backtracks reports that the thread runs in a regular expression that backtracks deeply.
func (s *Sample) backtracks() bool {
	return s.wait == running && s.Stack.backtracking() >= backtrackingDepth
}

const backtrackingAdvice = "Rewrite the regular expression without nested repetitions such as (a+)+ or (a|b)*, " +
	"use possessive quantifiers (a++), or limit the length of the text."

// backtrackers reports threads that run deep inside of a regular expression in the last dump, by the code that calls it.
func (f *timeline) backtrackers() []candidate {
	byWork := map[string][]hotThread{}
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || !s.backtracks() {
			continue
		}
		work := f.ref(s).Frame
		byWork[work] = append(byWork[work], hotThread{h: h, dominant: s})
	}
	var found []candidate
	for _, hot := range byWork {
		slices.SortFunc(hot, compareHot)
		found = append(found, f.backtrackingFinding(hot))
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

func (f *timeline) backtrackingFinding(hot []hotThread) candidate {
	result := Finding{Severity: Info, Confidence: Possible, Advice: backtrackingAdvice}
	samples := make([]*Sample, 0, len(hot))
	for _, t := range hot {
		samples = append(samples, t.dominant)
		result.Evidence = append(result.Evidence, f.hotEvidence(t))
	}
	result.Culprits = f.refs(samples)
	result.Title = fmt.Sprintf("%s %s in a regular expression", quoteThreads(samples), verb(len(hot), "backtracks", "backtrack"))
	result.Evidence = append(result.Evidence, backtrackingEvidence(hot[0].dominant))
	return candidate{Finding: result}
}

func backtrackingEvidence(s *Sample) Evidence {
	return figure(Counted(s.Stack.backtracking(), "nested frame") + " of loops and groups of java.util.regex.Pattern")
}

// allBacktrack reports that the time of all these threads goes to regular expressions.
func allBacktrack(hot []hotThread) bool {
	return !slices.ContainsFunc(hot, func(t hotThread) bool { return t.dominant.Stack.backtracking() < backtrackingDepth })
}
