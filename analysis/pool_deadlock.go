package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// detectPoolDeadlocks reports executors that wait for themselves.
//
// Rule: every worker of an executor stands still, over the look, for something that
// a task of an executor brings: the result of a task, or a latch or barrier that
// other tasks should open. No executor is left that could bring it: all others are
// idle, and would have done it, or wait in the same way. Executors that wait for
// one another are one finding.
//
// What is waited for must be made by executors alone. A FutureTask is; a CompletableFuture
// is not where the program has a thread for events, which may complete it (an idle server's
// does not), or a scheduler that has nothing left to run, whose task may have been to
// complete it before it threw; and is where the workers themselves run stages of such. All
// else, as a latch or barrier, only if no other thread of the program is free to bring it,
// and the task is the application's own. A thread that only pauses is not where several workers
// wait: it is taken for who hands in what they do, and they are told with a warning.
// Fork-join pools make spare workers for those that join a task, so that only
// other waits stop them. A latch may be opened by what comes from outside, where
// something does: a warning. A delayed task is waited for in vain only where no other
// scheduler may hold it. The executor of a client, whose workers wait in its callbacks for
// further answers, waits for itself whatever else there is; so does a server whose workers
// ask it (see poolsThatAskThemselves). Others that are stuck in their classes are told with them.
// Threads of the program's own that run its own jobs are no executor: see homemade_pool.go.
//
// From: fixed pools, a scheduler and two pools crosswise in Future.get, invokeAll,
// join and a completion service; a fork-join pool in a latch; a client of HTTP that is
// called from its body handler.
func detectPoolDeadlocks(f *facts) []candidate {
	var stuck []*pool
	for _, p := range f.executors() {
		if f.waitsForTasks(p) {
			stuck = append(stuck, p)
		}
	}
	found := slices.Concat(f.askInCallbacks(), f.poolsThatAskThemselves())
	if len(stuck) == 0 {
		return found
	}
	beside, others := f.outsidersOf(stuck), f.othersRunTasks(stuck)
	closed := slices.DeleteFunc(slices.Clone(stuck), func(p *pool) bool {
		return others || !beside.onlyTasksBring(p)
	})
	for _, group := range f.crosswise(closed) {
		found = append(found, f.poolDeadlock(withKin(group, stuck), beside))
	}
	return found
}

// waitsForTasks reports that every worker stands in a wait that other tasks may
// end.
func (f *facts) waitsForTasks(p *pool) bool {
	if !f.noneIdle(p) {
		return false
	}
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		return len(f.snaps) > 1 && !f.neverWoke(h) || !forTask(h.last()) && !f.behindOne(h, p)
	})
}

// behindOne reports that a worker waits for a lock which another worker keeps that
// waits for a task.
func (f *facts) behindOne(h *history, p *pool) bool {
	if !h.last().wait.forLock() {
		return false
	}
	owner := f.ownerOf(h.last())
	return owner != nil && forTask(owner) && f.history(owner).pool == p
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

// othersRunTasks reports that an executor outside of the stuck ones has work, or
// a thread of its own a task: what is waited for may come from there.
func (f *facts) othersRunTasks(stuck []*pool) bool {
	for _, p := range f.executors() {
		if len(p.busy) > 0 && !slices.Contains(stuck, p) && !p.serving() {
			return true
		}
	}
	for _, h := range f.alive() {
		root := h.last().Stack.root
		if root != nil && (root.kind == rootPool || root.kind == rootForkJoin) {
			continue
		}
		if h.last().carrier != 0 || h.thread.Virtual || runsTask(h.last().Stack) {
			return true
		}
	}
	return false
}

// serving tells pools whose busy workers only accept, select or read on for a
// library: no application code is on their stacks.
func (p *pool) serving() bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().Stack.Application != nil })
}

func runsTask(s *Stack) bool { return s.isInside(juc+"FutureTask", "run") }

// withKin adds to executors that wait for themselves those that are stuck too, and whose
// workers all wait for results in their classes: these may bring what they wait for.
func withKin(group, stuck []*pool) []*pool {
	all := slices.Clone(group)
	for _, p := range stuck {
		asks := !slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().Stack.op.kind != opResult })
		if asks && !slices.Contains(all, p) && slices.ContainsFunc(group, func(c *pool) bool { return kinship(p.busy[0], c) > 0 }) {
			all = append(all, p)
		}
	}
	return all
}

