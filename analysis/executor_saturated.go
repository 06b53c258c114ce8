package analysis

import (
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// stallFor is how long threads must have stood for a stall to be more than a hint.
const stallFor = 500 * time.Millisecond

// detectSaturated reports executors of which every worker is busy while others
// wait for what it should do.
//
// Rule: no worker of the executor was idle in any dump, and one of
//   - more threads stood still, over the capture, for the result of a task or for room
//     in the executor's queue than it has workers, so that some of their tasks have
//     not begun; or one was made to run its task itself;
//   - no worker was woken even once, none but in a read that a silent peer explains,
//     and a thread waits for a result, or for the executor to end in code that the
//     workers share: main alone counts where there are several
//     workers, as many a main waits for the one task that is its program;
//   - every worker stands in I/O that should have ended, and a thread other than main
//     waits for a result; not so of one worker, of which io-wait tells: more may be
//     started at need;
//   - each of several workers stood still without CPU in a task that a framework
//     handed it, such as a request: these are meant to end, other than the loops
//     that applications run on workers of their own. The executor must be one that
//     does not grow at need; of a plain one that is not known, so that there three
//     workers at least must stand at one place, without a time limit; or sleep in the
//     request of a server from one dump to the next, as who pauses before another try keeps it
//     all the same. Any other task may be to come round now and then;
//   - each of three workers at least waits in a task, without a time limit, for what other code
//     brings: from one dump as well (see standstill).
//
// It is a hint where all workers are in reads with a time limit, unless some of their tasks have not begun.
//
// Whose result a thread waits for no dump tells. It counts as a caller where a
// worker runs a task of the kind that it waits for, or code of the same class.
// Fewer callers give a hint: it may be one slow task. Workers
// in take, accept or select are no tasks that hang but loops, but for a take without a time
// limit in the middle of a request.
//
// From: fixed pools in socket reads with callers in get, invokeAll and join; quartz,
// undertow, gRPC and Reactor with handlers that sleep or wait.
func detectSaturated(f *facts) []candidate {
	var found []candidate
	for _, p := range f.executors() {
		if !f.neverIdle(p) || p.loops() {
			continue
		}
		c := f.saturation(p)
		if c.Severity != "" {
			found = append(found, c)
		}
	}
	return found
}

// neverIdle reports that no worker had nothing to do in any dump.
func (f *timeline) neverIdle(p *pool) bool { return !p.mixed && f.noneIdle(p) }

// noneIdle is neverIdle of the workers that have such names, be they of one executor or more.
func (f *timeline) noneIdle(p *pool) bool {
	if len(p.idle) > 0 || len(p.busy) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		return slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.resting() != nil })
	})
}

// loops reports workers that consume, accept or select in code of the application. One that
// takes something for a request, as long as that needs, consumes nothing.
func (p *pool) loops() bool {
	return slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		switch s.Stack.op.kind {
		case opTake:
			return s.timed() || !s.Stack.serves()
		case opAccept, opSelect:
			return true
		}
		return false
	})
}

// paced reports workers that wait in a rate limiter, which lets one after the other go on: see
// rate_limiter.go.
func (p *pool) paced() bool {
	return slices.ContainsFunc(p.busy, func(h *history) bool { return limiterKey(h.last()) != "" })
}

