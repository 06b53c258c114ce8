package analysis

import (
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// detectMissedSignals reports threads that wait for what nobody in the dumps is on
// the way to give: a latch, barrier, phaser, exchanger, condition, notify, result,
// permit or unpark.
//
// Rule: the threads stood, over several dumps, in a wait without end or in one that
// they enter again and again; and no other thread of the program has work in which
// it could give the signal: all others wait for a signal, a lock or the end of a
// thread in turn, or have nothing to do. A program that waits for work looks the
// same, so that three of these facts must speak for a fault:
//   - what is waited for happens once or among equals (latch, barrier, exchanger,
//     result, permit; for several, what a method like awaitClosed wants), other than the
//     condition, notify or unpark of a worker; or tasks pile up at one object (see pileUp);
//   - the thread is in the middle of something: below the method that waits there is
//     another one than that which the thread was started with, or it is a task, or one of
//     several that wait for results which only a quiet connection to the JVM itself brings;
//   - others wait in turn for the thread's end or result, or two methods wait at one
//     object, each for the other's signal;
//   - nothing can come from outside either: no loop over connections or events (but those
//     of the JVM to itself at both ends of which threads read), no timer or scheduler, no
//     thread that pauses and has not come round in the look, other than for a barrier of
//     which a party is gone (see missed_party.go).
//
// Several in the middle of something leave a hint beside a scheduler that has nothing
// left to run; one that wants a partner in a program without any other thread is a
// fault. A timer or a pause that has not come round in the look may be what they wait
// for, and leaves a hint; a Timer does not excuse several that wait for results, nor
// one while others want an answer of this JVM, to which nothing comes from outside, nor
// several that may owe one such answer each, in a program without clocks (see owesAnswer); and none
// excuses parties of a barrier one of which is gone (see missed_party.go).
// Several beside timers alone that did come round, and gave none, leave a hint as
// well. Fewer of them give a hint or nothing, and so do several threads at one place
// that wait for a condition, notify or unpark, or one that waits at a collection:
// workers.
// A server without requests counts as outside, but silences nothing: a latch, and a
// condition outside of a run method, leave a hint at least. Several threads at one object,
// in a program without any other thread, are a fault (see deserted.go); so are several on
// either of two sides of it, beside timers too (see sidesFull). Whoever is joined by
// another in the middle of something is a fault beside it too; so is a latch without
// it once all executors are idle. A lone task that only main asks for may be the
// program, and leaves a hint; so may a wait of the only thread that is no daemon. The
// main thread in a latch, a join or a wait may be meant to stay there until shutdown:
// it is a culprit only two methods deep in work of its own, in a latch and its like,
// where nothing can come from outside; where there is no other thread at all, one method
// deep, and in main itself it leaves a hint.
//
// Who waits for a result is no culprit where the tasks of it are there, and stuck.
//
// From: latches short of a count, a barrier short of a thread, phaser and exchanger
// without partner, futures never completed or discarded, notify before wait, a
// signal taken by the wrong waiter; beside idle workers on wait and notify, shutdown
// latches, and barriers and exchangers in brisk use.
func detectMissedSignals(f *facts) []candidate {
	groups := joinParked(f.gather(f.signalKey))
	virtual := f.virtualSignals()
	found := f.buffersWithoutSignal()
	if len(groups)+len(virtual) == 0 {
		return slices.Concat(found, f.strandedMain(), f.quietPolls(found))
	}
	w := f.worldOf(slices.Concat(groups, virtual))
	found = append(found, w.missedByVirtual(virtual)...)
	groups = slices.DeleteFunc(groups, func(g gathering) bool { return f.isTold(found, g) })
	for _, c := range w.crowds(w.sides(groups)) {
		found = append(found, w.withSpent(c, c.finding(f)))
	}
	return append(found, f.quietPolls(found)...)
}

// signalKey groups by the object where several methods may wait at one, else by
// the method that waits: each future is an object of its own.
func (f *facts) signalKey(s *Sample) string {
	op := s.Stack.op
	if op.caller == nil || s.asksByLibrary() || outerLockOf(s) != "" || untilTheEnd(s.Stack) || resourceKey(s) != "" && op.kind != opPermit || f.fullKey(s) != "" || s.Thread.Name == "main" && !mainAtWork(s) {
		return ""
	}
	switch op.kind {
	case opResult, opPark, opLatch, opBarrier, opExchange:
		return op.caller.Name()
	case opCondition, opNotify, opPermit:
		return s.object()
	}
	return ""
}

// untilTheEnd reports that the method which waits, or its caller, is called after
// what it waits for: the end of the program.
func untilTheEnd(s *Stack) bool {
	own := s.program()
	return slices.ContainsFunc(own[:min(2, len(own))], func(f *threaddump.Frame) bool {
		method := strings.ToLower(f.Method)
		return slices.ContainsFunc(ends[:], func(word string) bool { return strings.Contains(method, word) })
	})
}

// ends are words in names of methods that keep a program alive until it is told to
// end.
var ends = [...]string{"shutdown", "terminat", "stop", "exit", "keepalive", "forever", "quit"}

// world is what the other threads of the program do, while some wait for a signal.
type world struct {
	*facts
	// acts tells that a thread has work in which it could give a signal.
	acts bool
	// outside tells that something may come from outside or in time, accepts that a
	// new connection may.
	outside, accepts bool
	// pending tells that a timer or a pause has not come round in the look: what it
	// will do is unknown. due tells that it is a scheduler's or a pause, of which more is
	// made than of a Timer.
	pending, due bool
	// clocked tells that a thread acts whenever its time has come, in the look or later; rounds
	// that one whose time has not come in the look has had others before.
	clocked, rounds bool
	// beats are the threads other than main that pause and came round in the look.
	beats []*history
	// awaited tells that a thread waits for the end or the result of others, joined
	// that one does in join, mainAsks that main
	// does for a result or in join, be it for its own end, othersAsk all else.
	awaited, joined, mainAsks, othersAsk bool
	// asking are the threads that wait for an answer of this very JVM, and so for one of the
	// others: so many.
	asking int
	// done tells that all executors have nothing left to do.
	done bool
	// wanting are the threads that want a signal.
	wanting []*Sample
	// empty tells that the program has no thread but the waiting ones and such as never woke, manned that it has
	// another than timers that came round in the look, and such as wait for the end of others or of the program,
	// onlyTimers that all others are such timers.
	empty, manned, onlyTimers bool
	// spent is a scheduler's only thread, which has nothing left to run in time: as after a
	// periodic task that threw. Nil if there is none.
	spent *history
	// quiet are the readers at both ends of the JVM's connections to itself, if all are read.
	quiet []*history
	// heldUp are the threads that tasks wait for, nil until asked for.
	heldUp map[*Thread]bool
}

func (f *facts) worldOf(groups []gathering) *world {
	f.executors() // each thread knows its pool
	w := &world{facts: f, empty: true, onlyTimers: true, quiet: f.quietReaders()}
	waiting := map[*history]bool{}
	for _, g := range groups {
		for _, s := range g.waiters {
			waiting[s.history] = true
			w.wanting = append(w.wanting, s.last())
		}
	}
	for _, h := range f.alive() {
		if h.thread.program() && (!waiting[h] || h.last().Stack.op.kind == opPark) && h.beats() {
			w.beats = append(w.beats, h)
		}
		if h.thread.Role == threaddump.Application && !waiting[h] && !h.asleepFromBirth() {
			w.see(h)
		}
	}
	w.seeVirtual(waiting)
	if !f.last().provesAll() {
		w.outside = true
	}
	w.done = f.allDone()
	return w
}

func (w *world) see(h *history) {
	s := h.last()
	op := s.Stack.op.kind
	w.empty = w.empty && len(s.Stack.Frames) == 0
	forTheEnd := op == opJoin || op == opTermination || op == opLatch && s.Thread.Name == "main"
	w.manned = w.manned || len(s.Stack.Frames) > 0 && !forTheEnd && !isTicking(h)
	forWork := h.idle() && (s.resting().what == "worker" && !isScheduling(s.Stack) || isServersTimer(h))
	w.clocked = w.clocked || s.timed() && !forWork
	w.onlyTimers = w.onlyTimers && (len(s.Stack.Frames) == 0 || isTicking(h))
	switch {
	case op == opResult && s.Thread.Name == "main":
		w.mainAsks = true
		w.awaited = w.awaited || !h.idle()
	case op == opJoin && s.Thread.Name == "main":
		w.mainAsks, w.joined, w.awaited = true, w.joined || !s.timed(), true
	case op == opJoin, op == opTermination, op == opResult && !h.idle():
		w.othersAsk = true
		w.joined = w.joined || op == opJoin && !s.timed()
		w.awaited = true
	case s.Thread.Virtual || len(s.Stack.Frames) == 0:
		// a carrier, or one that the JVM keeps until the end
	case s.wait.forLock() && !s.timed():
		// it depends on the owner, who is looked at by itself
	case w.atWork(h):
		w.acts = true
	case slices.Contains(w.quiet, h):
		// what it waits for only the other end sends, which waits for the same
	case h.idle():
		if h.isSpent() {
			w.spent = h
		}
		serves := s.resting().what == "acceptor" || h.onlyServes()
		w.accepts = w.accepts || serves
		w.outside = w.outside || !serves && comesBack(h)
		if isPending(h) && !isServersTimer(h) {
			w.isToCome(s, s.resting().what != "timer")
		}
	case w.standsAsking(h):
		w.asking++
	case s.Stack.runsAwaited() && !s.Stack.isInside(juc+"FutureTask", "runAndReset") && h.cameRound():
		w.acts = true // a task that gets on, and whose end may be what is waited for
	case s.Stack.pauses(), pausesInMain(s.Stack):
		if !pausesInMain(s.Stack) && !h.cameRound() {
			w.isToCome(s, true)
		}
	case s.State == threaddump.Waiting && s.Stack.op.kind != opProcess:
		// it waits for a signal itself
	default:
		w.acts = true
	}
}

// beats tells a thread that pauses and came round in the look, other than main and idle workers.
func (h *history) beats() bool {
	forWork := h.idle() && h.last().resting().what == "worker" && !isScheduling(h.last().Stack)
	return isTicking(h) || h.last().timed() && !forWork && h.thread.Name != "main" && h.cameRound()
}

// isToCome notes a thread whose time has not come in the look, be it due or a Timer's.
func (w *world) isToCome(s *Sample, due bool) {
	w.pending, w.due = true, w.due || due
	w.rounds = w.rounds || due && !s.hasOnlySlept()
}

// isSpent tells a scheduler's only thread, once executors are known, that has nothing left
// to run in time.
func (h *history) isSpent() bool {
	s := h.last()
	return isScheduling(s.Stack) && !s.timed() && s.Stack.op.kind == opTake && h.pool != nil && len(h.pool.workers) == 1
}

// comesBack tells idle threads to which something comes from outside. A worker of a
// pool has nothing unless somebody gives it something.
func comesBack(h *history) bool {
	s := h.last()
	switch what := s.resting().what; what {
	case "housekeeper", "reaper":
		return slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return originOf(f) != ofJDK })
	case "worker", "cleaner", "consumer", "acceptor", "timer", "scheduler":
		return false
	case "main":
		return s.Stack.op.kind == opRead || s.Stack.op.kind == opProcess
	}
	return true
}

