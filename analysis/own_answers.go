package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// poolsThatAskThemselves reports executors that serve requests, and all of whose workers
// wait for an answer of this very JVM.
//
// Rule: every worker was called by a server, and not by a scheduler, and reads, the
// same over the look, from a connection to the process that it is in. Nobody else is
// left who could answer: no other thread of the program has anything to do but to ask
// it as well, and no other executor has a worker to spare.
func (f *facts) poolsThatAskThemselves() []candidate {
	if !f.lasts() || !f.last().closed() {
		return nil
	}
	var found []candidate
	for _, p := range f.executors() {
		if p.everyBusy() && !p.scheduler && !slices.ContainsFunc(p.busy, func(h *history) bool { return !f.standsAsking(h) || !calledByLibrary(h.last().Stack) }) &&
			!f.somebodyAnswers(func(h *history) bool { return h.pool == p }) && !f.spareWorkers(p) {
			found = append(found, f.poolAsksItself(p))
		}
	}
	return found
}

// standsAsking tells a thread that reads from a connection to its own process over the
// whole look, or has an HttpClient read.
func (f *facts) standsAsking(h *history) bool {
	s := h.last()
	return f.asksItself(h) && (s.Stack.op.kind == opRead || s.asksByHTTP()) && f.standsStill(h)
}

// somebodyAnswers reports that a thread of the program, other than some, has something to
// do, and may be about to answer.
func (f *facts) somebodyAnswers(but func(*history) bool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		switch {
		case h.thread.Role != threaddump.Application, len(s.Stack.Frames) == 0, h.idle(), but(h):
			return false
		}
		return !pausesInMain(s.Stack) && !s.Stack.pauses() && !f.standsAsking(h)
	})
}

// spareWorkers reports idle workers that may belong to another server; those of a
// scheduler serve nobody, nor do those of an HttpClient, by the JDK's name for them, and
// those that see to the end of processes.
func (f *facts) spareWorkers(but *pool) bool {
	return slices.ContainsFunc(f.executors(), func(p *pool) bool {
		return p != but && !p.scheduler && !strings.HasPrefix(p.pattern, "HttpClient-") && slices.ContainsFunc(p.idle, func(h *history) bool {
			r := h.last().resting()
			return r == nil || r.what != "reaper"
		})
	})
}

func (f *facts) poolAsksItself(p *pool) candidate {
	var waiters []ioWaiter
	var callers []*history
	for _, h := range f.alive() {
		switch {
		case h.pool == p:
			w := ioWaiter{h: h, op: opRead}
			w.lookAtFile(f)
			waiters = append(waiters, w)
		case f.standsAsking(h), f.isCaller(h):
			callers = append(callers, h)
		}
	}
	c := candidate{Finding: Finding{
		Severity: Critical, Confidence: Likely,
		Title: fmt.Sprintf("%s %s; nobody else is left in this JVM to answer", ioWho(waiters), ioWhat(waiters)),
		Advice: "Do not call a server from its own workers: call what would answer directly, or give the inner requests " +
			"a server or an executor of their own. Give the call a timeout.",
		Culprits: f.refs(lastSamples(p.busy)), Victims: f.refs(lastSamples(callers)),
		Evidence: f.poolDeadlockEvidence(p.busy),
	}}
	ends := func(h *history) bool { return f.readEnds(h) || h.last().asksByHTTP() } // a request's time limit is nowhere to be seen
	if slices.ContainsFunc(p.busy, ends) {
		c.Severity = Warning
	}
	return c
}

// keepsOutAnswer reports that the owner of a lock waits for an answer of this very JVM,
// where some who serve requests wait for that lock, and all others have nothing to do or
// wait for an answer as well.
func (f *facts) keepsOutAnswer(q *queue) bool {
	if q.at != len(f.snaps)-1 || !f.last().closed() || !f.standsAsking(f.history(q.root)) {
		return false
	}
	waits := func(h *history) bool { return h.last() == q.root || slices.Contains(q.waiters, h.last()) }
	serves := slices.ContainsFunc(q.waiters, func(w *Sample) bool { return calledByLibrary(w.Stack) })
	return serves && !f.somebodyAnswers(waits)
}

// tellAnswerKeptOut adds to the finding that the owner's own lock is in the way.
func tellAnswerKeptOut(finding *Finding) {
	finding.Title += "; whoever could answer waits for that lock, or for an answer as well: neither ever comes"
	finding.Advice = "Do not call out while holding this lock: the answer needs it. Take what the call needs, release the lock, then call."
}
