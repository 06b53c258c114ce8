// Package threadleak finds threads that are started and do not end.
package threadleak

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Thresholds of thread-leak.
const (
	// leakDumps is how many dumps must show the growth: the start of one batch of threads is one interval.
	leakDumps = 3
	// leakNew is the least number of threads that were started over the capture, and leakOf the least share of the
	// threads that existed before: 5,000 threads that become 5,005 are no leak.
	leakNew = 6
	leakOf  = 0.01
	// leakFew new threads are enough if leakMany of their kind exist already.
	leakFew  = 3
	leakMany = 100
	// leakExecutors is how many executors must have been made for their workers to be a leak: a program makes some when
	// it starts.
	leakExecutors = 3
	// leakWaiting is the part of the new threads that must be waiting: a server under a burst of load starts threads
	// that work.
	leakWaiting = 0.8
)

// Detector reports threads of one kind that come and do not go.
var Detector = detect.Detector{
	Kind: finding.KindThreadLeak,
	Doc:  "threads of one kind that come and do not go",
	Run:  run,
}

// run reports threads that are started and never end.
//
// Rule: the number of threads of one name pattern (without numbers) grows from every dump to the next, none of them
// ends, and the new ones wait without CPU. The workers of one executor that grows up to its size are no leak, workers
// that are the only one of their executor are. See leaksByAge for one dump.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range lookalikes(f.Timeline) {
		if leaks(f.Timeline, g) {
			found = append(found, leakFinding(f.Timeline, g))
		} else if c, ok := leaksByAge(f.Timeline, g); ok {
			found = append(found, c)
		}
	}
	return found
}

// leaks reports whether the group fits the rule.
func leaks(f *timeline.Timeline, g *lookalike) bool {
	if len(f.Snaps) < leakDumps || g.ended > 0 {
		return false
	}
	for i := 1; i < len(g.counts); i++ {
		if g.counts[i] <= g.counts[i-1] {
			return false
		}
	}
	fresh := g.fresh()
	few := len(fresh) < leakNew && (len(fresh) < leakFew || g.counts[0] < leakMany)
	if few || float64(len(fresh)) < leakOf*float64(g.counts[0]) {
		return false
	}
	return float64(waiting(fresh)) >= leakWaiting*float64(len(fresh)) && !g.oneExecutor()
}

// waiting counts the threads that wait at the end of the capture and hardly use CPU.
func waiting(threads []*timeline.History) int {
	n := 0
	for _, h := range threads {
		if w := h.Last().Wait; w != stack.Running && w != stack.WaitMonitor && !h.Works() {
			n++
		}
	}
	return n
}

func leakFinding(f *timeline.Timeline, g *lookalike) finding.Candidate {
	newest := newestOf(g.fresh())
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: leakTitle(f, g), Advice: leakAdvice,
		Culprits: []finding.ThreadRef{f.Ref(newest.Last())}, Evidence: []finding.Evidence{leakEvidence(g)},
	}
	if e, ok := timeline.WorkEvidence(f, newest, newest.Last()); ok {
		result.Evidence = append(result.Evidence, e)
	}
	return finding.Candidate{Finding: result, Behind: g.isBehind}
}

// newestOf is the youngest thread that the dumps show in the application, else the youngest.
func newestOf(threads []*timeline.History) *timeline.History {
	return slices.MaxFunc(threads, func(a, b *timeline.History) int {
		return cmp.Or(
			finding.CountIf(a.Last().Stack.Application != nil)-finding.CountIf(b.Last().Stack.Application != nil),
			cmp.Compare(a.Thread.ID, b.Thread.ID),
		)
	})
}