func (f *facts) saturation(p *pool) candidate {
	callers, standstill := slices.Concat(f.callersOf(p), f.endAwaited(p)), f.standstill(p)
	stuck := standstill != "" || f.allStand(p.busy)
	c := candidate{Finding: Finding{
		Culprits: f.refs(lastSamples(p.busy)), Victims: f.refs(lastSamples(callers)),
		Title: saturatedTitle(p, f.standAt(p, stuck), callers), Advice: f.saturatedAdvice(p, stuck),
		Evidence: f.saturatedEvidence(p, callers),
	}}
	known := !slices.ContainsFunc(callers, func(h *history) bool { return !h.cpu.Known })
	switch {
	case len(callers) > len(p.workers) || slices.ContainsFunc(callers, submits):
		c.Severity, c.Confidence = Warning, Likely
	case stuck && f.allReadsEnd(p.busy):
		c.Severity, c.Confidence = Info, Possible
	case stuck && f.handsOut(p) && !p.paced(), f.isAskedInVain(p, callers), f.isLeftByPeers(p, callers):
		c.Severity, c.Confidence = Warning, Likely
	case len(callers) > 0 && stuck:
		c.Severity, c.Confidence = Info, Possible
	}
	if c.Severity == Warning && (!f.lasts() || !known) {
		c.Severity, c.Confidence = Info, Possible
	}
	switch {
	case standstill == Warning:
		c.Severity, c.Confidence = Warning, Likely
	case standstill == Info && c.Severity == "":
		c.Severity, c.Confidence = Info, Possible
	}
	return c
}

// isAskedInVain reports that somebody waits for the workers, none of which woke, other than for one
// and the same thing, as for the end of the program.
func (f *timeline) isAskedInVain(p *pool, callers []*history) bool {
	return f.deadStill(p.busy) && wanted(p, callers) && !waitForOneThing(p.busy)
}

// isLeftByPeers reports that somebody waits for workers whose peers do not answer.
func (f *ioFacts) isLeftByPeers(p *pool, callers []*history) bool {
	return f.unanswered(p) && asksBesideMain(callers) && !p.mayGrow()
}

// lasts reports that the capture was long enough to call what stood in it stalled.
func (f *timeline) lasts() bool {
	wall := f.wall()
	return len(f.snaps) > 1 && (!wall.Known || wall.Value >= stallFor)
}

func (f *timeline) allStand(threads []*history) bool {
	return !slices.ContainsFunc(threads, func(h *history) bool { return !f.standsStill(h) })
}

// standsStill reports that a thread was seen at one place without CPU in every
// dump.
func (f *timeline) standsStill(h *history) bool {
	return f.progressOf(h) == stands && len(h.samples) == len(f.snaps)
}

// endAwaited are the threads that wait, the same in all dumps, for the executor to end, in code of
// a class that its workers are in. A single worker may run a task that takes its time; a sleep or a
// timed wait ends by itself.
func (f *timeline) endAwaited(p *pool) []*history {
	if p.mayGrow() || slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().timed() }) {
		return nil
	}
	var waiting []*history
	for _, h := range f.alive() {
		s := h.last()
		if s.Stack.op.kind == opTermination && !p.has(h) && h.thread.Role == threaddump.Application &&
			len(f.snaps) > 1 && f.standsStill(h) && kinship(h, p) > 0 {
			waiting = append(waiting, h)
		}
	}
	return waiting
}

// wanted reports callers that prove a need although they may be fewer than the
// workers.
func wanted(p *pool, callers []*history) bool {
	for _, h := range callers {
		if h.thread.Name != "main" || len(p.workers) > 1 {
			return !slices.ContainsFunc(p.busy, func(w *history) bool {
				return w.last().Stack.op.kind == opRead || p.mayGrow() && isIO(w.last())
			})
		}
	}
	return false
}

// deadStill reports that no thread was woken even once, which CPU time alone tells.
func (f *timeline) deadStill(threads []*history) bool {
	return !slices.ContainsFunc(threads, func(h *history) bool { return !h.cpu.Known || !f.neverWoke(h) })
}

// neverWoke reports that a thread stands in one and the same wait: it was not woken
// even once, as far as its CPU time is known. One that wants a monitor is, up to
// JDK 22: the JVM lets it look again by itself.
func (f *timeline) neverWoke(h *history) bool {
	woken := h.last().State != threaddump.Blocked && h.cpu.Known && h.cpu.Value > wakeCost*time.Duration(len(f.snaps)-1)
	return f.standsStill(h) && !woken
}

// woke reports that a thread is known to have been woken in the capture.
func (f *timeline) woke(h *history) bool { return h.cpu.Known && !f.neverWoke(h) }

