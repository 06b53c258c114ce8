package analysis

import "jstall/threaddump"

// findCycles lists the deadlocks that stand at the end of the capture: those of the
// last dump, and those of earlier ones that no later dump refutes, as when that
// one is cut off. Each is told from the last dump that shows it.
func (f *lockFacts) findCycles() []*cycle {
	var found []*cycle
	var index cycleIndex
	for at := len(f.snaps) - 1; at >= 0; at-- {
		for _, c := range f.cyclesAt(at) {
			if known := index.same(c); known != nil {
				known.times++
			} else if f.refuted(c) {
				f.warnGone(c)
			} else {
				found = append(found, c)
				index.add(c)
			}
		}
	}
	return found
}

// refuted reports that a dump which is surely later shows a member elsewhere, or
// lacks it though it is whole. A deadlock does not end: of two dumps whose order
// is not known, the one that shows it is the later.
func (f *timeline) refuted(c *cycle) bool {
	for at := c.at + 1; at < len(f.snaps); at++ {
		if f.movedOn(c, at) && surelyBefore(f.snaps[c.at], f.snaps[at]) {
			return true
		}
	}
	return false
}

// movedOn reports that a dump shows a member of the cycle elsewhere, or not at all.
func (f *timeline) movedOn(c *cycle, at int) bool {
	for _, m := range c.members {
		if m.sample == nil {
			continue
		}
		there := f.history(m.sample).sampleAt(at)
		if there == nil && f.snaps[at].whole() && !m.sample.Thread.Virtual {
			return true
		}
		if there != nil && (there.Stack != m.sample.Stack || there.State != m.sample.State) {
			return true
		}
	}
	return false
}

// sampleAt is the thread in one dump, nil if it is not there.
func (h *history) sampleAt(dump int) *Sample {
	for i, at := range h.at {
		if int(at) == dump {
			return h.samples[i]
		}
	}
	return nil
}

// whole reports that nothing of the dump is cut off: the JVM's own threads stand
// at its end, and all that it listed are there.
func (s *snapshot) whole() bool {
	return !s.cut && s.missing == 0 && countJava(s) < len(s.samples)
}

func (f *timeline) warnGone(c *cycle) {
	if c.timed || !f.confirmed(c) {
		return // nobody was told of it
	}
	f.warn("%s shows a deadlock of %s that a later dump does not; it is not counted",
		f.snaps[c.at].label(), c.names())
}

// samples are the members of a cycle that the dump shows.
func (c *cycle) samples() []*Sample {
	var found []*Sample
	for _, m := range c.members {
		if m.sample != nil {
			found = append(found, m.sample)
		}
	}
	return found
}

// names lists the members.
func (c *cycle) names() string {
	names := make([]string, len(c.members))
	for i, m := range c.members {
		names[i] = m.called()
	}
	return listed(names)
}

func (m member) called() string {
	if m.sample != nil {
		return m.sample.Thread.called()
	}
	return quoteName(m.name)
}

// confirmed reports that the cycle is no accident of the moment. Two dumps must
// agree where one is not taken at one instant, as JSON dumps are not, or where an
// owner is concluded that might just be on its way. Of a task that wants its waiter's
// lock one dump alone may tell who holds that (-l), if in others nobody has moved.
func (f *timeline) confirmed(c *cycle) bool {
	switch {
	case c.byFrames:
		return c.times > 1 && f.stoodStill(c)
	case c.awaits != nil && len(c.awaits.Stack.initialises) == 0:
		return len(f.snaps) > 1 && f.stoodStill(c) && f.allStandStill(c.samples())
	}
	return c.times > 1 || f.snaps[c.at].instant && !c.weak
}

// stoodStill reports that no member was woken between the dumps that show the
// cycle: a lock just handed over has no owner for a moment.
func (f *timeline) stoodStill(c *cycle) bool {
	for _, m := range c.members {
		if m.sample == nil {
			return false
		}
		if h := f.history(m.sample); f.standingStill(h).dumps < c.times && f.standingBy(h, onlyLooked).dumps < c.times {
			return false
		}
	}
	return true
}

// onlyLooked tells a thread that two dumps show blocked at one monitor, that made nothing meanwhile, and was
// given a CPU no more often than it takes to look at that now and then, whatever time it is said to have
// used: on a busy machine that of others is counted to it.
func onlyLooked(a, b *Sample) bool {
	const looks = 3 // turns in between
	if a.wait != waitMonitor || b.wait != waitMonitor || a.Stack != b.Stack || a.allocated != b.allocated {
		return false
	}
	from, to := a.waitsOn(), b.waitsOn()
	return from != nil && to != nil && from.address == to.address && a.turns != unknown && b.turns != unknown && b.turns-a.turns <= looks
}

// lasting reports that a cycle with a wait that ends by itself stood in every
// dump: its members come back to it.
func (f *timeline) lasting(c *cycle) bool { return c.times > 1 && c.times == len(f.snaps) }

// onlyWritten tells a cycle that the only dump which can show it is no single moment:
// its threads may have passed each other in the time that took, but even so they have
// been seen to take the same locks in opposite orders.
func (f *timeline) onlyWritten(c *cycle) bool {
	return len(f.snaps) == 1 && !f.snaps[c.at].instant && !c.timed && !c.inferred && len(c.members) > 1
}

// grade says how sure and how bad a cycle is.
func (f *timeline) grade(c *cycle) (Severity, Confidence) {
	switch {
	case f.onlyWritten(c):
		return Warning, Likely
	case c.timed && !f.lasting(c), !f.confirmed(c):
		return Info, Possible
	case c.timed, c.permits:
		return Warning, Likely
	case c.inferred && c.reported == nil:
		return Critical, Likely
	}
	return Critical, Proven
}

// lockType names what a thread waits for in a report.
func lockType(s *Sample) string {
	switch {
	case s.wait == waitClassInit:
		return "class initialization"
	case s.wait == waitMonitor:
		return "monitor"
	case s.waitsOn() != nil && s.waitsOn().op == threaddump.WaitingToLock:
		return "monitor"
	}
	return "ownable synchronizer"
}
