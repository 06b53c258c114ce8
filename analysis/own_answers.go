package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// poolsThatAskThemselves reports executors that serve requests, and all of whose workers wait for
// an answer of this very JVM.
//
// Rule: every worker was called by a server, not by a scheduler, and reads, the same in all dumps,
// from a connection to its own process. No other thread is in a request of a server: whoever
// works on one may be about to answer. Idle workers of other executors take no such request,
// for it would not have to wait.
func (f *ioFacts) poolsThatAskThemselves() []candidate {
	if !f.lasts() || !f.last().closed() {
		return nil
	}
	var found []candidate
	for _, p := range f.executors() {
		if f.servesAndAsks(p) && !f.answersBeside(p) {
			found = append(found, f.poolAsksItself(p))
		}
	}
	return found
}

// servesAndAsks reports that every worker of an executor asks its own process in a request.
func (f *ioFacts) servesAndAsks(p *pool) bool {
	return p.everyBusy() && !p.scheduler && !slices.ContainsFunc(p.busy, func(h *history) bool {
		return !f.standsAsking(h) || !calledByLibrary(h.last().Stack)
	})
}

// answersBeside reports that a thread outside of an executor is in a request of a server, and
// waits for no answer of this JVM.
func (f *ioFacts) answersBeside(p *pool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		return !p.has(h) && h.thread.Role == threaddump.Application && s.resting() == nil && !s.Stack.isPeriodic() &&
			calledByLibrary(s.Stack) && !f.standsAsking(h)
	})
}

// standsAsking tells a thread that reads from a connection to its own process over the
// whole capture, or has an HttpClient read.
func (f *ioFacts) standsAsking(h *history) bool {
	s := h.last()
	return f.asksItself(h) && (s.Stack.op.kind == opRead || s.asksByHTTP()) && f.standsStill(h)
}

func (f *ioFacts) poolAsksItself(p *pool) candidate {
	var waiters []ioWaiter
	var callers []*history
	for _, h := range f.alive() {
		switch {
		case p.has(h):
			w := ioWaiter{h: h, op: opRead}
			w.lookAtFile(f)
			waiters = append(waiters, w)
		case f.standsAsking(h), f.isCaller(h):
			callers = append(callers, h)
		}
	}
	c := candidate{Finding: Finding{
		Severity: Critical, Confidence: Likely,
		Title: fmt.Sprintf("%s %s; the requests wait for a worker of the same executor", f.ioWho(waiters), ioWhat(waiters)),
		Advice: "Do not call a server from its own workers: call the code directly, or give the inner requests their own executor. " +
			"Set a timeout on the call.",
		Culprits: f.refs(lastSamples(p.busy)), Victims: f.refs(lastSamples(callers)),
		Evidence: f.poolDeadlockEvidence(p.busy),
	}}
	ends := func(h *history) bool { return f.readEnds(h) || h.last().asksByHTTP() } // a request's time limit is nowhere to be seen
	if slices.ContainsFunc(p.busy, ends) {
		c.Severity = Warning
	}
	return c
}

// keepsOutAnswer reports that the owner of a lock waits for an answer of this very JVM, while
// all workers of an executor that serves requests wait for that lock or for such an answer.
func (f *ioFacts) keepsOutAnswer(q *queue) bool {
	if q.at != len(f.snaps)-1 || !f.last().closed() || !f.standsAsking(f.history(q.root)) {
		return false
	}
	return slices.ContainsFunc(f.executors(), func(p *pool) bool {
		serves := false
		return p.everyBusy() && !slices.ContainsFunc(p.busy, func(h *history) bool {
			waits := slices.Contains(q.waiters, h.last())
			serves = serves || waits && calledByLibrary(h.last().Stack)
			return !waits && !f.standsAsking(h)
		}) && serves
	})
}

// tellAnswerKeptOut adds to the finding that the owner's own lock is in the way.
func tellAnswerKeptOut(result *Finding) {
	result.Title += "; all workers that could answer wait for that lock or for another answer of this JVM"
	result.Advice = "Do not call out while holding this lock: the answer needs it. Take what the call needs, release the lock, then call."
}
