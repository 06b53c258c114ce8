// Package heapgrowth finds a growing heap.
package heapgrowth

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Thresholds of heap-growth.
const (
	// heapFullIn is the longest time until the heap is full: if it takes longer, a collection may be due before.
	heapFullIn = 5 * time.Minute
	// heapFullSoon is the same for growth that no collection of the old generation has confirmed.
	heapFullSoon = time.Minute
	// heapKept is the part of the allocated bytes that stays after a collection of the old generation. Of garbage, a
	// few percent live long enough to leave the young generation.
	heapKept = 0.1
	// heapKeptMuch is the part that is worth a hint without such a collection: sessions and caches keep as much.
	// heapKeptSurely is a part that no program keeps only temporarily.
	heapKeptMuch   = 0.3
	heapKeptSurely = 0.7
	// heapFew is a number of collections that is too small to measure how much stays: one more or less is a large part
	// of them.
	heapFew = 3
	// heapKeptLeast is the part that is worth a hint if the heap has filled at a constant rate since the JVM started,
	// within a factor of heapSteady.
	heapKeptLeast = 0.01
	heapSteady    = 1.4
	// heapKeptMost is a part that living threads cannot have allocated: others must have allocated some of it.
	heapKeptMost = 1.1
	// heapGrowthLeast is the part of the maximum heap size below which growth does not count.
	heapGrowthLeast = 0.005
)

// Detector reports a heap in which more is alive after each collection.
var Detector = detect.Detector{
	Kind: finding.KindHeapGrowth,
	Doc:  "a heap in which more is alive after each collection",
	Run:  run,
}

// run reports that the live objects in the heap grow so fast that the heap will soon be full.
//
// Rule: what is left after collections never fell from dump to dump and grew, and at this rate the heap is full within
// five minutes. It is a warning in three dumps if a collection of the old generation did not free it, or if most of
// what was allocated stays and the heap is full within a minute. It is a hint while objects are finalized. It is also a
// hint in the first minute of a JVM, which loads its working data, if the heap is full within a minute, and for a
// collector that counts garbage as used.
func run(f *facts.Facts) []finding.Candidate {
	g, ok := growth(f.Timeline)
	if !ok || g.maySettle(f.Timeline) {
		return nil
	}
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: g.title(), Evidence: g.evidence(),
	}
	_, counters, _ := f.Timeline.Counted()
	advice := growthAdvice(memory.Histogram(counters))
	if result.Advice = unsureAdvice + advice; g.freedNothing {
		result.Advice = advice
	}
	surely := g.freedNothing || g.kept >= heapKeptSurely && g.fullIn <= heapFullSoon
	doubt := g.unseen || g.garbageToo || finalizes(f.Timeline) || memory.Starting(f.Timeline)
	if surely && !doubt && len(f.Timeline.Snaps) >= 3 {
		result.Severity, result.Confidence, result.Advice = finding.Warning, finding.Likely, advice
	}
	if cpu.BlameTopThreads(f.Timeline, &result, cpu.Allocation) && len(result.Culprits) > 0 {
		result.Title += allocators(result.Culprits)
	}
	return []finding.Candidate{{Finding: result}}
}

// maySettle reports whether a JVM has just started, loads its working data, and has room for more than a minute of
// that.
func (g *growing) maySettle(f *timeline.Timeline) bool {
	return memory.Starting(f) && !g.freedNothing && g.fullIn > heapFullSoon
}

// growing is how the live heap grew over the capture.
type growing struct {
	from, to, max int64 // bytes
	perSecond     float64
	kept          float64 // the part of the allocated bytes that stayed
	fullIn        time.Duration
	// freedNothing: a collection of the old generation ran in the capture and did not free the growth.
	freedNothing bool
	// unseen: the collections of the capture do not show it. garbageToo: what is in use may be garbage.
	unseen, garbageToo bool
}

// growth is the growth of the heap over the capture; ok is false if it does not matter.
func growth(f *timeline.Timeline) (g growing, ok bool) {
	first, last, ok := f.Counted()
	if !ok || !hasPace(f, first) {
		return g, false
	}
	from, to := live(first), live(soonAfter(f, last))
	collections, allocated := timeline.Gained(first.GCCount, last.GCCount), allocatedBy(f, first, last)
	if !from.Known || !to.Known || !collections.Known || allocated.Value == 0 || !last.HeapMax.Known {
		return g, false
	}
	g = growing{from: from.Value, to: to.Value, max: last.HeapMax.Value, freedNothing: oldFreedNothing(f, first, last),
		garbageToo: memory.IsConcurrent(last.Collector)}
	grown := min(float64(g.to-g.from), float64(allocated.Value)) // the rest was allocated before
	g.perSecond = grown / f.Wall().Value.Seconds()
	g.kept = grown / float64(allocated.Value)
	matters := grown > 0 && grown >= heapGrowthLeast*float64(g.max) && g.setFullIn() <= heapFullIn
	if collections.Value <= heapFew && !matters {
		return sinceStart(f, last, float64(allocated.Value))
	}
	return g, matters && g.keeps(memory.Age(f).Value)
}

// keeps reports whether enough of the allocated bytes stayed: a large part, or less if a collection of the old
// generation did not free it, or if the heap has filled at this rate since the start.
func (g *growing) keeps(age time.Duration) bool {
	expected := g.perSecond * age.Seconds()
	steady := expected <= heapSteady*float64(g.to) && float64(g.to) <= heapSteady*expected
	return g.kept >= heapKeptMuch || g.freedNothing && g.kept >= heapKept || steady && g.kept >= heapKeptLeast
}