// handsOut reports an executor with no way to grow whose tasks all came from a
// framework.
func (f *timeline) handsOut(p *pool) bool {
	const certain = 3
	first := p.busy[0].last()
	same := true
	for _, h := range p.busy {
		s := h.last()
		if !s.Stack.serves() {
			return false
		}
		same = same && s.Stack.Application == first.Stack.Application && (!s.timed() || f.sleepsOverRequest(h))
	}
	plain := first.Stack.isInside(juc+"ThreadPoolExecutor$Worker", "run") && !p.scheduler
	return len(p.busy) > 1 && (!plain || same && len(p.busy) >= certain)
}

// sleepsOverRequest reports that a handler of the JDK's server sleeps, and was not woken from
// one dump to the next: what streams or ticks comes round more often.
func (f *timeline) sleepsOverRequest(h *history) bool {
	s := h.last()
	if s.Stack.op.kind != opSleep || !s.Stack.isInside("sun.net.httpserver.ServerImpl$Exchange", "run") {
		return false
	}
	for i := 1; i < len(h.samples); i++ {
		if used := growth(h.samples[i-1].cpu, h.samples[i].cpu); used.Known && used.Value <= wakeCost {
			return true
		}
	}
	return false
}

// serves reports that a framework called the application's outermost frame: a
// library's code lies under it, or that of the JDK's own servers.
func (s *Stack) serves() bool {
	if s.Application == nil {
		return false
	}
	for i := len(s.Frames) - 1; i >= 0; i-- {
		f := s.Frames[i]
		switch originOf(f) {
		case ofApplication, ofGenerator:
			return false
		case ofLibrary:
			if s.root == nil || !s.root.class.fits(f.Class) {
				return true
			}
		case ofJDK:
			if strings.HasPrefix(f.Class, "sun.net.httpserver.") {
				return true
			}
		}
	}
	return false
}

func lastSamples(threads []*history) []*Sample {
	samples := make([]*Sample, 0, len(threads))
	for _, h := range threads {
		samples = append(samples, h.last())
	}
	return samples
}

// inIO are those of an executor's workers that stand in I/O.
func (f *ioFacts) inIO(p *pool) []ioWaiter {
	if f.workersInIO == nil {
		f.workersInIO = map[*pool][]ioWaiter{}
		for _, w := range f.ioWaiters() {
			p := f.poolOf(w.h)
			f.workersInIO[p] = append(f.workersInIO[p], w)
		}
	}
	return f.workersInIO[p]
}

// unanswered reports that every worker stands in I/O that should have ended.
func (f *ioFacts) unanswered(p *pool) bool {
	waiters := f.inIO(p)
	return len(waiters) == len(p.busy) && !slices.ContainsFunc(waiters, func(w ioWaiter) bool { return !w.stuck() })
}

// mayGrow tells one worker: the executor may start more when there is work for them.
func (p *pool) mayGrow() bool { return len(p.workers) == 1 }

// asksBesideMain reports a caller other than main, for which one task may be the program.
func asksBesideMain(callers []*history) bool {
	return slices.ContainsFunc(callers, func(h *history) bool { return h.thread.Name != "main" })
}

// allReadsEnd reports that each of some threads is in a read with a time limit, which ends by itself.
func (f *timeline) allReadsEnd(threads []*history) bool {
	return !slices.ContainsFunc(threads, func(h *history) bool { return !f.readEnds(h) })
}

// placeEvidence quotes the first application frame of a thread's last stack.
func (f *timeline) placeEvidence(h *history) []Evidence {
	s := h.last()
	if len(s.Stack.Frames) == 0 {
		return nil
	}
	i := slices.Index(s.Stack.Frames, s.Stack.Application)
	if i < 0 {
		i = max(0, slices.IndexFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !isJDK(f) }))
	}
	return []Evidence{f.quoteFrame(h.lastAt(), s, i)}
}
