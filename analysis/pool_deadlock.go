package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// detectPoolDeadlocks reports executors that wait for their own tasks.
//
// Rule: no worker of the executor is idle, and every one waits for what a task brings: a result,
// or a latch or barrier. In several dumps all of them stand still. That the task belongs to this
// executor is told by a worker that runs a task made by a method which stands on a waiting stack, so
// that this method submits to this executor (see submitsToItself). Without it the executor is at a
// standstill (see executor_standstill.go): what lies in its queue no dump tells.
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
func detectPoolDeadlocks(f *facts) []candidate {
	var stuck []*pool
	for _, p := range f.executors() {
		if f.waitsForTasks(p) {
			stuck = append(stuck, p)
		}
	}
	found := slices.Concat(f.askInCallbacks(), f.poolsThatAskThemselves())
	for _, group := range crosswise(f.waitForThemselves(stuck)) {
		found = append(found, f.poolDeadlock(group))
	}
	return found
}

// waitsForTasks reports that every worker stands in a wait that other tasks may end.
func (f *lockFacts) waitsForTasks(p *pool) bool {
	if !f.noneIdle(p) || p.mixed {
		return false
	}
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		if p.kind == rootForkJoin && h.last().Stack.op.kind == opResult {
			return true
		}
		return len(f.snaps) > 1 && !f.neverWoke(h) || !forTask(h.last()) && !f.behindOne(h, p)
	})
}

// behindOne reports that a worker waits for a lock which another worker keeps that
// waits for a task.
func (f *lockFacts) behindOne(h *history, p *pool) bool {
	if !h.last().wait.forLock() {
		return false
	}
	owner := f.ownerOf(h.last())
	return owner != nil && forTask(owner) && p.has(f.history(owner))
}

func forTask(s *Sample) bool {
	if s.State != threaddump.Waiting && s.State != threaddump.TimedWaiting {
		return false
	}
	switch s.Stack.op.kind {
	case opResult, opLatch, opBarrier:
		return s.Stack.op.caller != nil
	}
	return false
}

// mostKinless is how many executors that have nothing in common are told one by one, each with
// all who wait. More are one finding.
const mostKinless = 32

// crosswise puts executors that may wait for each other together: where several
// are stuck, none can be told from the rest.
func crosswise(stuck []*pool) [][]*pool {
	var groups [][]*pool
	for _, p := range stuck {
		at := slices.IndexFunc(groups, func(g []*pool) bool { return kinship(p.busy[0], g[0]) > 0 })
		if at < 0 && len(groups) == mostKinless {
			return [][]*pool{stuck}
		}
		if at < 0 {
			groups = append(groups, []*pool{p})
		} else {
			groups[at] = append(groups[at], p)
		}
	}
	return groups
}

// poolDeadlock words the finding. A wait with a time limit, or one that other code than a task may
// end, makes it a warning.
func (f *timeline) poolDeadlock(group []*pool) candidate {
	var workers, callers []*history
	for _, p := range group {
		workers = append(workers, p.busy...)
	}
	for _, h := range f.alive() {
		if !slices.ContainsFunc(group, func(p *pool) bool { return p.has(h) }) && (f.isCaller(h) || h.last().Stack.op.kind == opTermination && f.standsStill(h)) {
			callers = append(callers, h)
		}
	}
	c := candidate{Finding: Finding{
		Severity: Critical, Confidence: Likely,
		Title:    poolDeadlockTitle(group, len(workers)),
		Advice:   poolDeadlockAdvice(workers),
		Culprits: f.refs(lastSamples(workers)), Victims: f.refs(lastSamples(callers)),
		Evidence: f.poolDeadlockEvidence(workers),
	}}
	mayEnd := func(h *history) bool { return h.last().timed() || isSignal(h.last().Stack.op.kind) }
	if slices.ContainsFunc(workers, mayEnd) {
		c.Severity = Warning
	}
	return c
}

// isSignal tells the waits that other code than a task may end.
func isSignal(kind opKind) bool { return kind == opLatch || kind == opBarrier }

func poolDeadlockTitle(group []*pool, workers int) string {
	first := group[0].busy[0]
	where := ""
	switch op := first.last().Stack.op; op.kind {
	case opBarrier:
		where = " at a " + barrierOf(op)
	case opLatch:
		where = " at a latch"
	}
	if workers == 1 {
		return fmt.Sprintf("%s, the only worker of its executor, waits%s for a task of the same executor", first.thread.called(), where)
	}
	same := "the same executor"
	if len(group) > 1 {
		same = "the same executors"
	}
	return fmt.Sprintf("%s of %s wait%s for tasks of %s", allOf(workers, "worker"), poolsOf(group), where, same)
}

// poolsOf names an executor, or counts several.
func poolsOf(group []*pool) string {
	if len(group) > 1 {
		return Counted(len(group), "executor")
	}
	return executorNamed(group[0].pattern)
}

func poolDeadlockAdvice(workers []*history) string {
	const inside = "Do not wait in a task for another task of the same executor: "
	switch workers[0].last().Stack.op.kind {
	case opBarrier:
		return "Give the executor as many workers as the barrier has parties: all parties must run at the same time."
	case opLatch:
		return inside + "give the inner tasks their own executor, or set more workers than tasks that wait."
	}
	advice := inside + "chain them, or give the inner tasks their own executor."
	if shareTasks(workers) {
		advice += " Several wait for one task: check that it was submitted."
	}
	return advice
}

// shareTasks reports that several wait for one and the same task, which may be in no queue.
func shareTasks(workers []*history) bool {
	awaited := map[uint64]bool{}
	for _, h := range workers {
		l := h.last().waitsOn()
		if l == nil || l.address == 0 || !h.last().Stack.waitsForFutureTask() {
			return false
		}
		if awaited[l.address] {
			return true
		}
		awaited[l.address] = true
	}
	return false
}

// poolDeadlockEvidence quotes what the first workers wait for and where.
func (f *timeline) poolDeadlockEvidence(workers []*history) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, h := range workers[:min(shown, len(workers))] {
		if l := h.last().waitsOn(); l != nil {
			quotes = append(quotes, f.quoteLock(h.lastAt(), l))
		}
		quotes = append(quotes, f.placeEvidence(h)...)
	}
	return quotes
}
