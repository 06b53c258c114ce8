// Package saturated finds executors without a free worker.
package saturated

import (
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Detector reports executors whose workers are all blocked while callers wait for their tasks.
var Detector = detect.Detector{
	Kind: finding.KindExecutorSaturated,
	Doc:  "executors whose workers are all blocked while callers wait for their tasks",
	Run:  run,
}

// run reports executors whose workers are all busy while others wait for their work.
//
// Rule: no worker of the executor was idle in any dump, and one of these holds:
//   - more threads than it has workers waited, over the capture, for the result of a task or for room
//     in the executor's queue, so that some of their tasks have not begun; or a thread was made to
//     run its task itself;
//   - no worker was woken even once, no worker is in a read, which a silent peer would explain,
//     and a thread waits for a result, or for the executor to end in code that the
//     workers share; main alone counts only if there are several workers, because many a main
//     method waits for the one task that is its program;
//   - every worker is in I/O that should have ended, and a thread other than main waits for a
//     result; an executor with one worker does not count, because io-wait reports it and it may
//     start more workers;
//   - each of several workers was in a task that a framework handed it, such as a request, and used
//     no CPU: these tasks should end, except the loops that applications run on workers. The
//     executor must be one that does not grow on demand. For a plain one that is unknown, so that
//     at least three workers must be at one place without a time limit, or sleep in the request of
//     a server from one dump to the next: a pause before a retry keeps the worker as well. Any other
//     task may be one that repeats;
//   - each of at least three workers waits in a task, without a time limit, for a result of other
//     code; one dump is enough for this (see standstill).
//
// It is a hint if all workers are in reads with a time limit, unless some of their tasks have not begun.
//
// No dump shows whose result a thread waits for. It counts as a caller if a worker runs a task of the kind that it
// waits for, or code of the same class. Fewer callers give a hint: it may be one slow task. Workers in take, accept or
// select are loops and not tasks that hang, except for a take without a time limit in the middle of a request.
//
// From: fixed pools in socket reads with callers in get, invokeAll and join; quartz,
// undertow, gRPC and Reactor with handlers that sleep or wait.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, p := range f.Pools.Executors() {
		if !pools.NeverIdle(f.Timeline, p) || loops(p) {
			continue
		}
		c := saturation(f, p)
		if c.Severity != "" {
			found = append(found, c)
		}
	}
	return found
}

// loops reports whether workers consume, accept or select in code of the application. A worker that takes something for
// a request, without a time limit, does not count as a consumer.
func loops(p *pools.Pool) bool {
	return slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		s := h.Last()
		switch s.Stack.Op.Kind {
		case stack.OpTake:
			return s.Timed() || !pools.Serves(s.Stack)
		case stack.OpAccept, stack.OpSelect:
			return true
		}
		return false
	})
}

// paced reports whether workers wait in a rate limiter, which lets one after the other continue: see the kind
// resource-exhausted.
func paced(p *pools.Pool) bool {
	return slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return resources.LimiterKey(h.Last()) != "" })
}

func saturation(f *facts.Facts, p *pools.Pool) finding.Candidate {
	callers, standstill := slices.Concat(f.Pools.CallersOf(p), endAwaited(f.Timeline, p)), standstill(f.Pools, p)
	stuck := standstill != "" || pools.AllUnchanged(f.Timeline, p.Busy)
	c := finding.Candidate{Finding: finding.Finding{
		Culprits: f.Timeline.Refs(pools.LastSamples(p.Busy)), Victims: f.Timeline.Refs(pools.LastSamples(callers)),
		Title: saturatedTitle(p, workersDo(f, p, stuck), callers), Advice: saturatedAdvice(f.IOWaits, p, stuck),
		Evidence: saturatedEvidence(f.Timeline, p, callers),
	}}
	c.Severity = gradeByCallers(f, p, callers, stuck)
	if standstill == finding.Warning || c.Severity == "" {
		c.Severity = standstill
	}
	switch c.Severity {
	case finding.Warning:
		c.Confidence = finding.Likely
	case finding.Info:
		c.Confidence = finding.Possible
	}
	addQueued(f, p, stuck, &c)
	return c
}

// gradeByCallers is the severity by the threads that wait for the executor; empty if they prove nothing. A warning
// needs several dumps over a long enough time, and the CPU times of all callers.
func gradeByCallers(f *facts.Facts, p *pools.Pool, callers []*timeline.History, stuck bool) finding.Severity {
	known := !slices.ContainsFunc(callers, func(h *timeline.History) bool { return !h.CPU.Known })
	warning := finding.Info
	if pools.LongEnough(f.Timeline) && known {
		warning = finding.Warning
	}
	switch {
	case len(callers) > len(p.Workers) || slices.ContainsFunc(callers, pools.Submits):
		return warning
	case stuck && allReadsEnd(f.Timeline, p.Busy):
		return finding.Info
	case stuck && handsOut(f.Timeline, p) && !paced(p),
		isStuckForCallers(f.Timeline, p, callers), isLeftByPeers(f.IOWaits, p, callers):
		return warning
	case len(callers) > 0 && stuck:
		return finding.Info
	}
	return ""
}

