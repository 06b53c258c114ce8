package iowaits

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// PoolsCallingThemselves reports executors that serve requests, and all of whose workers wait for
// an answer of this very JVM.
//
// Rule: every worker was called by a server, not by a scheduler, and reads, the same in all dumps,
// from a connection to its own process. No other thread is in a request of a server: whoever
// works on one may be about to answer. Idle workers of other executors take no such request,
// for it would not have to wait.
func (f *Waits) PoolsCallingThemselves() []finding.Candidate {
	if !pools.LongEnough(f.Timeline) || !locks.ShowsAllThreads(f.Last()) {
		return nil
	}
	var found []finding.Candidate
	for _, p := range f.Executors() {
		if f.allCallSelf(p) && !f.answersBeside(p) {
			found = append(found, f.poolCallsItself(p))
		}
	}
	return found
}

// allCallSelf reports that every worker of an executor asks its own process in a request.
func (f *Waits) allCallSelf(p *pools.Pool) bool {
	return p.EveryBusy() && !p.Scheduler && !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return !f.WaitsForSelf(h) || !CalledByLibrary(h.Last().Stack)
	})
}

// answersBeside reports that a thread outside of an executor is in a request of a server, and
// waits for no answer of this JVM.
func (f *Waits) answersBeside(p *pools.Pool) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		return !p.Has(h) && h.Thread.Role == threaddump.Application && s.Resting() == nil &&
			!pools.IsPeriodic(s.Stack) && CalledByLibrary(s.Stack) && !f.WaitsForSelf(h)
	})
}

// WaitsForSelf tells a thread that reads from a connection to its own process over the
// whole capture, or has an HttpClient read.
func (f *Waits) WaitsForSelf(h *timeline.History) bool {
	s := h.Last()
	return f.ConnectsToSelf(h) && (s.Stack.Op.Kind == stack.OpRead || asksByHTTP(s)) && f.StandsStill(h)
}

func (f *Waits) poolCallsItself(p *pools.Pool) finding.Candidate {
	var waiters []Waiter
	var callers []*timeline.History
	for _, h := range f.Alive() {
		switch {
		case p.Has(h):
			w := Waiter{H: h, Op: stack.OpRead}
			w.DescribeFile(f)
			waiters = append(waiters, w)
		case f.WaitsForSelf(h), pools.IsCaller(f.Timeline, h):
			callers = append(callers, h)
		}
	}
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Critical, Confidence: finding.Likely,
		Title: fmt.Sprintf("%s %s; the requests wait for a worker of the same executor",
			WaitersWords(f.Pools, waiters), WaitsWords(waiters)),
		Advice: "Do not call a server from its own workers: call the code directly, or give the inner requests " +
			"their own executor. Set a timeout on the call.",
		Culprits: f.Refs(pools.LastSamples(p.Busy)), Victims: f.Refs(pools.LastSamples(callers)),
		Evidence: pools.PoolDeadlockEvidence(f.Timeline, p.Busy),
	}}
	// Nothing shows whether a request of an HttpClient has a time limit.
	mayEnd := func(h *timeline.History) bool { return ReadEnds(f.Timeline, h) || asksByHTTP(h.Last()) }
	if slices.ContainsFunc(p.Busy, mayEnd) {
		c.Severity = finding.Warning
	}
	return c
}
