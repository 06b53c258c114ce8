package heapgrowth

import (
	"slices"
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// growing is how the live heap grew over the capture.
type growing struct {
	from, to, max int64
	perSecond     float64
	// span is the time in which it grew, at the JVM's age at its end.
	span, at time.Duration
	// kept is the part of the allocated bytes that stayed.
	kept   float64
	fullIn time.Duration
	// linear tells that all came at this rate since the JVM started, steady that no more
	// is there than that.
	linear, steady bool
	// collected tells that collections of the old generation gave nothing back: in the
	// capture, or before it and as much is there as has come since the start.
	collected bool
	// collectedNow tells that several such collections ran in the capture, again that one did, or several
	// before it: the first may have had another reason than what is there, as new classes.
	collectedNow, again bool
	// outlived tells that several of them since the start left all that has come since.
	outlived bool
	// garbageToo tells that what is in use may be garbage.
	garbageToo bool
	// unseen tells that no collection of the capture shows it: from is unknown, and span is the
	// JVM's age at the latest one.
	unseen bool
}

// timelineGrowing is the growth of the capture, if it matters.
func timelineGrowing(f *timeline.Timeline) (g growing, ok bool) {
	first, last, ok := f.Counted()
	if !ok || neverEmptied(first) || !f.Measurable() || !neverFell(f) {
		return g, false
	}
	from, to := live(first), live(last)
	collections, allocated := timeline.Gained(first.GCCount, last.GCCount), allocatedBy(f, first, last)
	if !from.Known || !to.Known || !collections.Known || !allocated.Known || !last.HeapMax.Known {
		return g, false
	}
	if collections.Value == 0 {
		g, ok = keptEver(f, last, allocated.Value)
	} else {
		g, ok = grownBetween(f, first, last, collections.Value, allocated.Value)
	}
	if !ok {
		return g, false
	}
	g.fullIn = time.Duration(float64(max(0, g.max-g.to)) / g.perSecond * float64(time.Second))
	return g, g.fullIn <= HeapFullIn && g.mayStay()
}

// neverEmptied reports that these counters are of a heap that was not collected yet: what the
// first collection leaves is what there is, not what it grew by.
func neverEmptied(c *timeline.Counters) bool {
	return c.OldUsed.Known && c.GCCount.Known && c.GCCount.Value == 0
}

// grownBetween is the growth that the collections of the capture show.
func grownBetween(f *timeline.Timeline, first, last *timeline.Counters, collections, allocated int64) (g growing,
	ok bool) {
	g = growing{from: live(first).Value, to: live(soonAfter(f, last)).Value, max: last.HeapMax.Value}
	g.garbageToo = last.Collector == "Shenandoah" && collections < heapPhases
	g.span, g.at = growthSpan(f, first, last)
	made := float64(allocated) * g.span.Seconds() / f.Wall().Value.Seconds()
	// What grew beyond that was allocated before, and collected in it.
	grown := min(float64(g.to-g.from), made)
	if grown <= 0 || grown < heapGrowthLeast*float64(g.max) {
		return g, false
	}
	g.perSecond = grown / g.span.Seconds()
	g.kept = grown / max(1, made)
	g = likeEver(f, g, last, collections, allocated)
	g.steady = g.linear || g.everSince(heapLinear, heapWhole)
	g.linear = g.linear || g.everSince(heapLinear, heapLinear)
	g.collectedNow = timeline.Gained(first.OldCollections, last.OldCollections).Value >= 2
	left := int64(0) // pauses of collections that have left all that came
	if g.everSince(heapWhole, heapLinear) && !g.spared(first, last) {
		left = last.OldCollections.Value
	}
	inVain := collectedInVain(f, first, last)
	g.collected, g.again = inVain || left > 0, inVain || left > pausesOf(last)
	g.outlived = left >= heapOutlived
	return g, true
}

// spared reports that the old generation was collected before this capture, and not in it, though
// it was due again, had what stays of what is made been the reason: of that those collections
// say nothing.
func (g growing) spared(first, last *timeline.Counters) bool {
	due := float64(last.OldCollections.Value/pausesOf(last)) * g.span.Seconds() / g.at.Seconds()
	return g.kept < heapKeptSurely && due >= heapDue &&
		timeline.Gained(first.OldCollections, last.OldCollections).Value == 0
}

// mayStay reports that more of what is allocated stays than garbage does, or that it
// matters soon if it does.
func (g growing) mayStay() bool {
	switch {
	case g.kept >= heapKeptMuch, g.kept >= heapKept && (g.steady || g.collected), g.inVain(), g.outlived:
		return true
	}
	return g.kept >= heapKeptLeast && g.steady
}

// inVain reports that the heap fills at the same rate as ever and is nearly full, and
// that collections of the old generation do not stop it: what garbage there is beside
// matters no more.
func (g growing) inVain() bool { return g.linear && g.collectedNow && g.fullIn <= heapFullSoon }

// surelyGrows reports growth that no collection will take back.
func surelyGrows(f *timeline.Timeline, g growing) bool {
	switch {
	case finalizes(f), g.garbageToo, g.unseen:
		return false
	case memory.Starting(f):
		soon := g.inVain() || g.outlived && g.fullIn <= heapFullSoon
		return (soon || g.kept >= heapKept && g.again && g.steady) && !loadsFirst(f)
	}
	return g.inVain() || g.outlived || g.kept >= heapKept && g.collected ||
		g.kept >= heapKeptSurely && (g.linear || g.fullIn <= heapFullSoon)
}

// finalizes reports that objects wait for their finalizer: the thread that runs them
// is at work. Each lives for a collection more at least.
func finalizes(f *timeline.Timeline) bool {
	const working = 0.0003 // of a core; ten thousand small objects a second take twice that, none nothing
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		frames, share := h.Last().Stack.Frames, h.Share()
		return len(frames) > 0 && frames[len(frames)-1].Class == "java.lang.ref.Finalizer$FinalizerThread" &&
			share.Known && share.Value > working
	})
}

