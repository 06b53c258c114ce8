package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// detectBlockedSingles reports threads that stand still though others depend on
// them and on nobody else: loops over events, timers, schedulers of one worker,
// the JVM's finalizer, cleaner and reference handler, and shutdown hooks.
//
// Rule: the loop under the thread's stack tells what it is for, or another thread
// does that waits at a selector in the same loop of the application's code, on another
// line. Above it there is code of the application in which it stood through the capture,
// without CPU.
//
// The finalizer and event loops must never stand: a warning. A timer's thread and the
// one worker of a scheduler may have but one job, which takes its time: a warning
// where it waits for a lock or to read from a child process that waits for input in
// turn, where others of its class wait for a latch or a result meanwhile, or where it
// was not woken even once in a task that is to run again and again, other than in a
// read with a time limit, which ends by itself; else a hint. One dump alone gives a
// hint, but a warning where a loop over connections or window events stands in a wait
// that has no time limit (see loopStands).
//
// A thread in a listener that waits in a receive of the same library delivers no other message.
//
// Others depend as well on one that a library's cache has load what others wait for there, and one that waits
// in a callback of a future which it has completed for others (see completers.go).
//
// A thread in the JVM's shutdown waits for the hooks, which are the youngest
// threads; one that does not get on is to blame.
//
// From: Timer and Finalizer in socket reads and behind monitors, selector loops and
// Netty's, the JDK's HTTP server and a scheduler in handlers that sleep or wait for
// a child, shutdown hooks that wait for a pool.
func detectBlockedSingles(f *facts) []candidate {
	var found []candidate
	for _, group := range f.blockedLoops() {
		found = append(found, f.blockedLoop(group))
	}
	return append(found, f.blockedShutdown()...)
}

// loop is a thread that others depend on.
type loop struct {
	*history
	kind   rootKind
	serves string
	// only tells a thread that serves nobody by itself, but loads what others wait for.
	only bool
	// waiting are those that others than the stacks tell to depend on it.
	waiting []*Sample
}

// blockedLoops are the loops that stand in the application's code, those of one
// kind with the same stack together.
func (f *loopFacts) blockedLoops() [][]loop {
	var groups [][]loop
	for _, l := range f.loops() {
		s := l.last()
		if s.Stack.Application == nil || s.resting() != nil || s.wait == running && len(f.snaps) < 2 {
			continue
		}
		if len(f.snaps) > 1 && !f.standsStill(l.history) {
			continue
		}
		at := slices.IndexFunc(groups, func(g []loop) bool {
			return g[0].last().Stack == s.Stack && g[0].serves == l.serves
		})
		if at < 0 {
			groups = append(groups, []loop{l})
		} else {
			groups[at] = append(groups[at], l)
		}
	}
	return groups
}

// loops are all threads that do alone what others need, looked for once.
func (f *loopFacts) loops() []loop {
	if f.loopsFound == nil {
		found := f.findLoops()
		f.loopsFound = &found
	}
	return *f.loopsFound
}

func (f *ioFacts) findLoops() []loop {
	var found []loop
	selecting := f.selecting()
	for _, h := range f.alive() {
		s := h.last()
		if s.carrier != 0 || !h.thread.program() {
			continue
		}
		switch r := s.Stack.root; {
		case r != nil && r.kind > rootForkJoin:
			found = append(found, loop{history: h, kind: r.kind, serves: r.serves})
		case r == nil && (s.Stack.selectsBelow() || selecting.have(s.Stack)):
			found = append(found, loop{history: h, kind: rootEvents, serves: "serves its connections"})
		}
	}
	for _, p := range f.executors() {
		if p.scheduler && len(p.workers) == 1 && !f.oneMoment() && f.neverIdle(p) {
			found = append(found, loop{history: p.busy[0], kind: rootPool, serves: "runs the tasks of a scheduler"})
		}
	}
	found = append(found, f.listeners()...)
	found = append(found, f.loaders()...)
	for _, l := range f.completers() {
		if !slices.ContainsFunc(found, func(o loop) bool { return o.history == l.history }) {
			found = append(found, l)
		}
	}
	return found
}

