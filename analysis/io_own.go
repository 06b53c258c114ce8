package analysis

import (
	"fmt"
	"maps"
	"slices"
)

// ioGroup is threads that stand in I/O and make one finding.
type ioGroup struct {
	waiters []ioWaiter
	// asking are threads that want an answer of this process, and so of the waiters.
	asking []*Sample
}

// bySide parts threads that stand in I/O into those that ask this very process, and all
// others. Where some of the others are all workers of an executor, they may be to answer:
// who asks stands behind them.
func (f *ioFacts) bySide(stuck []ioWaiter) []ioGroup {
	stands := map[*history]bool{}
	for _, w := range stuck {
		stands[w.h] = true
	}
	full := map[*pool]bool{}
	for _, p := range f.executors() {
		full[p] = p.fullOf(stands)
	}
	var workers, asking, others ioGroup
	for _, w := range stuck {
		switch {
		case full[f.poolOf(w.h)]:
			workers.waiters = append(workers.waiters, w)
		case f.asksItself(w.h):
			asking.waiters = append(asking.waiters, w)
			workers.asking = append(workers.asking, w.h.last())
		default:
			others.waiters = append(others.waiters, w)
		}
	}
	switch {
	case len(asking.waiters) == 0:
		workers, others = ioGroup{}, ioGroup{waiters: stuck}
	case len(workers.waiters) > 0:
		asking = ioGroup{}
	}
	return slices.DeleteFunc([]ioGroup{workers, asking, others}, func(g ioGroup) bool { return len(g.waiters) == 0 })
}

// ofSide is the finding of those on one side. Of those that ask this very process the
// threads are to blame that serve requests and stand; where these pause for a time of their
// own, as for news that is polled for, it is a hint.
func (f *facts) ofSide(group ioGroup) candidate {
	if !f.asksItself(group.waiters[0].h) {
		return f.ioFinding(group, Warning, Likely)
	}
	handlers, pausing := f.handlers()
	virtual, virtualPausing := f.virtualHandlers()
	switch {
	case len(handlers) > 0 && !f.fillExecutor(handlers):
		var asking []*Sample
		for _, w := range group.waiters {
			asking = append(asking, w.h.last())
		}
		return f.handlersStand(f, f.refs(asking), handlers)
	case pausing, virtualPausing && len(virtual) == 0:
		return f.ioFinding(group, Info, Possible)
	}
	return f.ioFinding(group, Warning, Likely)
}

// fillExecutor reports that some threads are all workers of an executor, which is told of
// as such.
func (f *poolFacts) fillExecutor(threads []*Sample) bool {
	stand := map[*history]bool{}
	for _, s := range threads {
		stand[f.history(s)] = true
	}
	return slices.ContainsFunc(f.executors(), func(p *pool) bool { return p.fullOf(stand) })
}

// handlers are the threads that serve requests and stand over the capture in a wait without
// end, other than for a lock; pausing tells that some do in one with an end.
func (f *timeline) handlers() (stand []*Sample, pausing bool) {
	for _, h := range f.alive() {
		s := h.last()
		if !s.waits() || s.wait.forLock() || !s.Stack.serves() || h.idle() || !f.standsStill(h) {
			continue
		}
		if s.timed() {
			pausing = true
		} else {
			stand = append(stand, s)
		}
	}
	return inNameOrder(stand), pausing
}

// virtualHandlers are the virtual threads that serve so and wait, as handlers are. None of
// them is taken to stand if a carrier has run in the capture.
func (f *timeline) virtualHandlers() (stand []*Sample, pausing bool) {
	if f.written == nil {
		return nil, false
	}
	rested := f.carriersRested()
	for _, h := range f.written.alive() {
		s := h.last()
		switch {
		case !s.Thread.Virtual || !s.waits() || s.wait.forLock() || !s.Stack.serves() || s.inVirtualIO():
		case s.timed():
			pausing = true
		case rested:
			stand = append(stand, s)
		}
	}
	return inNameOrder(stand), pausing
}

