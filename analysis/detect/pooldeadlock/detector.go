// Package pooldeadlock finds executors that wait for themselves.
package pooldeadlock

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports executors whose workers all wait for results of tasks that only these executors can run.
var Detector = detect.Detector{
	Kind:    finding.KindPoolDeadlock,
	Doc:     "executors whose workers all wait for results of tasks that only these executors can run",
	Virtual: true,
	Run:     run,
}

// stuckExecutors are executors, as read from memory, whose workers all wait for their own tasks.
type stuckExecutors map[*objects.Executor]bool

// run reports executors that wait for tasks in their own queues, as read from the JVM's memory.
//
// Rule: an executor has all the workers that it may have. Each of them waits for a future that is not done and is in
// the queue of this executor or run by one of its workers, or for a future of another executor of which the same is
// true. The futures were read after the waits, so all workers waited at the same time, and no other thread takes from
// these queues. A CompletableFuture may be completed by any code: that makes it likely. A wait with a time limit makes
// it a warning.
func run(f *facts.Facts) []finding.Candidate {
	stuck := stuckExecutors{}
	for _, e := range f.Objects.Executors() {
		if !e.MayGrow() && e.Complete() {
			stuck[e] = true
		}
	}
	for before := -1; before != len(stuck); {
		before = len(stuck)
		for e := range stuck {
			if slices.ContainsFunc(e.Threads, func(h *timeline.History) bool { return !stuck[sourceOf(f, h)] }) {
				delete(stuck, e)
			}
		}
	}
	var found []finding.Candidate
	for len(stuck) > 0 {
		found = append(found, ownQueueDeadlock(f, stuck.group(f)))
	}
	return found
}

// sourceOf is the executor that must run a task before a thread can go on, nil if none is known.
func sourceOf(f *facts.Facts, h *timeline.History) *objects.Executor {
	future := f.Objects.FutureOf(h)
	if future == nil || future.Done() || h.Last().Stack.Op.Kind != stack.OpResult {
		return nil
	}
	return f.Objects.Source(f.Timeline, future)
}

// group removes from the set one executor and those that it waits for, and returns them in the order of their workers'
// names.
func (stuck stuckExecutors) group(f *facts.Facts) []*objects.Executor {
	var group []*objects.Executor
	edges := map[*objects.Executor][]*objects.Executor{}
	var first *objects.Executor
	for e := range stuck {
		if first == nil || name(e) < name(first) {
			first = e
		}
		for _, h := range e.Threads {
			to := sourceOf(f, h)
			edges[e], edges[to] = append(edges[e], to), append(edges[to], e)
		}
	}
	for next := []*objects.Executor{first}; len(next) > 0; next = next[1:] {
		if e := next[0]; stuck[e] {
			delete(stuck, e)
			group = append(group, e)
			next = append(next, edges[e]...)
		}
	}
	slices.SortFunc(group, func(a, b *objects.Executor) int {
		return cmp.Or(cmp.Compare(name(a), name(b)), cmp.Compare(a.WorkerIDs[0], b.WorkerIDs[0]))
	})
	return group
}

// name is the name of the executor's workers with # for their number.
func name(e *objects.Executor) string {
	if len(e.Threads) == 1 {
		return e.Threads[0].Thread.Name
	}
	return pools.NamePattern(e.Threads[0].Thread.Name)
}

func ownQueueDeadlock(f *facts.Facts, group []*objects.Executor) finding.Candidate {
	var workers, callers []*timeline.History
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Critical, Confidence: finding.Proven, Title: ownQueueTitle(group),
	}}
	for _, e := range group {
		workers = append(workers, e.Threads...)
	}
	for _, h := range workers {
		if f.Objects.FutureOf(h).Kind == object.Completable {
			c.Confidence = finding.Likely
		}
		if h.Last().Timed() {
			c.Severity = finding.Warning
		}
	}
	for _, h := range f.Timeline.Alive() {
		if e := sourceOf(f, h); e != nil && slices.Contains(group, e) && !slices.Contains(workers, h) {
			callers = append(callers, h)
		}
	}
	c.Advice = advice
	c.Culprits, c.Victims = f.Timeline.Refs(pools.LastSamples(workers)), f.Timeline.Refs(pools.LastSamples(callers))
	c.Evidence = workersEvidence(f.Timeline, workers)
	for _, e := range group[:min(len(group), mostListed)] {
		c.Evidence = append(c.Evidence, finding.Figure(e.Words(name(e))))
	}
	return c
}

// mostListed is how many executors one finding lists.
const mostListed = 3

func ownQueueTitle(group []*objects.Executor) string {
	workers, queued := 0, 0
	for _, e := range group {
		workers += e.Workers
		if e.Queue != nil {
			queued += e.Queue.Size
		}
	}
	tasks := finding.Counted(queued, "task")
	switch {
	case len(group) > 1:
		return fmt.Sprintf("all %d workers of %d executors wait for tasks in the queues of these executors (%s)",
			workers, len(group), tasks)
	case workers == 1:
		return fmt.Sprintf("%s, the only worker of its executor, waits for a task in the queue of this executor (%s)",
			group[0].Threads[0].Thread.Called(), tasks)
	}
	return fmt.Sprintf("all %d workers of %s wait for tasks in the queue of this executor (%s)", workers,
		finding.ExecutorNamed(name(group[0])), tasks)
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