// listeners are the threads in a listener that wait in a receive, without a time limit.
func (f *timeline) listeners() []loop {
	var found []loop
	for _, h := range f.alive() {
		if s := h.last(); s.Stack.receives && s.waits() && !s.timed() && !s.wait.forLock() {
			found = append(found, loop{history: h, kind: rootEvents, serves: "delivers the messages of its session"})
		}
	}
	return found
}

// loaders are the threads that a library's cache has fill what others want of it, other
// than those in I/O or behind a lock, which are told of as such.
func (f *ioFacts) loaders() []loop {
	if len(f.wants().libraryResults) < 2 {
		return nil
	}
	var found []loop
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || s.wait == running || s.wait.forLock() || s.wait == waitIO || len(f.loadsFor(h)) < 2 {
			continue
		}
		found = append(found, loop{history: h, kind: rootEvents, serves: "loads what others wait for", only: true})
	}
	return found
}

// selectors are the methods of the application that threads are in which wait at a
// selector, those of the class that asks the selector, with the frames in which these
// threads are there.
type selectors map[string][]*threaddump.Frame

func (f *timeline) selecting() selectors {
	singles := selectors{}
	for _, h := range f.alive() {
		s := h.last().Stack
		if s.op.kind != opSelect || s.op.caller == nil || s.op.caller != s.Application {
			continue
		}
		for _, frame := range s.Frames {
			if frame.Class == s.op.caller.Class && frame.Method != "main" {
				singles[frame.Name()] = append(singles[frame.Name()], frame)
			}
		}
	}
	return singles
}

// have reports that a thread which does not select is in one of the methods, on another
// line than those that do: many are started by way of one line.
func (l selectors) have(s *Stack) bool {
	return len(l) > 0 && s.op.kind != opSelect && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		at := l[f.Name()]
		return len(at) > 0 && !slices.ContainsFunc(at, func(selects *threaddump.Frame) bool {
			return f.Line > 0 && selects.Text == f.Text
		})
	})
}

// selectsBelow tells a stack where the selector itself calls the application. A client
// of the JDK that reads by way of a selector has it on top.
func (s *Stack) selectsBelow() bool {
	at := slices.Index(s.Frames, s.op.caller)
	return s.op.kind != opSelect && at >= 0 && slices.ContainsFunc(s.Frames[at:], func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "sun.nio.ch.SelectorImpl")
	})
}

func (f *facts) blockedLoop(group []loop) candidate {
	first := group[0]
	var threads []*history
	for _, l := range group {
		threads = append(threads, l.history)
	}
	dependents := f.dependents(threads)
	for _, h := range f.loadsFor(first.history) {
		if !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	for _, s := range first.waiting {
		if h := f.history(s); !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	owner := f.ownerOf(first.last())
	dependents = f.addPublishers(dependents, first)
	dependents = slices.DeleteFunc(dependents, func(h *history) bool { return h.last() == owner })
	c := candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: f.blockedTitle(group, owner), Advice: f.loopAdvice(first),
		Culprits: f.refs(lastSamples(threads)), Victims: f.refs(lastSamples(dependents)),
		Evidence: f.placeEvidence(first.history),
	}}
	if owner != nil {
		c.Culprits = append(c.Culprits, f.ref(owner))
		c.Evidence = append(c.Evidence, f.quoteLock(first.lastAt(), first.last().waitsOn()))
	}
	longTask := (first.kind == rootPool || first.kind == rootTimer) && !f.holdsUp(first, dependents)
	if longTask || !f.lasts() && (!loopStands(first, owner) || f.mayBringResult(first.last())) {
		c.Severity, c.Confidence = Info, Possible
	}
	c.behind = c.saturates()
	return c
}

// mayBringResult reports that the thread waits for a result while another one goes on in a task, which
// may bring it.
func (f *poolFacts) mayBringResult(s *Sample) bool {
	return s.Stack.op.kind == opResult && len(f.runnersOfTasks().movingTasks) > 0
}

// loopStands reports that one dump proves an event loop blocked: the loop is on the stack, and the
// program that it called waits without a time limit, for a lock only if its owner does so too.
func loopStands(l loop, owner *Sample) bool {
	s := l.last()
	root := s.Stack.root
	if root == nil || root.kind != rootEvents || s.timed() || s.Stack.isInside(blockingLoop, "run") {
		return false
	}
	connections := strings.HasSuffix(root.serves, "connections")
	switch {
	case !connections && !root.class.fits(windowEvents):
		return false
	case s.wait.forLock():
		return owner != nil && limitOf(owner) == byOthers
	case s.wait == waitIO:
		return connections && s.Stack.op.kind == opRead && limitOfIO(s) == byOthers
	}
	return s.waits() && limitOf(s) == byOthers
}

