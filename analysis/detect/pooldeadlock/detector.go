// Package pooldeadlock finds executors that wait for themselves.
package pooldeadlock

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Detector reports executors whose workers all wait for results of tasks that only these executors can run.
var Detector = detect.Detector{
	Kind:    finding.KindPoolDeadlock,
	Doc:     "executors whose workers all wait for results of tasks that only these executors can run",
	Virtual: true,
	Run:     run,
}

// run reports executors that wait for their own tasks. If the JVM's memory was read, these tasks are known
// (inOwnQueues); else they are inferred from the stacks.
//
// Rule: no worker of the executor is idle, and each waits for a result, a latch or a barrier, or for a lock that such a
// worker holds; in several dumps none of them moves. A worker runs a lambda of a method that is on a waiting stack:
// this method submits to this executor. There is no finding if a thread outside runs a task of the same code, which may
// bring the result. Without such a lambda see the kind executor-saturated.
func run(f *facts.Facts) []finding.Candidate {
	found := inOwnQueues(f)
	var stuck []*pools.Pool
	for _, p := range f.Pools.Executors() {
		if waitsForTasks(f.Locks, p) && !isRead(f, p) {
			stuck = append(stuck, p)
		}
	}
	if len(stuck) == 0 {
		return found
	}
	beside := f.Pools.RunnersOutside(stuck)
	for _, p := range stuck {
		if submitsToItself(p) && !beside.MayBringResult(p) {
			found = append(found, poolDeadlock(f.Timeline, p))
		}
	}
	return found
}

// waitsForTasks reports whether every worker is in a wait that other tasks may end. Fork-join pools start spare workers
// for those that wait for results.
func waitsForTasks(f *locks.Locks, p *pools.Pool) bool {
	if !pools.NoWorkerIdle(f.Timeline, p) || p.Mixed {
		return false
	}
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return p.Kind == stack.RootForkJoin && h.Last().Stack.Op.Kind == stack.OpResult ||
			len(f.Timeline.Snaps) > 1 && !f.Timeline.NeverWoke(h) || !forTask(h.Last()) && !behindOne(f, h, p)
	})
}

// behindOne reports whether a worker waits for a lock whose owner is another worker that waits for a task.
func behindOne(f *locks.Locks, h *timeline.History, p *pools.Pool) bool {
	if !h.Last().Wait.ForLock() {
		return false
	}
	owner := loops.LastOwner(f, h.Last())
	return owner != nil && forTask(owner) && p.Has(f.Timeline.History(owner))
}

func forTask(s *timeline.Sample) bool {
	if s.State != threaddump.Waiting && s.State != threaddump.TimedWaiting || s.Stack.Op.Caller == nil {
		return false
	}
	return s.Stack.Op.Kind == stack.OpResult || isSignal(s)
}

// isSignal reports whether code other than a task may end the wait.
func isSignal(s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpLatch || s.Stack.Op.Kind == stack.OpBarrier
}

// submitsToItself reports whether a worker runs, or ran in one of the dumps, a lambda of a method that is on the stack
// of a worker that waits now. For an inner class no dump shows which method made it, nor for which executor.
func submitsToItself(p *pools.Pool) bool {
	tasks, asking := map[*stack.Stack]bool{}, map[*stack.Stack]bool{} // many workers have one stack
	for _, h := range p.Workers {
		for _, s := range h.Samples {
			tasks[s.Stack] = true
		}
	}
	for _, h := range p.Busy {
		if forTask(h.Last()) {
			asking[h.Last().Stack] = true
		}
	}
	for waits := range asking {
		for task := range tasks {
			if waits.DefinesTask(task) {
				return true
			}
		}
	}
	return false
}

// poolDeadlock is a warning if a wait has a time limit, or code other than a task may end it.
func poolDeadlock(f *timeline.Timeline, p *pools.Pool) finding.Candidate {
	var callers []*timeline.History
	for _, h := range f.Alive() {
		if !p.Has(h) && (pools.IsCaller(f, h) || h.Last().Stack.Op.Kind == stack.OpTermination && f.IsUnchanged(h)) {
			callers = append(callers, h)
		}
	}
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Critical, Confidence: finding.Likely,
		Title: title(p), Advice: advice,
		Culprits: f.Refs(pools.LastSamples(p.Busy)), Victims: f.Refs(pools.LastSamples(callers)),
		Evidence: workersEvidence(f, p.Busy),
	}}
	mayEnd := func(h *timeline.History) bool { return h.Last().Timed() || isSignal(h.Last()) }
	if slices.ContainsFunc(p.Busy, mayEnd) {
		c.Severity = finding.Warning
	}
	return c
}

func title(p *pools.Pool) string {
	if len(p.Busy) == 1 {
		return p.Busy[0].Thread.Called() + ", the only worker of its executor, waits for a task of the same executor"
	}
	return fmt.Sprintf("%s of %s wait for tasks of the same executor", finding.AllWords(len(p.Busy), "worker"),
		finding.ExecutorNamed(p.Pattern))
}

const advice = "Do not wait in a task for another task of the same executor: chain them, or give the inner tasks " +
	"their own executor."

// workersEvidence quotes what the first workers wait for, and where.
func workersEvidence(f *timeline.Timeline, workers []*timeline.History) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, h := range workers[:min(shown, len(workers))] {
		if l := h.Last().WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(h.LastAt(), l))
		}
		quotes = append(quotes, f.PlaceEvidence(h)...)
	}
	return quotes
}