// isStuckForCallers reports whether a thread waits for the workers, none of which woke, and the workers do not all wait
// for the same thing, such as the end of the program.
func isStuckForCallers(f *timeline.Timeline, p *pools.Pool, callers []*timeline.History) bool {
	return pools.NeverWoken(f, p.Busy) && wanted(p, callers) && !waitForOneThing(p.Busy)
}

// isLeftByPeers reports whether a thread waits for workers whose peers do not answer.
func isLeftByPeers(f *iowaits.Waits, p *pools.Pool, callers []*timeline.History) bool {
	return unanswered(f, p) && pools.HasCallerOtherThanMain(callers) && !mayGrow(p)
}

// endAwaited returns the threads that wait, the same in all dumps, for the executor to end, in code of a class that its
// workers are in. A single worker may run a long task; a sleep or a timed wait ends by itself.
func endAwaited(f *timeline.Timeline, p *pools.Pool) []*timeline.History {
	if mayGrow(p) || slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return h.Last().Timed() }) {
		return nil
	}
	var waiting []*timeline.History
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Stack.Op.Kind == stack.OpTermination && !p.Has(h) && h.Thread.Role == threaddump.Application &&
			len(f.Snaps) > 1 && f.IsUnchanged(h) && pools.RelatedWorkers(h, p) > 0 {
			waiting = append(waiting, h)
		}
	}
	return waiting
}

// wanted reports whether callers prove a demand although they may be fewer than the workers.
func wanted(p *pools.Pool, callers []*timeline.History) bool {
	for _, h := range callers {
		if h.Thread.Name != "main" || len(p.Workers) > 1 {
			return !slices.ContainsFunc(p.Busy, func(w *timeline.History) bool {
				return w.Last().Stack.Op.Kind == stack.OpRead || mayGrow(p) && timeline.IsIO(w.Last())
			})
		}
	}
	return false
}

// handsOut reports whether an executor cannot grow and got all its tasks from a framework.
func handsOut(f *timeline.Timeline, p *pools.Pool) bool {
	const certain = 3
	first := p.Busy[0].Last()
	same := true
	for _, h := range p.Busy {
		s := h.Last()
		if !pools.Serves(s.Stack) {
			return false
		}
		same = same && s.Stack.Application == first.Stack.Application && (!s.Timed() || sleepsOverRequest(f, h))
	}
	plain := first.Stack.IsInside(stack.JUC+"ThreadPoolExecutor$Worker", "run") && !p.Scheduler
	return len(p.Busy) > 1 && (!plain || same && len(p.Busy) >= certain)
}

// sleepsOverRequest reports whether a handler of the JDK's server sleeps and was not woken from one dump to the next: a
// handler that streams or ticks wakes more often.
func sleepsOverRequest(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	if s.Stack.Op.Kind != stack.OpSleep || !s.Stack.IsInside("sun.net.httpserver.ServerImpl$Exchange", "run") {
		return false
	}
	for i := 1; i < len(h.Samples); i++ {
		if used := timeline.Growth(h.Samples[i-1].CPUTime, h.Samples[i].CPUTime); used.Known &&
			used.Value <= timeline.WakeCost {
			return true
		}
	}
	return false
}

// unanswered reports whether every worker is in I/O that should have ended.
func unanswered(f *iowaits.Waits, p *pools.Pool) bool {
	waiters := f.WorkersInIO(p)
	return len(waiters) == len(p.Busy) && !slices.ContainsFunc(waiters, func(w iowaits.Waiter) bool {
		return !w.Stuck()
	})
}

// mayGrow reports whether the executor has one worker: it may start more when there is work for them.
func mayGrow(p *pools.Pool) bool { return len(p.Workers) == 1 }

// allReadsEnd reports whether each of some threads is in a read with a time limit, which ends by itself.
func allReadsEnd(f *timeline.Timeline, threads []*timeline.History) bool {
	return !slices.ContainsFunc(threads, func(h *timeline.History) bool { return !iowaits.ReadEnds(f, h) })
}

// saturatedEvidence quotes where workers and callers are.
func saturatedEvidence(f *timeline.Timeline, p *pools.Pool, callers []*timeline.History) []finding.Evidence {
	const shown = 2
	var quotes []finding.Evidence
	for _, h := range slices.Concat(p.Busy[:min(shown, len(p.Busy))], callers[:min(shown, len(callers))]) {
		quotes = append(quotes, f.PlaceEvidence(h)...)
	}
	return quotes
}