const (
	windowEvents = "java.awt.EventDispatchThread"
	// blockingLoop is Netty's executor for handlers that may block.
	blockingLoop = "io.netty.util.concurrent.DefaultEventExecutor"
)

func (f *ioFacts) loopAdvice(l loop) string {
	if l.last().inLibraryFuture() {
		return "Do not wait for a future in the loop, which may be the one to complete it or wait for a loop that waits for this one: add a listener, and go on there."
	}
	if l.last().Stack.receives {
		return "Set a time limit on the receive, or let a listener of a session of its own get the reply."
	}
	if f.mustFeed(l.last()) {
		return unfedAdvice
	}
	if !l.only {
		return "Run blocking calls on a worker pool, not on this thread."
	}
	if i := slices.IndexFunc(f.ioWaiters(), func(w ioWaiter) bool { return w.h == l.history }); i >= 0 {
		return ioAdvice(f.ioWaiters()[i:i+1], 0, Warning)
	}
	return "Look at what it waits for, and give that a time limit."
}

// holdsUp reports that a timer's or scheduler's task is more than a long one.
func (f *timeline) holdsUp(l loop, dependents []*history) bool {
	s := l.last()
	again := l.kind == rootTimer || s.Stack.isInside(juc+"FutureTask", "runAndReset")
	if s.Stack.op.kind == opSleep && f.woke(l.history) {
		return false // it gets on, with pauses
	}
	return slices.ContainsFunc(dependents, wantsTask) || s.wait.forLock() || f.mustFeed(s) ||
		again && f.deadStill([]*history{l.history}) && !f.readEnds(l.history)
}

// ownerOf is the thread at the root of what a thread waits for, nil if it waits
// for no lock or nobody is known to hold it.
func (f *lockFacts) ownerOf(s *Sample) *Sample {
	g := f.graph(len(f.snaps) - 1)
	for _, i := range g.waiting {
		if &g.snap.samples[i] == s && g.ends[i].root != none {
			return &g.snap.samples[g.ends[i].root]
		}
	}
	return nil
}

// dependents are the threads that stand waiting for a signal, a result or an
// answer inside a class that the loops are in, too,
func (f *timeline) dependents(singles []*history) []*history {
	mine, root := singles[0].last().Stack.outer, singles[0].last().Stack.root
	runsTimer := root != nil && root.kind == rootTimer // and no task of an executor
	var found []*history
	for _, h := range f.alive() {
		s := h.last()
		if h.thread.Role != threaddump.Application || s.Thread.Name == "main" || slices.Contains(singles, h) ||
			h.surelyIdle() || !mayDepend(s.Stack.op.kind) || runsTimer && s.Stack.waitsForFutureTask() || len(f.snaps) > 1 && !f.standsStill(h) {
			continue
		}
		if slices.ContainsFunc(s.Stack.outer, func(c string) bool { return slices.Contains(mine, c) }) {
			found = append(found, h)
		}
	}
	return found
}

// mayDepend tells the waits that another thread of the program ends.
func mayDepend(kind opKind) bool {
	switch kind {
	case opResult, opLatch, opBarrier, opCondition, opNotify, opPark, opExchange, opTake, opRead, opTermination, opPermit:
		return true
	}
	return false
}

// wantsTask tells the waits that a task mostly ends, other than those for what
// comes in from outside.
func wantsTask(h *history) bool {
	switch h.last().Stack.op.kind {
	case opResult, opLatch, opBarrier:
		return true
	}
	return false
}

func (f *facts) blockedTitle(group []loop, owner *Sample) string {
	first := group[0]
	does := f.phrase(first.last())
	if owner != nil {
		does += fmt.Sprintf(" that %s holds while it %s", owner.Thread.called(), f.phrase(owner))
	}
	if len(group) > 1 {
		return fmt.Sprintf("%s threads, each of which %s, stand in the same place: each %s", Thousands(len(group)), first.serves, does)
	}
	return fmt.Sprintf("%s, which %s, %s", first.thread.called(), first.serves, does)
}
