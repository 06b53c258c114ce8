package threadleak

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Thresholds of a leak that the ages of threads show.
const (
	// agedExecutors is how many executors must have been made one after the other: a program makes fewer at intervals
	// when it starts.
	agedExecutors = 8
	// agedGap is the least time from one to the next: those of one start come at once.
	agedGap = 10 * time.Second
	// agedEven is how many times longer than the usual gap the longest gap may be, including the time since the last
	// one: they still come.
	agedEven = 3
)

// leaksByAge reports executors that the program has made one after the other since the JVM started and never shut down:
// one dump shows the age of each thread.
//
// Rule: at least eight threads of one name pattern are idle workers, each at its own queue, no two were started within
// ten seconds, and they are started at even intervals to this day.
//
// From: a pool made for each scheduled run; "pool-3-thread-1" to "pool-10-thread-1", one every ten minutes.
func leaksByAge(f *timeline.Timeline, g *lookalike) (c finding.Candidate, ok bool) {
	if len(g.alive) < agedExecutors || !eachOwnQueue(g.alive) {
		return finding.Candidate{}, false
	}
	ages := make([]time.Duration, 0, len(g.alive))
	for _, h := range g.alive {
		age := h.Last().Elapsed()
		if !age.Known {
			return finding.Candidate{}, false
		}
		ages = append(ages, age.Value)
	}
	slices.Sort(ages)
	gap, even := usualGap(ages)
	if !even || gap < agedGap {
		return finding.Candidate{}, false
	}
	youngest := make([]*timeline.Sample, 0, len(g.alive))
	for _, h := range g.alive {
		youngest = append(youngest, h.Last())
	}
	slices.SortFunc(youngest, func(a, b *timeline.Sample) int {
		return int(a.Elapsed().Value - b.Elapsed().Value)
	})
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: agedTitle(g, gap, ages[0]), Advice: sharedAdvice,
		Culprits: []finding.ThreadRef{f.Ref(youngest[0])},
		Evidence: append([]finding.Evidence{agesEvidence(ages)}, f.WaitEvidence(len(f.Snaps)-1, youngest)...),
	}}, true
}

// usualGap is the median time between threads of such ages, the youngest first. even is true if no gap is much longer,
// none is shorter than agedGap, and the next thread is not overdue.
func usualGap(ages []time.Duration) (median time.Duration, even bool) {
	gaps := make([]time.Duration, 0, len(ages))
	for i := 1; i < len(ages); i++ {
		gaps = append(gaps, ages[i]-ages[i-1])
	}
	slices.Sort(gaps)
	median = gaps[len(gaps)/2]
	longest := max(gaps[len(gaps)-1], ages[0])
	return median, gaps[0] >= agedGap && longest <= agedEven*median
}

// eachOwnQueue reports whether all are idle workers, no two of them at one queue.
func eachOwnQueue(threads []*timeline.History) bool {
	waited := map[uint64]bool{}
	for _, h := range threads {
		s := h.Last()
		l := s.WaitsOn()
		if s.IdleRule() == nil || s.Stack.Root == nil || s.Stack.Root.Kind != stack.RootPool || l == nil ||
			l.Address == 0 || waited[l.Address] {
			return false
		}
		waited[l.Address] = true
	}
	return true
}
