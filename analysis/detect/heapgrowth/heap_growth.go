package heapgrowth

import (
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"time"

	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Thresholds of heap-growth.
const (
	// HeapFullIn is the time in which the heap would be full at this rate. What takes
	// longer may well be given back by a collection that was not due yet.
	HeapFullIn = 5 * time.Minute
	// heapKept is the part of what is allocated that stays alive. Of the garbage that
	// programs make a few percent live long enough to leave the young generation.
	// Sessions and the entries of a cache that come and go do so in a healthy program
	// too, up to the half of all that is made. Only a collection of the old generation,
	// which is due when that is half full, surely tells them from a leak; what has grown since
	// came at this rate, heapLinear times more or less, since the JVM started.
	heapKept   = 0.1
	heapLinear = 1.5
	// heapWhole is as heapLinear if no collection has given back a fifth of what came, and
	// if little was there before: where a stock that is filled has reached its bound,
	// survivors of it still come, at a rate that falls.
	heapWhole = 1.25
	// heapOutlived is after how many collections of the old generation since the start what
	// is still there lives, however little of all that was made it is; two pauses of G1's
	// are one.
	heapOutlived = 6
	// heapDue is how many of them must have been due in the capture, at their rate since the start, for
	// their absence to matter.
	heapDue = 0.75
	// heapKeptMuch is from where on growth is worth a hint however the JVM began,
	// heapKeptSurely what no program keeps for a while only.
	heapKeptMuch   = 0.3
	heapKeptSurely = 0.7
	// heapKeptLeast is what stays of what is allocated where most is garbage. As much
	// is promoted in a healthy JVM whose old generation was not collected yet, so it
	// is a hint only, where the heap has filled at this rate all the time; heapFullSoon is
	// when growth matters that collections do not stop.
	heapKeptLeast = 0.01
	heapFullSoon  = time.Minute
	// heapGrowthLeast is a growth below which a capture says nothing, as a part of the
	// largest heap.
	heapGrowthLeast = 0.005
	// heapPhases is how many phases of collections Shenandoah must have been through in
	// the capture, five to ten for each: it counts garbage as used until a collection is over,
	// and what grew between the first and the last of them only lives.
	heapPhases = 30
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

// Detector reports a heap in which more is alive after each collection.
var Detector = detect.Detector{
	Kind: finding.KindHeapGrowth,
	Doc:  "a heap in which more is alive after each collection",
	Run:  run,
}

// run reports that what lives in the heap grows without end in sight.
//
// Rule: what is left after collections (the old generation and the survivors; the
// whole heap where there are none) never fell from dump to dump and grew, collections
// ran meanwhile, and at this rate the heap is full within five minutes; a tenth of what
// was allocated stayed though the old generation was collected (in the capture, before two
// young collections; or earlier, and as much is there as has come since the start), or
// seven tenths ever since or so that the heap is full within a minute; or it is full within
// a minute at the rate that it has had since the start, though the old generation was
// collected twice in the capture; or all came at this rate since the start, and several
// collections of the old generation have left it; and nobody finalizes
// objects, which keeps each alive for a while. A cache that is being filled looks the
// same, and fills the heap all the same. In its first minute a JVM reads what it works
// with, and bounded caches hand on to the old generation what they have long let go: then
// that must have been collected, several times where garbage hides what stays, in the capture or more
// than once, and all must have come at one rate: a collection says nothing of what a stock that was
// loaded at once lets go of after it, and the first may have come as classes were loaded. Nobody may
// keep it who loads what the program starts with (see loadsFirst).
// A hint: a hundredth stayed ever since the start, or three tenths in any case, but no collection has
// tried to take it back; or two dumps,
// which have one interval only. Where no collection falls into the capture, what was there
// after the latest one tells (see keptEver).
func run(f *facts.Facts) []finding.Candidate {
	g, ok := timelineGrowing(f.Timeline)
	if !ok {
		return nil
	}
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: fmt.Sprintf("the live heap grows by %s a second and is full in %s: %s of %s in use",
			timeline.Megabytes(int64(g.perSecond)), finding.Seconds(g.fullIn), timeline.Megabytes(g.to), timeline.Megabytes(g.max)),
		Advice: "Look at what is kept: GC.class_histogram twice, some time apart, shows the classes that grow.",
		Evidence: []finding.Evidence{
			finding.Figure(g.told()),
			finding.Figure(finding.Percent(g.kept) + " of what was allocated stayed"),
		},
	}
	surely := surelyGrows(f.Timeline, g)
	if len(f.Snaps) < 3 || !surely {
		result.Severity, result.Confidence = finding.Info, finding.Possible
		if !surely && !g.collected {
			result.Advice = "No collection of the old generation has shown that it stays: a cache whose entries come and go looks the same, so take a second capture. " + result.Advice
		}
	}
	told := cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation)
	switch {
	case !told || len(result.Culprits) == 0:
	case cpu.ShareNamePattern(result.Culprits):
		result.Title += "; " + finding.ThreadsNamed(pools.NamePattern(result.Culprits[0].Name)) + " allocate most"
	default:
		result.Title += "; " + finding.QuoteName(result.Culprits[0].Name) + " allocates most"
	}
	return []finding.Candidate{{Finding: result, Behind: func(p0 *finding.Finding) bool { return IsOfFillers(&result, p0) }}}
}

// told is what was in use, and when.
func (g growing) told() string {
	if g.unseen {
		return fmt.Sprintf("in use after the last collection, %s after the start: %s", finding.Seconds(g.span), timeline.Megabytes(g.to))
	}
	return fmt.Sprintf("in use after collections: %s, then %s", timeline.Megabytes(g.from), timeline.Megabytes(g.to))
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
func grownBetween(f *timeline.Timeline, first, last *timeline.Counters, collections, allocated int64) (g growing, ok bool) {
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
	return g.kept < heapKeptSurely && due >= heapDue && timeline.Gained(first.OldCollections, last.OldCollections).Value == 0
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
	return g.inVain() || g.outlived || g.kept >= heapKept && g.collected || g.kept >= heapKeptSurely && (g.linear || g.fullIn <= heapFullSoon)
}

// sleepsMostly tells a thread that sleeps at most of the dumps.
func sleepsMostly(h *timeline.History) bool {
	asleep := 0
	for _, s := range h.Samples {
		if s.Stack.Op.Kind == stack.OpSleep {
			asleep++
		}
	}
	return 2*asleep > len(h.Samples)
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
