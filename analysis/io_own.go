package analysis

import "slices"

// ioGroup is threads that stand in I/O and make one finding.
type ioGroup struct {
	waiters []ioWaiter
	// asking are threads that want an answer of this process, and so of the waiters.
	asking []*Sample
}

// bySide parts threads that stand in I/O into those that ask this very process, and all
// others. Where some of the others are all workers of an executor, they may be to answer:
// who asks stands behind them.
func (f *facts) bySide(stuck []ioWaiter) []ioGroup {
	stands := map[*history]bool{}
	for _, w := range stuck {
		stands[w.h] = true
	}
	var workers, asking, others ioGroup
	for _, w := range stuck {
		switch {
		case w.h.pool != nil && w.h.pool.fullOf(stands):
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

// asksItself tells a thread that waits on a connection to the process that it is in.
func (f *facts) asksItself(h *history) bool {
	return f.last().tasks[h.thread.NativeID].File == ownSocket
}

// answerItself puts the finding of those that ask this very process behind each that
// tells why workers of an executor stand: they may be to answer. A server of its own that
// is silent for no reason to be seen leaves it as it is.
func (f *facts) answerItself(all []candidate) {
	asking := f.idsOf(f.asksItself)
	if len(asking) == 0 {
		return
	}
	workers := f.idsOf(func(h *history) bool { return h.pool != nil && !f.asksItself(h) })
	asks := func(effect *Finding) bool { return effect.Kind == KindIOWait && allAmong(effect.Culprits, asking) }
	for i := range all {
		c := &all[i]
		stands := slices.Contains(stalls[:], c.Kind) && c.Severity != Info && !asks(&c.Finding)
		if stands && c.behind == nil && (anyAmong(c.Culprits, workers) || anyAmong(c.Victims, workers)) {
			c.behind = asks
		}
	}
}

// idsOf are the identities of some of the threads.
func (f *facts) idsOf(some func(*history) bool) map[threadID]bool {
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
