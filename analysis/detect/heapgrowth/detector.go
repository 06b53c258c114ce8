package heapgrowth

import (
	"time"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
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
		Title: g.title(), Advice: growthAdvice, Evidence: []finding.Evidence{g.inUse(), g.stayed()},
	}
	surely := surelyGrows(f.Timeline, g)
	if len(f.Snaps) < 3 || !surely {
		result.Severity, result.Confidence = finding.Info, finding.Possible
		if !surely && !g.collected {
			result.Advice = unsureAdvice
		}
	}
	if cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation) && len(result.Culprits) > 0 {
		result.Title += allocators(result.Culprits)
	}
	return []finding.Candidate{{Finding: result, Behind: func(effect *finding.Finding) bool {
		return IsOfFillers(&result, effect)
	}}}
}
