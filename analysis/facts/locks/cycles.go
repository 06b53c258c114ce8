package locks

import (
	"github.com/jstall/jstall/analysis/timeline"
)

// cyclesAt finds the cycles of one dump: those that the locks form, and those that only the JVM's report names.
func (f *Locks) cyclesAt(at int) []*Cycle {
	g := f.Graph(at)
	found := make([]*Cycle, len(g.cycles))
	for i, path := range g.cycles {
		found[i] = newCycle(g, path)
		found[i].At = at
	}
	for _, i := range g.Waiting {
		if end := g.Ends[i]; end.cycle != None && !g.inCycle[i] {
			c := found[end.cycle]
			c.Behind = append(c.Behind, &g.Snap.Samples[i])
		}
	}
	for _, c := range g.upgradeCycles() {
		c.At = at
		found = append(found, c)
	}
	match := &reportMatch{g: g, at: at, found: found, of: map[*timeline.Sample]int{}}
	for i, c := range found {
		match.index(i, c)
	}
	for i := range g.Snap.Deadlocks {
		match.add(&g.Snap.Deadlocks[i])
	}
	for _, c := range match.found {
		c.index = indexMembers(c.Members)
	}
	return match.found
}

// findCycles lists the deadlocks that exist at the end of the capture: those of the last dump, and those of earlier
// dumps that no later dump refutes, as when the later one is cut off. Each is reported from the last dump that shows
// it.
func (f *Locks) findCycles() []*Cycle {
	var found []*Cycle
	index := cycleIndex{}
	for at := len(f.Timeline.Snaps) - 1; at >= 0; at-- {
		for _, c := range f.cyclesAt(at) {
			if known := index.same(c); known != nil {
				known.times++
			} else if refuted(f.Timeline, c) {
				warnGone(f.Timeline, c)
			} else {
				found = append(found, c)
				index.add(c)
			}
		}
	}
	return found
}

// refuted reports whether a dump that is surely later shows a member elsewhere, or is whole and lacks it. A deadlock
// does not end: of two dumps whose order is unknown, the one that shows it is the later.
func refuted(f *timeline.Timeline, c *Cycle) bool {
	for at := c.At + 1; at < len(f.Snaps); at++ {
		if movedOn(f, c, at) && timeline.SurelyBefore(f.Snaps[c.At], f.Snaps[at]) {
			return true
		}
	}
	return false
}

// movedOn reports whether a dump shows a member of the cycle elsewhere, or not at all.
func movedOn(f *timeline.Timeline, c *Cycle, at int) bool {
	for _, m := range c.Members {
		if m.Sample == nil {
			continue
		}
		there := f.History(m.Sample).SampleAt(at)
		if there == nil && Whole(f.Snaps[at]) && (!m.Sample.Thread.Virtual || f.Snaps[at].VirtualWhole()) {
			return true
		}
		if there != nil && (there.Stack != m.Sample.Stack || there.State != m.Sample.State) {
			return true
		}
	}
	return false
}

func warnGone(f *timeline.Timeline, c *Cycle) {
	if c.Timed || !Confirmed(f, c) {
		return // no finding named it
	}
	f.Warn("%s shows a deadlock of %s that a later dump does not; it is not counted",
		f.Snaps[c.At].Label(), c.Names())
}

// Confirmed reports whether the cycle is proven: two dumps must agree if the dump is not taken at one instant, as JSON
// dumps, or if an inference needs a second one. For a task that wants its waiter's lock, one dump with the owner (-l)
// is enough if no member moves in the others.
func Confirmed(f *timeline.Timeline, c *Cycle) bool {
	if c.Awaits != nil && len(c.Awaits.Stack.Initialises) == 0 {
		return len(f.Snaps) > 1 && f.AllStuck(c.samples())
	}
	return c.times > 1 || f.Snaps[c.At].Instant && !c.NeedsSecondDump
}

// InAllDumps reports whether every dump shows a cycle with a wait that ends by itself: its members return to it.
func InAllDumps(f *timeline.Timeline, c *Cycle) bool {
	return c.times > 1 && c.times == len(f.Snaps)
}

// SeenOnlyByJava reports whether the only dump that can show the cycle was taken thread by thread. Its threads may have
// moved in the meantime, but they took the same locks in opposite orders.
func SeenOnlyByJava(f *timeline.Timeline, c *Cycle) bool {
	return len(f.Snaps) == 1 && !f.Snaps[c.At].Instant && !c.Timed && !c.Inferred && len(c.Members) > 1
}