// isPending tells idle threads that will act in time, but have not in the look.
func isPending(h *history) bool {
	s := h.last()
	switch what := s.resting().what; {
	case !s.timed() || h.cameRound() || h.asleepFromBirth():
		return false
	case what == "scheduler" && s.Stack.op.kind == opSleep && pausesInMain(s.Stack), what == "main":
		return false
	case what == "timer", what == "scheduler":
		return true
	}
	return isScheduling(s.Stack)
}

// asleepFromBirth tells who went to sleep when it was started, and stayed so over the look.
func (h *history) asleepFromBirth() bool {
	s := h.last()
	return s.sleepsSinceStart() && !h.cameRound() && h.hasOneStack()
}

// sleepsSinceStart tells a daemon of the program's own, or a Timer's, that went to sleep
// when it was started, some time ago, and has hardly done anything since: as who ends the
// program after a while does. In its first rounds a loop with long pauses looks the same;
// but it serves nobody soon.
func (s *Sample) sleepsSinceStart() bool {
	const sinceLong = 5 * time.Second
	timer := s.timed() && s.resting() != nil && s.resting().what == "timer"
	age := s.Elapsed()
	return (s.Stack.pauses() || timer) && age.Known && age.Value >= sinceLong && s.hasOnlySlept()
}

// hasOnlySlept tells a daemon that has used next to no CPU since it was started.
func (s *Sample) hasOnlySlept() bool {
	const toStart = time.Millisecond
	cpu := s.CPU()
	return s.Thread.Daemon && cpu.Known && cpu.Value <= toStart
}

