package analysis

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
// and the task is the application's own.
// Fork-join pools make spare workers for those that join a task, so that only
// other waits stop them. A latch may be opened by what comes from outside, where
// something does: a warning. A delayed task is waited for in vain only where no other
// scheduler may hold it. The executor of a client, whose workers wait in its callbacks for
// further answers, waits for itself whatever else there is; so does a server whose workers
// ask it (see poolsThatAskThemselves). Others that are stuck in their classes are told with them.
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
	found := append(f.askInCallbacks(), f.poolsThatAskThemselves()...)
	if len(stuck) == 0 || f.othersRunTasks(stuck) {
		return found
	}
	closed := slices.DeleteFunc(slices.Clone(stuck), func(p *pool) bool { return !f.onlyTasksBring(p, stuck) }) // which asks for all of them
	for _, group := range f.crosswise(closed) {
		found = append(found, f.poolDeadlock(withKin(group, stuck)))
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

// onlyTasksBring reports that nobody but an executor brings what the workers of p
// wait for.
func (f *facts) onlyTasksBring(p *pool, stuck []*pool) bool {
	free := sync.OnceValue(func() bool { return f.someFree(stuck) })
	events := sync.OnceValue(func() bool { return f.hasEvents(p) })
	completes := sync.OnceValue(func() bool {
		return f.someCompletes(stuck, p) || f.someComesRound() || slices.ContainsFunc(f.alive(), (*history).isSpent)
	})
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		switch {
		case s.wait.forLock():
			return false
		case isSignal(s.Stack.op.kind) && len(p.workers) < 2:
			return true // its program may be to wait for its end
		case s.Stack.op.kind != opResult:
			return s.Stack.serves() || free()
		case s.Stack.waitsForFutureTask():
			return f.delayedElsewhere(s, p)
		case p.kind == rootForkJoin:
			return true
		}
		return events() || !p.stages && (s.Stack.serves() || completes())
	})
}

// delayedElsewhere reports that a thread waits for a delayed task while another
// scheduler may hold it until its time comes.
func (f *facts) delayedElsewhere(s *Sample, p *pool) bool {
	l := s.waitsOn()
	if l == nil || !strings.HasPrefix(l.class, juc+"ScheduledThreadPoolExecutor$") {
		return l != nil && strings.HasPrefix(l.class, juc+"ThreadPerTaskExecutor")
	}
	return slices.ContainsFunc(f.executors(), func(other *pool) bool { return other != p && other.scheduler })
}

// hasEvents reports a thread that answers from outside come in at, and completes
// whatever waits for them. Where all workers of p run stages, an idle server is none.
func (f *facts) hasEvents(p *pool) bool {
	stages := !slices.ContainsFunc(p.busy, func(h *history) bool { return !h.last().Stack.runsStage() })
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last().Stack
		events := s.op.kind == opSelect || s.root != nil && s.root.kind == rootEvents || h.hearsFromOutside()
		return events && !(stages && h.onlyServes())
	})
}

// hearsFromOutside tells idle threads that will be told something, or that will act in
// time: the readers of clients of brokers and of other servers, schedulers with a task.
func (h *history) hearsFromOutside() bool {
	if !h.idle() {
		return false
	}
	switch h.last().resting().what {
	case "reader", "poller", "watcher":
		return true
	}
	return isPending(h)
}

// someComesRound reports a scheduler that has run something in the look: it may complete
// what it has not yet.
func (f *facts) someComesRound() bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		return h.thread.Role == threaddump.Application && h.idle() && isScheduling(h.last().Stack) && h.cameRound()
	})
}

func (s *Stack) runsStage() bool { return s.isInside(juc+"CompletableFuture$Async", "run") }

// onlyServes tells the loops of servers, to which requests come and no answers, that
// had none in any dump.
func (h *history) onlyServes() bool {
	idle := !slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.resting() == nil })
	return idle && h.idle() && slices.ContainsFunc(serverLoops[:], func(class string) bool {
		return h.last().Stack.isInside(class, "run")
	})
}

// serverLoops are the threads of servers that take connections and requests.
var serverLoops = [...]string{
	"sun.net.httpserver.ServerImpl$Dispatcher", "sun.rmi.transport.tcp.TCPTransport$AcceptLoop",
	"org.apache.tomcat.util.net.NioEndpoint$Poller", "org.apache.tomcat.util.net.Acceptor",
}

// someFree reports that a thread of the program outside of the stuck executors
// has something to do that none of them decides.
func (f *facts) someFree(stuck []*pool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool { return f.isFree(h, stuck) })
}

func (f *facts) isFree(h *history, stuck []*pool) bool {
	s := h.last()
	switch {
	case h.thread.Role != threaddump.Application, h.surelyIdle(), h.pool != nil && slices.Contains(stuck, h.pool):
		return false
	}
	switch kind := s.Stack.op.kind; {
	case kind == opResult, kind == opJoin, kind == opTermination, isSignal(kind) && !s.timed():
		return !f.standsStill(h)
	}
	return true
}

// someCompletes is someFree for a future: one that the whole look shows in a pause of the
// main method, in front of a lock or a permit, or writing, has something else to do first.
// Where several workers want a result, a thread with pauses is more likely who hands in what
// they do (see someFeeds).
func (f *facts) someCompletes(stuck []*pool, p *pool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		kind := s.Stack.op.kind
		occupied := kind == opPermit && !s.timed() || kind == opWrite || s.wait.forLock() || pausesInMain(s.Stack)
		return f.isFree(h, stuck) && !(occupied && f.standsStill(h)) && !(len(p.busy) > 1 && s.Stack.pauses())
	})
}

// someFeeds reports a thread that pauses between what it does, and may be who hands tasks in, or
// who completes what they wait for.
func (f *facts) someFeeds(stuck []*pool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		return f.isFree(h, stuck) && h.last().Stack.pauses() && !pausesInMain(h.last().Stack)
	})
}

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

// crosswise puts executors that may wait for each other together: where several
// are stuck, none can be told from the rest.
func (f *facts) crosswise(stuck []*pool) [][]*pool {
	var groups [][]*pool
	for _, p := range stuck {
		at := slices.IndexFunc(groups, func(g []*pool) bool { return kinship(p.busy[0], g[0]) > 0 })
		if at < 0 {
			groups = append(groups, []*pool{p})
		} else {
			groups[at] = append(groups[at], p)
		}
	}
	return groups
}

func (f *facts) poolDeadlock(group []*pool) candidate {
	var workers, callers []*history
	for _, p := range group {
		workers = append(workers, p.busy...)
	}
	for _, h := range f.alive() {
		if !slices.Contains(group, h.pool) && (f.isCaller(h) || h.last().Stack.op.kind == opTermination && f.standsStill(h)) {
			callers = append(callers, h)
		}
	}
	unsure := slices.ContainsFunc(workers, anybodyCompletes) && f.someFeeds(group)
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
		slices.ContainsFunc(group, func(p *pool) bool { return slices.ContainsFunc(p.busy, atLatch) && f.hasEvents(p) }):
		c.Severity = Warning
	}
	return c
}

// isSignal tells what not only a task can bring.
func isSignal(kind opKind) bool { return kind == opLatch || kind == opBarrier }

// anybodyCompletes tells a worker that waits for a future which need not be that of a task.
func anybodyCompletes(h *history) bool {
	s := h.last().Stack
	return s.op.kind == opResult && !s.waitsForFutureTask() && h.pool.kind != rootForkJoin && !h.pool.stages
}

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