// handlersStand blames the threads that serve, in the view that shows them, for those that
// wait for their answer.
func (f *timeline) handlersStand(view *facts, asking []ThreadRef, handlers []*Sample) candidate {
	who := handlers[0].Thread.called() + ", which serves a request, " + view.phrase(handlers[0])
	if n := sizeOf(handlers); n > 1 {
		who = Thousands(n) + " threads that serve requests stand: " + view.doing(handlers)
	}
	title := fmt.Sprintf("%s, while %s of this JVM %s for an answer", who, Counted(len(asking), "thread"), verb(len(asking), "waits", "wait"))
	return candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely, Title: title,
		Advice:   "Look at what the requests wait for, and give that a time limit.",
		Culprits: view.refs(handlers), Victims: asking,
		Evidence: view.waitEvidence(len(view.snaps)-1, handlers),
	}}
}

// asksItself tells a thread that waits on a connection to the process that it is in.
func (f *ioFacts) asksItself(h *history) bool {
	return f.task(h).asksItself()
}

// answerItself puts the finding of those that ask this very process behind each that
// tells why workers of an executor stand, or virtual threads: they may be to answer. A server
// of its own that is silent for no such reason leaves it as it is, unless its handlers are
// virtual threads that stand.
func (f *facts) answerItself(all []candidate) {
	asking := f.idsOf(f.asksItself)
	if len(asking) == 0 {
		return
	}
	asks := func(effect *Finding) bool { return effect.Kind == KindIOWait && allAmong(effect.Culprits, asking) }
	if !f.putBehindAnswerers(all, asks) {
		f.blameVirtualHandlers(all, asks)
	}
}

// putBehindAnswerers puts what asks behind each finding that tells why those stand who may
// be to answer, and reports whether there is one.
func (f *facts) putBehindAnswerers(all []candidate, asks func(*Finding) bool) (told bool) {
	answerers := f.idsOf(func(h *history) bool { return f.poolOf(h) != nil && !f.asksItself(h) })
	if f.written != nil {
		maps.Copy(answerers, f.writtenFacts.idsOf(func(h *history) bool { return h.thread.Virtual }))
	}
	for i := range all {
		c := &all[i]
		stands := slices.Contains(stalls[:], c.Kind) && c.Severity != Info && !asks(&c.Finding)
		if !stands || !anyAmong(c.Culprits, answerers) && !anyAmong(c.Victims, answerers) {
			continue
		}
		told = true
		before := c.behind
		c.behind = func(effect *Finding) bool { return asks(effect) || before != nil && before(effect) }
	}
	return told
}

// blameVirtualHandlers blames the virtual threads that serve requests and stand, where there
// are any, for what asks: by a hint that tells already what they lack, or else as they stand.
func (f *facts) blameVirtualHandlers(all []candidate, asks func(*Finding) bool) {
	handlers, _ := f.virtualHandlers()
	if len(handlers) == 0 {
		return
	}
	stand := map[threadID]bool{}
	for _, s := range handlers {
		stand[threadIDOf(f.written.ref(s))] = true
	}
	lack := slices.IndexFunc(all, func(c candidate) bool {
		return slices.Contains(stalls[:], c.Kind) && c.Severity == Info && len(c.Culprits) > 0 && allAmong(c.Culprits, stand)
	})
	for i, c := range all {
		switch {
		case !asks(&c.Finding) || c.Severity == Info:
		case lack != none:
			told := &all[lack]
			told.Severity, told.Confidence, told.behind = Warning, Likely, asks
			told.Victims = append(told.Victims, c.Culprits...)
		default:
			all[i] = f.handlersStand(f.writtenFacts, c.Culprits, handlers)
			all[i].Kind = KindIOWait
		}
	}
}

// idsOf are the identities of some of the threads.
func (f *timeline) idsOf(some func(*history) bool) map[threadID]bool {
	ids := map[threadID]bool{}
	for _, h := range f.alive() {
		if some(h) {
			ids[threadIDOf(f.ref(h.last()))] = true
		}
	}
	return ids
}

func allAmong(refs []ThreadRef, threads map[threadID]bool) bool {
	return !slices.ContainsFunc(refs, func(r ThreadRef) bool { return !threads[threadIDOf(r)] })
}

func anyAmong(refs []ThreadRef, threads map[threadID]bool) bool {
	return slices.ContainsFunc(refs, func(r ThreadRef) bool { return threads[threadIDOf(r)] })
}
