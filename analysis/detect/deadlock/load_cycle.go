package deadlock

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// loadCycles reports threads that load a value for a library's cache and wait there for values that others of them
// load.
//
// Rule: at least two threads were called by a class of a library to load a value, and wait in the same class for
// different results. No other thread that this class called, in code of the application that they share, does anything
// else: it could bring one of the values.
//
// From: a Guava cache whose loader gets another value from the cache, with two such loads crosswise.
func loadCycles(f *iowaits.Waits) []finding.Candidate {
	var found []finding.Candidate
	seen := map[string]bool{}
	for _, h := range f.Awaiting().LibraryResults {
		class := locks.LoadingClass(h)
		if seen[class] || !locks.CalledBy(h.Last().Stack, class) {
			continue
		}
		seen[class] = true
		if loaders := loadersOf(f, class); differentResults(loaders) {
			found = append(found, loadCycle(f, class, loaders))
		}
	}
	return found
}

// loadersOf returns the threads that the class called and that wait in it for a result. It returns none if a thread
// that shares their code does anything else there.
func loadersOf(f *iowaits.Waits, class string) []*timeline.History {
	var loaders, others []*timeline.History
	for _, h := range f.Timeline.Alive() {
		switch {
		case !locks.CalledBy(h.Last().Stack, class):
		case slices.Contains(f.Awaiting().LibraryResults, h) && locks.LoadingClass(h) == class:
			loaders = append(loaders, h)
		default:
			others = append(others, h)
		}
	}
	if slices.ContainsFunc(others, func(o *timeline.History) bool {
		return slices.ContainsFunc(loaders, func(l *timeline.History) bool {
			return l.Last().Stack.SharesClass(o.Last().Stack)
		})
	}) {
		return nil
	}
	return loaders
}

// differentResults reports whether some threads wait for at least two objects.
func differentResults(loaders []*timeline.History) bool {
	awaited := map[uint64]bool{}
	for _, h := range loaders {
		if l := h.Last().WaitsOn(); l != nil {
			awaited[l.Address] = true
		}
	}
	return len(awaited) > 1
}

func loadCycle(f *iowaits.Waits, class string, loaders []*timeline.History) finding.Candidate {
	members := timeline.InNameOrder(pools.LastSamples(loaders))

	var behind []*timeline.Sample
	for _, h := range f.Awaiting().LibraryResults {
		if locks.LoadingClass(h) == class && !slices.Contains(loaders, h) {
			behind = append(behind, h.Last())
		}
	}
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Critical, Confidence: finding.Likely, Title: loadTitle(members), Advice: loadAdvice,

		Culprits: f.Timeline.Refs(members), Victims: f.Timeline.Refs(behind),
		Evidence: f.Timeline.FrameEvidence(len(f.Timeline.Snaps)-1, members),
	}}
}
