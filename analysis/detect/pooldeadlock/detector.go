package pooldeadlock

import (
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Detector reports executors whose workers all wait for results of tasks that only these executors can run.
var Detector = detect.Detector{
	Kind:    finding.KindPoolDeadlock,
	Doc:     "executors whose workers all wait for results of tasks that only these executors can run",
	Virtual: true,
	Run:     run,
}

// run reports executors that wait for their own tasks.
//
// Rule: no worker of the executor is idle, and every one waits for what a task brings: a result,
// or a latch or barrier. In several dumps all of them stand still. That the task belongs to this
// executor is told by a worker that runs a task made by a method which stands on a waiting stack, so
// that this method submits to this executor (see submitsToItself). Without it the executor is at a
// standstill (see the kind executor-saturated): what lies in its queue no dump tells.
//
// A thread outside that runs a task of the same code may bring the result: then nothing is told.
// Executors that wait for one another are one finding. Fork-join pools start spare workers for
// those that wait for results, so that only latches and barriers stop them.
//
// The executor of a client, whose workers wait in its callbacks for further answers, waits for
// itself (askInCallbacks); so does a server whose workers call it (poolsThatAskThemselves).
//
// From: fixed pools, a scheduler and two pools crosswise in Future.get, invokeAll, join and a
// completion service; a fork-join pool in a latch; an HTTP client called from its body handler.
func run(f *facts.Facts) []finding.Candidate {
	var stuck []*pools.Pool
	for _, p := range f.Executors() {
		if waitsForTasks(f.Locks, p) {
			stuck = append(stuck, p)
		}
	}
	found := askInCallbacks(f.Pools)
	for _, group := range crosswise(waitForThemselves(f.Pools, stuck)) {
		found = append(found, poolDeadlock(f.Timeline, group))
	}
	return found
}

// waitsForTasks reports that every worker stands in a wait that other tasks may end.
func waitsForTasks(f *locks.Locks, p *pools.Pool) bool {
	if !pools.NoWorkerIdle(f.Timeline, p) || p.Mixed {
		return false
	}
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		if p.Kind == stack.RootForkJoin && h.Last().Stack.Op.Kind == stack.OpResult {
			return true
		}
		return len(f.Snaps) > 1 && !f.NeverWoke(h) || !forTask(h.Last()) && !behindOne(f, h, p)
	})
}

// behindOne reports that a worker waits for a lock which another worker keeps that
// waits for a task.
func behindOne(f *locks.Locks, h *timeline.History, p *pools.Pool) bool {
	if !h.Last().Wait.ForLock() {
		return false
	}
	owner := loops.LastOwner(f, h.Last())
	return owner != nil && forTask(owner) && p.Has(f.History(owner))
}

func forTask(s *timeline.Sample) bool {
	if s.State != threaddump.Waiting && s.State != threaddump.TimedWaiting {
		return false
	}
	switch s.Stack.Op.Kind {
	case stack.OpResult, stack.OpLatch, stack.OpBarrier:
		return s.Stack.Op.Caller != nil
	}
	return false
}

// mostKinless is how many executors that have nothing in common are told one by one, each with
// all who wait. More are one finding.
const mostKinless = 32

// crosswise puts executors that may wait for each other together: where several
// are stuck, none can be told from the rest.
func crosswise(stuck []*pools.Pool) [][]*pools.Pool {
	var groups [][]*pools.Pool
	for _, p := range stuck {
		at := slices.IndexFunc(groups, func(g []*pools.Pool) bool { return pools.RelatedWorkers(p.Busy[0], g[0]) > 0 })
		if at < 0 && len(groups) == mostKinless {
			return [][]*pools.Pool{stuck}
		}
		if at < 0 {
			groups = append(groups, []*pools.Pool{p})
		} else {
			groups[at] = append(groups[at], p)
		}
	}
	return groups
}

// poolDeadlock words the finding. A wait with a time limit, or one that other code than a task may
// end, makes it a warning.
func poolDeadlock(f *timeline.Timeline, group []*pools.Pool) finding.Candidate {
	var workers, callers []*timeline.History
	for _, p := range group {
		workers = append(workers, p.Busy...)
	}
	for _, h := range f.Alive() {
		if !slices.ContainsFunc(group, func(p *pools.Pool) bool {
			return p.Has(h)
		}) && (pools.IsCaller(f, h) || h.Last().Stack.Op.Kind == stack.OpTermination && f.StandsStill(h)) {
			callers = append(callers, h)
		}
	}
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Critical, Confidence: finding.Likely,
		Title:    poolDeadlockTitle(group, len(workers)),
		Advice:   poolDeadlockAdvice(workers),
		Culprits: f.Refs(pools.LastSamples(workers)), Victims: f.Refs(pools.LastSamples(callers)),
		Evidence: pools.PoolDeadlockEvidence(f, workers),
	}}
	mayEnd := func(h *timeline.History) bool { return h.Last().Timed() || isSignal(h.Last().Stack.Op.Kind) }
	if slices.ContainsFunc(workers, mayEnd) {
		c.Severity = finding.Warning
	}
	return c
}

// isSignal tells the waits that other code than a task may end.
func isSignal(kind stack.OpKind) bool { return kind == stack.OpLatch || kind == stack.OpBarrier }