// mostKinless is how many executors that have nothing in common are told one by one, each with
// all who wait. More are one finding.
const mostKinless = 32

// crosswise puts executors that may wait for each other together: where several
// are stuck, none can be told from the rest.
func (f *facts) crosswise(stuck []*pool) [][]*pool {
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

func (f *facts) poolDeadlock(group []*pool, beside *outsiders) candidate {
	var workers, callers []*history
	for _, p := range group {
		workers = append(workers, p.busy...)
	}
	for _, h := range f.alive() {
		if !slices.Contains(group, h.pool) && (f.isCaller(h) || h.last().Stack.op.kind == opTermination && f.standsStill(h)) {
			callers = append(callers, h)
		}
	}
	unsure := beside.mayComplete(workers)
	c := candidate{Finding: Finding{
		Severity: Critical, Confidence: Likely,
		Title:    poolDeadlockTitle(group, len(workers), unsure),
		Advice:   poolDeadlockAdvice(workers),
		Culprits: f.refs(lastSamples(workers)), Victims: f.refs(lastSamples(callers)),
		Evidence: f.poolDeadlockEvidence(workers),
	}}
	if unsure {
		c.Severity = Warning
	}
	atLatch := func(h *history) bool { return h.last().Stack.op.kind == opLatch }
	switch {
	case !f.lasts():
		c.Severity, c.Confidence = Info, Possible
	case slices.ContainsFunc(workers, func(h *history) bool { return h.last().timed() }),
		slices.ContainsFunc(group, func(p *pool) bool { return slices.ContainsFunc(p.busy, atLatch) && beside.haveEvents(p) }):
		c.Severity = Warning
	}
	return c
}

// isSignal tells what not only a task can bring.
func isSignal(kind opKind) bool { return kind == opLatch || kind == opBarrier }

func poolDeadlockTitle(group []*pool, workers int, unsure bool) string {
	thing, done := "task", "run"
	switch s := group[0].busy[0].last().Stack; {
	case s.op.kind == opBarrier:
		return fmt.Sprintf("%s of %s wait at a %s for tasks that only they can run", allOf(workers, "worker"), poolsOf(group), barrierOf(s.op))
	case s.op.kind == opResult && !s.waitsForFutureTask():
		thing, done = "future", "complete" // whose task, if there is one, no dump tells
	}
	if group[0].busy[0].last().Stack.op.kind == opLatch && workers > 1 {
		return fmt.Sprintf("%s of %s wait at latches that only they seem able to open", allOf(workers, "worker"), poolsOf(group))
	}
	if workers == 1 {
		return fmt.Sprintf("the only worker of its executor, %s, waits for a %s that only it can %s", group[0].busy[0].thread.called(), thing, done)
	}
	able := "can"
	if unsure {
		able = "seem able to"
	}
	title := fmt.Sprintf("%s of %s wait for %ss that only they %s %s", allOf(workers, "worker"), poolsOf(group), thing, able, done)
	if shareTasks(group[0].busy) {
		title += ", or that nobody was given to " + done
	}
	return title
}

// poolsOf names an executor, or counts several.
func poolsOf(group []*pool) string {
	if len(group) > 1 {
		return Counted(len(group), "executor")
	}
	return executorNamed(group[0].pattern)
}

func poolDeadlockAdvice(workers []*history) string {
	const inside = "Do not wait inside an executor for what its own tasks bring: "
	switch workers[0].last().Stack.op.kind {
	case opBarrier:
		return "All who meet at a barrier must run at once: give the executor as many workers as the barrier has parties."
	case opLatch:
		return inside + "give the executor more workers than tasks that wait, or the inner tasks an executor of their own."
	}
	advice := inside + "chain them, or give the inner tasks an executor of their own."
	if shareTasks(workers) {
		advice += " Several wait for one task here, as of a cache: if it was never handed to an executor, who made it failed before running it."
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
func (f *facts) poolDeadlockEvidence(workers []*history) []Evidence {
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