// live is what is left after collections, as far as the counters tell.
func live(c *timeline.Counters) timeline.Opt[int64] {
	if !c.OldUsed.Known {
		return c.HeapUsed
	}
	return threaddump.Known(c.OldUsed.Value + c.SurvivorUsed.Value)
}

// neverFell reports that no collection of the capture gave anything back.
func neverFell(f *timeline.Timeline) bool {
	before := timeline.Opt[int64]{}
	for _, s := range f.Snaps {
		if s.Counters == nil {
			continue
		}
		now := live(s.Counters)
		if before.Known && now.Known && now.Value < before.Value {
			return false
		}
		before = now
	}
	return true
}

// allocatedBy is how much was allocated over the capture: what the threads say, else
// what the young generation has room for, once per collection.
func allocatedBy(f *timeline.Timeline, first, last *timeline.Counters) timeline.Opt[int64] {
	if _, total := timeline.MostBy(f, cpu.Allocation); total > 0 {
		return threaddump.Known(total)
	}
	n := timeline.Gained(first.GCCount, last.GCCount)
	if !n.Known || !last.EdenCapacity.Known {
		return timeline.Opt[int64]{}
	}
	return threaddump.Known((n.Value + 1) * last.EdenCapacity.Value)
}

// growthSpan is the time in which what lived at the first counters became what lived at the
// last, and the JVM's age at its end: from one collection to another, as both sizes are as
// of a collection's end. Where few run in a capture, one more or less makes much of a
// difference. Where the capture begins long after a collection, in which the program may have
// rested, it is the capture.
func growthSpan(f *timeline.Timeline, first, last *timeline.Counters) (span, at time.Duration) {
	wall, from, to := f.Wall().Value, first.Emptied, last.Emptied
	span = to.Value - from.Value
	if memory.IsConcurrent(last.Collector) || !last.OldUsed.Known || !from.Known || !to.Known || span < wall/4 ||
		span > 3*wall {
		return wall, memory.Age(f).Value
	}
	return span, to.Value
}

// soonAfter are the earliest counters of the capture that no collection of the last ones came
// after: what is used at the last ones may also be large objects that were made since then in
// the old generation, and that nobody has yet tried to take back.
func soonAfter(f *timeline.Timeline, last *timeline.Counters) *timeline.Counters {
	for _, s := range f.Snaps {
		if c := s.Counters; c != nil && c.OldUsed.Known && c.GCCount == last.GCCount {
			return c
		}
	}
	return last
}

// everSince reports that what is in use came at this rate since the start: that at most so
// many times more would have come, and so many times less.
func (g growing) everSince(more, less float64) bool {
	expected := g.perSecond * g.at.Seconds()
	return g.at > 0 && expected <= more*float64(g.to) && float64(g.to) <= less*expected
}

// collectedInVain reports that a collection of the old generation ran in the capture, and
// two young ones after it: in those G1 takes back what it has found to be garbage. Of the two
// pauses in which G1 finds it the first gives back most, and may have been before the capture.
func collectedInVain(f *timeline.Timeline, first, last *timeline.Counters) bool {
	pauses := pausesOf(last)
	for _, s := range f.Snaps {
		c := s.Counters
		if c != nil &&
			(timeline.Gained(first.OldCollections, c.OldCollections).Value >= pauses ||
				timeline.Gained(first.FullCollections, c.FullCollections).Value > 0) {
			all, old := timeline.Gained(c.GCCount, last.GCCount), timeline.Gained(c.OldCollections, last.OldCollections)
			return all.Value-old.Value >= 2
		}
	}
	return false
}

// pausesOf is how many pauses a collection of the old generation has.
func pausesOf(c *timeline.Counters) int64 {
	if c.Collector == "G1" {
		return 2
	}
	return 1
}
