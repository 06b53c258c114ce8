package analysis

import "slices"

// handsWord is what [Bytecode.Ahead] calls that a thread may hand tasks to executors.
const handsWord = "hands"

// sleepOnTheJob reports that each worker of three or more sleeps long in a task that ends, in every dump at the same
// place, while more tasks may come, by the class files: as those that pause before another try.
func (f *facts) sleepOnTheJob(p *pool) bool {
	const least = 3 // of two more may be started at need
	b := f.bytecode
	if b == nil || !b.Closed || len(p.busy) < least || p.scheduler || len(f.snaps) < leastDumps {
		return false
	}
	if slices.ContainsFunc(p.busy, func(h *history) bool {
		return h.last().Stack.op.kind != opSleep || !f.sleepsLong(h) || !isAllAt(b.Ends, h.last().Stack)
	}) {
		return false
	}
	return slices.Contains(b.Later, handsWord) || slices.ContainsFunc(f.alive(), func(h *history) bool {
		words, _ := f.mayEnd(h.last())
		return !slices.Contains(p.busy, h) && slices.Contains(words, handsWord)
	})
}

// askInVain reports that the workers, two or more, sleep at one place in every dump, as those do that look now and then
// for what does not come, or pause before another try, while none of several threads that wait for their results was woken even once; and that one of these
// hands in more when it gets them, by its class files.
func (f *facts) askInVain(p *pool, callers []*history) bool {
	b := f.bytecode
	if b == nil || !b.Closed || len(p.busy) < 2 || p.scheduler || len(f.snaps) < leastDumps {
		return false
	}
	first := p.busy[0].last().Stack
	if slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last().Stack
		return s.op.kind != opSleep || s.Application != first.Application || !f.standsStill(h)
	}) {
		return false
	}
	asking := slices.DeleteFunc(slices.Clone(callers), func(h *history) bool { return h.thread.Name == "main" || h.last().timed() })
	return len(asking) >= 2 && f.deadStill(asking) && slices.ContainsFunc(asking, func(h *history) bool {
		words, _ := f.mayEnd(h.last())
		return slices.Contains(words, handsWord)
	})
}

// sleepsLong reports that a thread was seen in one sleep in all dumps, and not given a CPU at all from one of
// them to the next.
func (f *facts) sleepsLong(h *history) bool { return f.sleptThrough(h) > 0 }

// sleptThrough counts the intervals between dumps in which a thread was not given a CPU at all, if all show it in one
// sleep.
func (f *facts) sleptThrough(h *history) int {
	if !f.standsStill(h) {
		return 0
	}
	n := 0
	for i, now := range h.samples[1:] {
		before := h.samples[i]
		if now.turns != unknown && before.turns != unknown {
			n += one(now.turns == before.turns)
		} else if used := growth(before.cpu, now.cpu); used.Known {
			n += one(used.Value <= wakeCost)
		}
	}
	return n
}

// allSleep reports that every worker sleeps.
func (p *pool) allSleep() bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().Stack.op.kind != opSleep })
}
