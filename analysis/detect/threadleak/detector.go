package threadleak

import (
	"cmp"
	"slices"
	"time"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Thresholds of thread-leak.
const (
	// leakDumps is how many dumps must show the growth: two intervals, as the start
	// of one batch of threads is but one.
	leakDumps = 3
	// leakNew is the least number of threads that came over the capture, and leakOf the
	// part of the threads there were before that they must amount to: 5,000 threads
	// that become 5,005 have other troubles.
	leakNew = 6
	leakOf  = 0.01
	// leakFew are new ones enough where leakMany of them have stayed before, or leakSteady that
	// came at the same rate, leakEven times more or less.
	leakFew    = 3
	leakMany   = 100
	leakSteady = 12
	leakEven   = 1.5
	// leakExecutors is how many executors must have come, one at least from each dump to
	// the next, for their workers to be a leak: a program sets some up when it starts.
	leakExecutors = 3
	// leakWaiting is the part of the new ones that must have come to rest: a server
	// under a burst of load starts threads that work.
	leakWaiting = 0.8
	// manyAlike is from where on threads of one pattern are worth a hint.
	manyAlike = 500
)

// Detector reports threads of one kind that come and do not go.
var Detector = detect.Detector{
	Kind: finding.KindThreadLeak,
	Doc:  "threads of one kind that come and do not go",
	Run:  run,
}

// run reports threads that are started and never end.
//
// Rule: the threads of one name pattern (all numbers in the name left out) become
// more from every dump to the next, none of them ends, and the new ones come to
// rest: they wait, without CPU. Few are enough where many have stayed, or have come at the
// same rate ever since the first one. The workers of one executor that fills up to its
// size are no leak, those of an executor each are, and those of executors that come
// one after the other. Who starts them is named where
// the dumps leave but one choice. A pattern with 500 threads or
// more that are no idle pool is a hint.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range lookalikes(f.Timeline) {
		switch {
		case leaks(f.Timeline, g):
			found = append(found, leakFinding(f.Timeline, g))
		case len(g.alive) >= manyAlike && g.atWorkOrStuck() >= manyAlike:
			found = append(found, manyFinding(f.Timeline, g))
		default:
			if c, ok := leaksByAge(f.Timeline, g); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

// leaks applies the rule.
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
	few := len(fresh) < leakNew && (len(fresh) < leakFew || g.counts[0] < leakMany && !cameSteadily(f, g, fresh))
	if few || float64(len(fresh)) < leakOf*float64(g.counts[0]) {
		return false
	}
	return float64(atRest(f, fresh)) >= leakWaiting*float64(len(fresh)) &&
		(!oneExecutor(fresh) || g.newExecutors() >= leakExecutors)
}

// cameSteadily reports that threads are started in the capture as often as ever since the first
// one, and that all are still there: the dumps tell the age of each.
func cameSteadily(f *timeline.Timeline, g *lookalike, fresh []*timeline.History) bool {
	if len(g.alive) < leakSteady {
		return false
	}
	var ages []time.Duration
	for _, h := range g.alive {
		age := h.Last().Elapsed()
		if !age.Known {
			return false
		}
		ages = append(ages, age.Value)
	}
	even := func(came int, in time.Duration) bool {
		expected := float64(len(ages)) * in.Seconds() / slices.Max(ages).Seconds()
		return expected <= leakEven*float64(came) && float64(came) <= leakEven*expected
	}
	half := slices.Max(ages) / 2
	younger := len(slices.DeleteFunc(slices.Clone(ages), func(age time.Duration) bool { return age > half }))
	return even(younger, half) && even(len(fresh), f.Wall().Value)
}

// atRest counts the threads that wait at the end of the capture and hardly use CPU.
func atRest(f *timeline.Timeline, threads []*timeline.History) int {
	n := 0
	for _, h := range threads {
		if w := h.Last().Wait; w != stack.Running && w != stack.WaitMonitor && !h.Works() {
			n++
		}
	}
	return n
}

func leakFinding(f *timeline.Timeline, g *lookalike) finding.Candidate {
	fresh := g.fresh()
	newest := newestOf(fresh)
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: leakTitle(f, g), Advice: findStarter + leakAdvice(fresh),
		Culprits: []finding.ThreadRef{f.Ref(newest.Last())}, Evidence: []finding.Evidence{leakEvidence(f, g)},
	}
	if e, ok := timeline.WorkEvidence(f, newest, newest.Last()); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if s, ok := starterOf(f, g); ok {
		result.Advice = leakAdvice(fresh) + newestFirst
		result.Evidence = append([]finding.Evidence{s.evidence(f)}, result.Evidence...)
		if !slices.Contains(fresh, s.h) {
			result.Culprits = append(result.Culprits, f.Ref(s.sample))
		}
	}
	return finding.Candidate{Finding: result, Behind: g.isBehind}
}

// newestOf is the youngest thread that the dumps show in the application, else the
// youngest.
func newestOf(threads []*timeline.History) *timeline.History {
	return slices.MaxFunc(threads, func(a, b *timeline.History) int {
		return cmp.Or(
			finding.CountIf(a.Last().Stack.Application != nil)-finding.CountIf(b.Last().Stack.Application != nil),
			cmp.Compare(a.Thread.ID, b.Thread.ID),
		)
	})
}

func manyFinding(f *timeline.Timeline, g *lookalike) finding.Candidate {
	sample := g.alive[0]
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: manyTitle(g), Advice: manyAdvice,
		Culprits: []finding.ThreadRef{f.Ref(sample.Last())}, Evidence: []finding.Evidence{manyEvidence(len(g.alive))},
	}}
}