// isServersTimer tells the timers that the JDK's server of HTTP closes idle
// connections with, by the names that it gives them.
func isServersTimer(h *history) bool {
	name := h.thread.Name
	return h.last().resting().what == "timer" && h.thread.Daemon &&
		(strings.HasPrefix(name, "server-timer") || name == "idle-timeout-task" || name == "req-rsp-timeout-task")
}

// allDone reports executors, other than for delayed tasks, that all are idle.
func (f *facts) allDone() bool {
	pools := f.executors()
	return len(pools) > 0 && !slices.ContainsFunc(pools, func(p *pool) bool { return len(p.busy) > 0 || p.scheduler })
}

// cameRound reports that a thread which pauses woke up within the look, and so has
// had its chance to give a signal.
func (h *history) cameRound() bool { return h.cpu.Known && h.cpu.Value > wakeCost }

func (f *facts) missedSignal(g gathering, severity Severity) candidate {
	waiters := g.samples()
	op := waiters[0].Stack.op
	finding := Finding{
		Severity: severity, Confidence: Likely,
		Title:    f.signalTitle(g),
		Advice:   signalAdvice(waiters[0]),
		Culprits: f.refs(waiters), Victims: f.refs(f.joiners()),
		Resource: atResource(op.kind.awaited(), waiters[0]),
		Evidence: f.waitEvidence(len(f.snaps)-1, waiters),
	}
	if severity == Info {
		finding.Confidence = Possible
	}
	f.tellReplaced(&finding)
	f.tellGone(&finding, g)
	if tasks := f.stuckTasks(g); len(tasks) > 0 {
		f.blameTasks(&finding, tasks, waiters)
		if finding.Severity == Info && f.neverGotOn(tasks) && waiters[0].Thread.Name != "main" {
			finding.Severity, finding.Confidence = Warning, Likely // as of the tasks of an executor
		}
	}
	return candidate{Finding: finding}
}

// joiners are the threads that wait for the end of others.
func (f *facts) joiners() []*Sample {
	var found []*Sample
	for _, h := range f.alive() {
		if s := h.last(); s.Thread.Role == threaddump.Application && s.Stack.op.kind == opJoin && !s.timed() && !f.joinsNobody(h) {
			found = append(found, s)
		}
	}
	return found
}

func shortClass(f *threaddump.Frame) string {
	return f.Class[strings.LastIndexByte(f.Class, '.')+1:]
}

// isTold reports that the first of some waiters is a culprit of what was found.
func (f *facts) isTold(found []candidate, g gathering) bool {
	id := threadIDOf(f.refs(g.samples()[:1])[0])
	return slices.ContainsFunc(found, func(c candidate) bool {
		return slices.ContainsFunc(c.Culprits, func(r ThreadRef) bool { return threadIDOf(r) == id })
	})
}
