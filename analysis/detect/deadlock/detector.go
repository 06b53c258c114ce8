package deadlock

import (
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// Detector reports threads that wait for each other in a cycle, over locks, class initialisers or joins.
var Detector = detect.Detector{
	Kind:    finding.KindDeadlock,
	Doc:     "threads that wait for each other in a cycle, over locks, class initialisers or joins",
	Virtual: true,
	Run:     run,
}

// run reports every cycle that stands at the end of the capture, one
// finding each.
//
// Rule: threads that wait for each other over monitors, ownable synchronizers or
// class initialisation. Proven where the lines of one dump close the cycle or
// the JVM itself reports it; likely where an owner is concluded (two static
// initialisers on JDK 8 and 11, a task of a static initialiser, loaders of a cache); no more than a hint where a
// wait ends by itself or a dump that is no instant shows it once.
func run(f *facts.Facts) []finding.Candidate {
	found := make([]finding.Candidate, 0, len(f.Cycles))
	for _, c := range f.Cycles {
		found = append(found, deadlock(f.Pools, c))
	}
	return append(found, loadCycles(f.Waits)...)
}

func deadlock(f *pools.Pools, c *locks.Cycle) finding.Candidate {
	severity, confidence := facts.Grade(f.Timeline, c)
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title: deadlockTitle(f.Timeline, c), Advice: deadlockAdvice(f.Timeline, c),
		Culprits: memberRefs(f.Timeline, c), Victims: f.Refs(append(callersOfMembers(f, c), c.Behind...)),
		Resource: cycleResource(c), Evidence: cycleEvidence(f.Timeline, c),
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(c.Behind) - len(c.Behind)}
}

// callersOfMembers are the threads that wait for results of executors whose workers
// are in the cycle.
func callersOfMembers(f *pools.Pools, c *locks.Cycle) []*timeline.Sample {
	if c.At != len(f.Snaps)-1 || !locks.Confirmed(f.Timeline, c) {
		return nil
	}
	var callers []*timeline.Sample
	for _, p := range executorsOf(f, c) {
		for _, h := range f.CallersOf(p) {
			s := h.Last()
			if !c.Has(locks.Member{Name: s.Thread.Name, Sample: s}) && !slices.Contains(c.Behind, s) &&
				!slices.Contains(callers, s) {
				callers = append(callers, s)
			}
		}
	}
	return callers
}

// executorsOf are those with workers in the cycle, in their order.
func executorsOf(f *pools.Pools, c *locks.Cycle) []*pools.Pool {
	all := f.Executors()
	if slices.ContainsFunc(c.Members, func(m locks.Member) bool { return m.Sample == nil }) {
		return slices.DeleteFunc(slices.Clone(all), func(p *pools.Pool) bool {
			return !slices.ContainsFunc(p.Workers, func(h *timeline.History) bool {
				return c.Has(locks.Member{Name: h.Thread.Name, Sample: h.Last()})
			})
		})
	}
	var found []*pools.Pool
	seen := map[*pools.Pool]bool{nil: true}
	for _, m := range c.Members {
		if p := f.PoolOf(f.History(m.Sample)); !seen[p] {
			seen[p] = true
			found = append(found, p)
		}
	}
	slices.SortFunc(found, pools.ComparePools)
	return found
}