// hasPace reports whether the counters measure a growth: if the first collection is in the capture, it only shows the
// present size.
func hasPace(f *timeline.Timeline, first *timeline.Counters) bool {
	none := first.OldUsed.Known && first.GCCount.Known && first.GCCount.Value == 0
	return f.Measurable() && neverFell(f) && !none
}

func (g *growing) setFullIn() time.Duration {
	g.fullIn = time.Duration(float64(max(0, g.max-g.to)) / g.perSecond * float64(time.Second))
	return g.fullIn
}

// sinceStart is the growth that the few collections of the capture do not show: most of all that was allocated until
// the last one is in use, and threads allocate as fast as they have since the start.
func sinceStart(f *timeline.Timeline, last *timeline.Counters, allocated float64) (g growing, ok bool) {
	age, emptied := memory.Age(f).Value.Seconds(), last.Emptied.Value.Seconds()
	ever := 0.0
	for _, h := range f.Alive() {
		ever += float64(max(0, h.Last().Allocated)) // unknown is negative
	}
	if ever == 0 || emptied <= 0 || emptied > age || memory.IsConcurrent(last.Collector) {
		return g, false
	}
	used := live(last).Value
	pace := allocated / f.Wall().Value.Seconds() * age / ever
	g = growing{to: used, max: last.HeapMax.Value, perSecond: float64(used) / emptied, unseen: true,
		kept: float64(used) / (ever * emptied / age)}
	steady := heapKeptSurely <= pace && pace <= 1/heapKeptSurely
	return g, steady && heapKeptSurely <= g.kept && g.kept <= heapKeptMost && g.setFullIn() <= heapFullIn
}

// live is what is left after collections, as far as the counters show it.
func live(c *timeline.Counters) timeline.Opt[int64] {
	if !c.OldUsed.Known {
		return c.HeapUsed
	}
	return timeline.Opt[int64]{Value: c.OldUsed.Value + c.SurvivorUsed.Value, Known: true}
}

// neverFell reports whether no collection of the capture freed anything.
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

// soonAfter returns the earliest counters of the capture after its last collection. Later ones may include large
// objects that were allocated directly in the old generation since then.
func soonAfter(f *timeline.Timeline, last *timeline.Counters) *timeline.Counters {
	for _, s := range f.Snaps {
		if c := s.Counters; c != nil && c.OldUsed.Known && c.GCCount == last.GCCount {
			return c
		}
	}
	return last
}

// allocatedBy is how much was allocated over the capture: by the figures of the threads, else by the size of the young
// generation, once per collection.
func allocatedBy(f *timeline.Timeline, first, last *timeline.Counters) timeline.Opt[int64] {
	if _, total := timeline.MostBy(f, cpu.Allocation); total > 0 {
		return timeline.Opt[int64]{Value: total, Known: true}
	}
	n := timeline.Gained(first.GCCount, last.GCCount)
	made := (n.Value + 1) * last.EdenCapacity.Value
	return timeline.Opt[int64]{Value: made, Known: n.Known && last.EdenCapacity.Known}
}

// oldFreedNothing reports whether a collection of the old generation ran in the capture, and two young ones after it:
// in these G1 frees the garbage that it found, which it does in two pauses.
func oldFreedNothing(f *timeline.Timeline, first, last *timeline.Counters) bool {
	pauses := int64(1)
	if last.Collector == "G1" {
		pauses = 2
	}
	for _, s := range f.Snaps {
		c := s.Counters
		if c != nil && (timeline.Gained(first.OldCollections, c.OldCollections).Value >= pauses ||
			timeline.Gained(first.FullCollections, c.FullCollections).Value > 0) {
			all, old := timeline.Gained(c.GCCount, last.GCCount), timeline.Gained(c.OldCollections, last.OldCollections)
			return all.Value-old.Value >= 2
		}
	}
	return false
}

// finalizes reports whether the thread that runs finalizers is at work: such objects live for one more collection.
func finalizes(f *timeline.Timeline) bool {
	const working = 0.0003 // of a core; ten thousand small objects per second take twice that
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		frames := h.Last().Stack.Frames
		return len(frames) > 0 && frames[len(frames)-1].Class == "java.lang.ref.Finalizer$FinalizerThread" &&
			h.Share().Value > working
	})
}

func (g growing) title() string {
	return fmt.Sprintf("the live heap grows by %s a second and is full in %s: %s of %s in use",
		timeline.Megabytes(int64(g.perSecond)), finding.Seconds(g.fullIn),
		timeline.Megabytes(g.to), timeline.Megabytes(g.max))
}

// allocators completes a title with the threads that allocate most.
func allocators(refs []finding.ThreadRef) string {
	if cpu.ShareNamePattern(refs) {
		return "; " + finding.ThreadsNamed(pools.NamePattern(refs[0].Name)) + " allocate most"
	}
	return "; " + finding.QuoteName(refs[0].Name) + " allocates most"
}

const unsureAdvice = "Take a second capture: no collection of the old generation has shown that the objects stay, " +
	"and a cache that replaces entries grows in the same way. "

func growthAdvice(histogram string) string {
	return "Find the classes that grow: run " + histogram + " twice, a few minutes apart."
}

func (g growing) evidence() []finding.Evidence {
	inUse := fmt.Sprintf("in use after collections: %s, then %s", timeline.Megabytes(g.from), timeline.Megabytes(g.to))
	if g.unseen {
		inUse = "in use after the last collection: " + timeline.Megabytes(g.to)
	}
	return []finding.Evidence{finding.Figure(inUse),
		finding.Figure(finding.Percent(g.kept) + " of what was allocated stayed")}
}
