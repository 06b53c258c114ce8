package analysis

import (
	"fmt"
	"time"

	"jstall/threaddump"
)

// Thresholds of heap-growth.
const (
	// heapFullIn is the time in which the heap would be full at this rate. What takes
	// longer may well be given back by a collection that was not due yet.
	heapFullIn = 5 * time.Minute
	// heapKept is the part of what is allocated that stays alive. Of the garbage that
	// programs make a few percent live long enough to leave the young generation.
	// Under heapKeptSurely they may do so in a healthy program too, whose old
	// generation is collected only when it is half full: then all that is there must
	// have come at this rate, heapLinear times more or less, since the JVM started.
	heapKept       = 0.1
	heapKeptSurely = 0.3
	// heapKeptLeast is what stays of what is allocated where most is garbage. As much
	// is promoted in a healthy JVM whose old generation was not collected yet, so it
	// is a hint only, where the heap is full within heapFullSoon and has filled at
	// this rate all the time.
	heapKeptLeast = 0.03
	heapFullSoon  = time.Minute
	heapLinear    = 1.5
	// heapGrowthLeast is a growth below which a look says nothing, as a part of the
	// largest heap.
	heapGrowthLeast = 0.005
)

// growing is how the live heap grew over the look.
type growing struct {
	from, to, max int64
	perSecond     float64
	// kept is the part of the allocated bytes that stayed.
	kept   float64
	fullIn time.Duration
}

// detectHeapGrowth reports that what lives in the heap grows without end in sight.
//
// Rule: what is left after collections (the old generation; the whole heap where
// there is none) never fell from dump to dump and grew, collections ran meanwhile,
// at least a tenth of what was allocated stayed, and at this rate the heap is full
// within five minutes. A cache that is being filled looks the same, and fills the
// heap all the same. A hint: a thirtieth stayed, ever since the start, and the heap is
// full within one minute; or two dumps, which have one interval only.
func detectHeapGrowth(f *facts) []candidate {
	g, ok := f.growing()
	if !ok {
		return nil
	}
	finding := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("the live heap grows by %s a second and is full in %s: %s of %s in use",
			megabytes(int64(g.perSecond)), seconds(g.fullIn), megabytes(g.to), megabytes(g.max)),
		Advice: "Look at what is kept: GC.class_histogram twice, some time apart, shows the classes that grow.",
		Evidence: []Evidence{
			figure(fmt.Sprintf("in use after collections: %s, then %s", megabytes(g.from), megabytes(g.to))),
			figure(percent(min(1, g.kept)) + " of what was allocated stayed"),
		},
	}
	if g.unsure() || len(f.snaps) < 3 {
		finding.Severity, finding.Confidence = Info, Possible
	}
	refs, quotes := f.atWork(f.allocators())
	finding.Culprits = refs
	if len(refs) > 0 {
		finding.Title += "; " + quoteName(refs[0].Name) + " allocates most"
	}
	finding.Evidence = append(finding.Evidence, quotes...)
	return []candidate{{Finding: finding}}
}

func (f *facts) growing() (g growing, ok bool) {
	first, last, ok := f.counted()
	if !ok || !f.measurable() || !f.neverFell() {
		return g, false
	}
	from, to := live(first), live(last)
	collections := gained(first.GCCount, last.GCCount)
	if !from.Known || !to.Known || !collections.Known || collections.Value == 0 || !last.HeapMax.Known {
		return g, false
	}
	g = growing{from: from.Value, to: to.Value, max: last.HeapMax.Value}
	grown := float64(g.to - g.from)
	if grown <= 0 || grown < heapGrowthLeast*float64(g.max) {
		return g, false
	}
	g.perSecond = grown / f.wall().Value.Seconds()
	g.fullIn = time.Duration(float64(max(0, g.max-g.to)) / g.perSecond * float64(time.Second))
	allocated := f.allocatedBy(first, last)
	if !allocated.Known {
		return g, false
	}
	g.kept = grown / max(1, float64(allocated.Value))
	return g, g.fullIn <= heapFullIn && (g.kept >= heapKeptSurely || g.mayStay() && f.grewEverSince(g))
}

// mayStay reports that more of what is allocated stays than garbage does, or that it
// matters soon if it does.
func (g growing) mayStay() bool {
	return g.kept >= heapKept || g.unsure()
}

// unsure reports growth that a collection of the old generation might take back.
func (g growing) unsure() bool {
	return g.kept >= heapKeptLeast && g.kept < heapKept && g.fullIn <= heapFullSoon
}

// grewEverSince reports that what is in use came at this rate since the start.
func (f *facts) grewEverSince(g growing) bool {
	age := f.age()
	expected := g.perSecond * age.Value.Seconds()
	return age.Known && expected <= heapLinear*float64(g.to) && float64(g.to) <= heapLinear*expected
}

// live is what is left after collections, as far as the counters tell.
func live(c *Counters) Opt[int64] {
	if c.OldUsed.Known {
		return c.OldUsed
	}
	return c.HeapUsed
}

// neverFell reports that no collection of the look gave anything back.
func (f *facts) neverFell() bool {
	before := Opt[int64]{}
	for _, s := range f.snaps {
		if s.counters == nil {
			continue
		}
		now := live(s.counters)
		if before.Known && now.Known && now.Value < before.Value {
			return false
		}
		before = now
	}
	return true
}

// allocatedBy is how much was allocated over the look: what the threads say, else
// what the young generation has room for, once per collection.
func (f *facts) allocatedBy(first, last *Counters) Opt[int64] {
	if _, total := f.mostBy(func(h *history) Opt[int64] { return h.allocated }); total > 0 {
		return threaddump.Known(total)
	}
	n := gained(first.GCCount, last.GCCount)
	if !n.Known || !last.EdenCapacity.Known {
		return Opt[int64]{}
	}
	return threaddump.Known((n.Value + 1) * last.EdenCapacity.Value)
}
