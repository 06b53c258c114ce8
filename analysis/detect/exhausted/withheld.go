package exhausted

import (
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// itemKey tells apart what threads wait for that may be pooled objects or work.
func itemKey(s *timeline.Sample) string {
	op := s.Stack.Op
	if resources.ResourceKey(s) != "" || op.Caller == nil || stack.OriginOf(op.Caller) != stack.OfApplication {
		return ""
	}
	switch op.Kind {
	case stack.OpTake, stack.OpNotify, stack.OpCondition:
		return op.Caller.Name() + " " + s.Object()
	}
	return ""
}

// withheld finds those who hold what the threads of a gathering wait for, although
// nothing is called a resource.
func withheld(f *facts.Facts, g waits.Group) (finding.Candidate, bool) {
	waiters := g.Samples()
	if len(waiters) < 2 || len(f.Snaps) < 2 {
		return finding.Candidate{}, false
	}
	holders, evidence := resources.HoldersOf(f.Timeline, len(f.Snaps)-1, waiters)
	if evidence != resources.PastAcquire {
		return finding.Candidate{}, false
	}
	missed, confidence := areMissed(f.Pools, g), finding.Possible
	if missed {
		confidence = finding.Likely
	}
	for _, h := range holders {
		stuck := (h.Wait == stack.WaitIO || missed) && f.StandingStill(f.History(h)).Long()
		if !stuck || !sharesWork(waiters, h, missed && h.Wait != stack.WaitIO) {
			return finding.Candidate{}, false
		}
	}
	return factsExhaustion(f, &exhaustion{Group: g, waiters: waiters, holders: holders, evidence: evidence},
		finding.Warning, confidence), true
}

// areMissed reports that none of some threads waits for its next job, as each has one:
// a request that a framework handed it, or the task of an executor for the results of
// which others than main wait.
func areMissed(f *pools.Pools, g waits.Group) bool {
	f.Executors()
	return !slices.ContainsFunc(g.Waiters, func(w timeline.Still) bool {
		s := w.Last().Stack
		return !pools.Serves(s) &&
			(!stack.IsTask(s) || f.PoolOf(w.History) == nil || !pools.HasCallerBesideMain(f.CallersOf(f.PoolOf(w.History))))
	})
}

// sharesWork reports that a thread is further down in a method of the waiters that
// is not the loop they were started with: a worker that waits for its next job is.
// Of tasks that are missed it is not the task itself either, which may be a loop.
func sharesWork(waiters []*timeline.Sample, s *timeline.Sample, missed bool) bool {
	for _, w := range locks.StacksOf(waiters) {
		mine := stack.WithoutStart(w.Program())
		if (w.Root == nil || missed && !pools.Serves(w)) && len(mine) > 0 {
			mine = mine[:len(mine)-1]
		}
		if slices.ContainsFunc(mine, func(a *threaddump.Frame) bool { return stack.InMethodOf(a, s.Stack) }) {
			return true
		}
	}
	return false
}
