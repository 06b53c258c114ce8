package iowait

import (
	"maps"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// ioGroup is threads that stand in I/O and make one finding.
type ioGroup struct {
	waiters []iowaits.Waiter
	// asking are threads that want an answer of this process, and so of the waiters.
	asking []*timeline.Sample
}

// bySide parts threads that stand in I/O into those that ask this very process, and all
// others. Where some of the others are all workers of an executor, they may be to answer:
// who asks stands behind them.
func bySide(f *iowaits.Waits, stuck []iowaits.Waiter) []ioGroup {
	stands := map[*timeline.History]bool{}
	for _, w := range stuck {
		stands[w.H] = true
	}
	full := map[*pools.Pool]bool{}
	for _, p := range f.Executors() {
		full[p] = p.FullOf(stands)
	}
	var workers, asking, others ioGroup
	for _, w := range stuck {
		switch {
		case full[f.PoolOf(w.H)]:
			workers.waiters = append(workers.waiters, w)
		case f.ConnectsToSelf(w.H):
			asking.waiters = append(asking.waiters, w)
			workers.asking = append(workers.asking, w.H.Last())
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
func ofSide(f *facts.Facts, group ioGroup) finding.Candidate {
	if !f.ConnectsToSelf(group.waiters[0].H) {
		return ioFinding(f.Waits, group, finding.Warning, finding.Likely)
	}
	handlers, pausing := handlers(f.Timeline)
	virtual, virtualPausing := virtualHandlers(f.Timeline)
	switch {
	case len(handlers) > 0 && !fillExecutor(f.Pools, handlers):
		var asking []*timeline.Sample
		for _, w := range group.waiters {
			asking = append(asking, w.H.Last())
		}
		return handlersStand(f.Timeline, f, f.Refs(asking), handlers)
	case pausing, virtualPausing && len(virtual) == 0:
		return ioFinding(f.Waits, group, finding.Info, finding.Possible)
	}
	return ioFinding(f.Waits, group, finding.Warning, finding.Likely)
}

// fillExecutor reports that some threads are all workers of an executor, which is told of
// as such.
func fillExecutor(f *pools.Pools, threads []*timeline.Sample) bool {
	stand := map[*timeline.History]bool{}
	for _, s := range threads {
		stand[f.History(s)] = true
	}
	return slices.ContainsFunc(f.Executors(), func(p *pools.Pool) bool { return p.FullOf(stand) })
}

// handlers are the threads that serve requests and stand over the capture in a wait without
// end, other than for a lock; pausing tells that some do in one with an end.
func handlers(f *timeline.Timeline) (stand []*timeline.Sample, pausing bool) {
	for _, h := range f.Alive() {
		s := h.Last()
		if !s.Waits() || s.Wait.ForLock() || !pools.Serves(s.Stack) || h.Idle() || !f.StandsStill(h) {
			continue
		}
		if s.Timed() {
			pausing = true
		} else {
			stand = append(stand, s)
		}
	}
	return timeline.InNameOrder(stand), pausing
}

// virtualHandlers are the virtual threads that serve so and wait, as handlers are. None of
// them is taken to stand if a carrier has run in the capture.
func virtualHandlers(f *timeline.Timeline) (stand []*timeline.Sample, pausing bool) {
	if f.Written == nil {
		return nil, false
	}
	rested := timeline.CarriersRested(f)
	for _, h := range f.Written.Alive() {
		s := h.Last()
		switch {
		case !s.Thread.Virtual || !s.Waits() || s.Wait.ForLock() || !pools.Serves(s.Stack) || inVirtualIO(s):
		case s.Timed():
			pausing = true
		case rested:
			stand = append(stand, s)
		}
	}
	return timeline.InNameOrder(stand), pausing
}

// handlersStand blames the threads that serve, in the view that shows them, for those that
// wait for their answer.
func handlersStand(f *timeline.Timeline, view *facts.Facts, asking []finding.ThreadRef,
	handlers []*timeline.Sample) finding.Candidate {
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title:    handlersTitle(view, handlers, len(asking)),
		Advice:   handlersAdvice,
		Culprits: view.Refs(handlers), Victims: asking,
		Evidence: view.WaitEvidence(len(view.Snaps)-1, handlers),
	}}
}

// AnswerItself puts the finding of those that ask this very process behind each that
// tells why workers of an executor stand, or virtual threads: they may be to answer. A server
// of its own that is silent for no such reason leaves it as it is, unless its handlers are
// virtual threads that stand.
func AnswerItself(f *facts.Facts, all []finding.Candidate) {
	asking := idsOf(f.Timeline, f.ConnectsToSelf)
	if len(asking) == 0 {
		return
	}
	asks := func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindIOWait && finding.AllAmong(effect.Culprits, asking)
	}
	if !putBehindAnswerers(f, all, asks) {
		blameVirtualHandlers(f, all, asks)
	}
}

// putBehindAnswerers puts what asks behind each finding that tells why those stand who may
// be to answer, and reports whether there is one.
func putBehindAnswerers(f *facts.Facts, all []finding.Candidate, asks func(*finding.Finding) bool) (told bool) {
	answerers := idsOf(f.Timeline, func(h *timeline.History) bool { return f.PoolOf(h) != nil && !f.ConnectsToSelf(h) })
	if f.Written != nil {
		maps.Copy(answerers, idsOf(f.WrittenFacts.Timeline, func(h *timeline.History) bool { return h.Thread.Virtual }))
	}
	for i := range all {
		c := &all[i]
		stands := slices.Contains(finding.StallKinds[:], c.Kind) && c.Severity != finding.Info && !asks(&c.Finding)
		if !stands || !finding.AnyAmong(c.Culprits, answerers) && !finding.AnyAmong(c.Victims, answerers) {
			continue
		}
		told = true
		before := c.Behind
		c.Behind = func(effect *finding.Finding) bool { return asks(effect) || before != nil && before(effect) }
	}
	return told
}

// blameVirtualHandlers blames the virtual threads that serve requests and stand, where there
// are any, for what asks: by a hint that tells already what they lack, or else as they stand.
func blameVirtualHandlers(f *facts.Facts, all []finding.Candidate, asks func(*finding.Finding) bool) {
	handlers, _ := virtualHandlers(f.Timeline)
	if len(handlers) == 0 {
		return
	}
	stand := map[finding.ThreadID]bool{}
	for _, s := range handlers {
		stand[finding.ThreadIDOf(f.Written.Ref(s))] = true
	}
	lack := slices.IndexFunc(all, func(c finding.Candidate) bool {
		return slices.Contains(finding.StallKinds[:], c.Kind) && c.Severity == finding.Info && len(c.Culprits) > 0 &&
			finding.AllAmong(c.Culprits, stand)
	})
	for i, c := range all {
		switch {
		case !asks(&c.Finding) || c.Severity == finding.Info:
		case lack != locks.None:
			told := &all[lack]
			told.Severity, told.Confidence, told.Behind = finding.Warning, finding.Likely, asks
			told.Victims = append(told.Victims, c.Culprits...)
		default:
			all[i] = handlersStand(f.Timeline, f.WrittenFacts, c.Culprits, handlers)
			all[i].Kind = finding.KindIOWait
		}
	}
}

// idsOf are the identities of some of the threads.
func idsOf(f *timeline.Timeline, some func(*timeline.History) bool) map[finding.ThreadID]bool {
	ids := map[finding.ThreadID]bool{}
	for _, h := range f.Alive() {
		if some(h) {
			ids[finding.ThreadIDOf(f.Ref(h.Last()))] = true
		}
	}
	return ids
}
