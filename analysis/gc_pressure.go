package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// Thresholds of gc-pressure.
const (
	// gcPauses is the share of the time in which the application stood still for
	// collections. A program that allocates as fast as it can in a heap of a sensible
	// size spends 1 to 5 %, in a tight one 10; the parallel collector's own aim is
	// 1 % (GCTimeRatio=99), and at 98 % the JVM gives up.
	gcPauses = 0.25
	// gcPausesFull is the same for a heap that is nearly full after collections: there
	// it only gets worse.
	gcPausesFull = 0.10
	// gcStall is from where on the application hardly runs.
	gcStall = 0.8
	// gcWork is the collector threads' share of the CPU that the process used, and
	// gcCores how many cores that must be at least: for collectors that work beside
	// the application.
	gcWork  = 0.5
	gcCores = 0.5
	// gcWorkPausing is that share where the application also stands still for gcPausesFull of the
	// time, as in a tight heap; a collector that uses as much in one of a sensible size stops it for less.
	gcWorkPausing = 0.4
	// gcCoresFull is what they must take of a core where the heap is nearly full after collections.
	gcCoresFull = 0.25
	// gcOften is how many phases of collections a second leave threads waiting for memory,
	// so that the collector needs few cores to have more than they. A cycle of collectors
	// that work beside the application has three to five; in a heap with room they make
	// one or two cycles a second. gcOftenCores is what they must take even so.
	gcOften      = 50
	gcOftenCores = 0.05
	// gcAtWork is how much of a core the collector, and the VM thread which collects for the
	// serial one, use at least in the pauses that are theirs: in others they waited for a CPU.
	gcAtWork = 0.25
	// gcInFull is the part of all collections from which on full ones, gcFullLeast of them at
	// least, tell that an old generation of which oldMuch is in use has no room: none gives
	// back as much as the young one may hand over. As long as the heap is widened they may
	// come as often, over little that lives.
	gcInFull    = 0.5
	gcFullLeast = 5
	oldMuch     = 0.7
	// oldFull is the part of the old generation in use from which the heap counts as
	// nearly full. G1's may take the whole heap, of which it keeps 10 % for copies
	// (G1ReservePercent) and 5 % for the young generation (G1NewSizePercent).
	oldFull   = 0.9
	oldFullG1 = 0.85
)

// collecting is what the collector did over the capture.
type collecting struct {
	// pauses is the share of time that the application stood still for it, cores what
	// its threads used, work their share of the process's CPU. rate is phases of
	// collections per second, of collectors that work beside the application.
	pauses, cores, work Opt[float64]
	rate                float64
	// starved tells that the pauses were spent waiting for a CPU.
	starved     bool
	collections Opt[int64]
	// allFull counts the full collections, where most are such and have no room.
	allFull         int64
	full            bool
	oldUsed, oldMax int64
}

// detectGCPressure reports a collector that leaves the application no time.
//
// Rule: over the capture the application stood still for collections for at least a quarter of
// the time (a tenth if the old generation is 90 % full after them, or 85 % with G1, or if the serial or the
// parallel collector ran five full collections and more, half of all, that nobody asked for,
// over an old generation of which 70 % are in use), or the collector's threads used more
// than half of all CPU (two fifths where the application stands still for a tenth of the time as well) and half a
// core, a quarter in a heap as full as that; less will do where one that works beside the
// application collects all the time, and this waits for memory. Two collections at least:
// one long one is no pressure, nor are pauses in which the
// collector has no CPU. To blame are the threads that
// allocate most, or where the dumps do not count that (JDK 8) the one that likely does.
// Threads that ask for the collections themselves in half of the dumps come before
// both; that somebody asks the counters tell too, and then one dump will do.
//
// Of one dump it is what the GC threads have used since the JVM started (gc_since_start.go).
func detectGCPressure(f *facts) []candidate {
	if !f.measurable() {
		return f.gcPressureSinceStart()
	}
	c := f.collecting()
	severity, ok := c.severity()
	if !ok {
		return nil
	}
	result := Finding{
		Severity: severity, Confidence: Proven, Title: c.title(),
		Evidence: c.evidence(),
	}
	byHand := f.collectedByHand()
	if callers := f.collectByHand(byHand); len(callers) > 0 {
		f.blameCallers(&result, callers)
		return []candidate{{Finding: result}}
	}
	if byHand {
		result.Title += "; the program calls System.gc()"
		result.Advice = f.adviceByHand()
		return []candidate{{Finding: result}}
	}
	f.blameMost(&result, (*history).allocation)
	result.Advice = gcAdvice(c.full || c.allFull > 0, len(result.Culprits) > 0)
	return []candidate{{Finding: result}}
}

// adviceByHand is to ask no more, unless the JDK does itself to free direct memory.
func (f *timeline) adviceByHand() string {
	if len(f.directMemory()) > 0 {
		return directMemoryAdvice
	}
	return "Remove the calls of System.gc(), or start the JVM with -XX:+DisableExplicitGC."
}

// collectedByHand reports that every dump was taken in or after a collection that was
// asked for: the thread that asks has gone on by then, and may not be one of those named.
func (f *timeline) collectedByHand() bool {
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool {
		return s.counters == nil || s.counters.latestGCCause() != "System.gc()"
	})
}

// latestGCCause is why it collects, or if it does not, why it did last. While it
// collects the JVM gives "No GC" for the last.
func (c *Counters) latestGCCause() string { return cmp.Or(c.GCCause, c.LastGCCause) }

// collectByHand are the application's threads that half of the dumps or more show in
// a collection which they have asked for themselves, one dump if it is known that
// somebody asks.
func (f *timeline) collectByHand(known bool) []*Sample {
	var found []*Sample
	for _, h := range f.alive() {
		var last *Sample
		times := 0
		for _, s := range h.samples {
			if frames := s.Stack.Frames; len(frames) > 0 && frames[0].Name() == "java.lang.Runtime.gc" {
				last = s
				times++
			}
		}
		if last != nil && h.thread.Role == threaddump.Application && (known || 2*times >= len(f.snaps)) {
			found = append(found, last)
		}
	}
	return found
}

// blameCallers names the threads that ask for collections.
func (f *timeline) blameCallers(result *Finding, callers []*Sample) {
	for _, s := range callers {
		if e, ok := f.workEvidence(f.history(s), s); ok {
			result.Evidence = append(result.Evidence, e)
		}
	}
	result.Culprits = f.refs(callers)
	result.Title += "; " + quoteThreads(callers) + " " + verb(len(callers), "calls", "call") + " System.gc()"
	result.Advice = f.adviceByHand()
}

// severity applies the rule.
func (c collecting) severity() (s Severity, ok bool) {
	switch {
	case c.collections.Known && c.collections.Value < 2, c.starved && !c.full:
		return "", false
	case c.pauses.Known && c.pauses.Value >= gcStall:
		return Critical, true
	case c.pauses.Known && c.pauses.Value >= gcPauses,
		c.pauses.Known && c.pauses.Value >= gcPausesFull && (c.full || c.allFull > 0),
		c.work.Known && c.work.Value >= c.workLeast() && c.cores.Value >= c.coresLeast():
		return Warning, true
	}
	return "", false
}

// workLeast is the share of the CPU that the collector must use to count.
func (c collecting) workLeast() float64 {
	if c.pauses.Known && c.pauses.Value >= gcPausesFull {
		return gcWorkPausing
	}
	return gcWork
}

// coresLeast is how many cores the collector must use to count.
func (c collecting) coresLeast() float64 {
	switch {
	case c.rate >= gcOften:
		return gcOftenCores
	case c.full:
		return gcCoresFull
	}
	return gcCores
}

// collecting measures. The pauses of collectors that work beside the application
// are short and their counters hold whole cycles: there only the CPU tells.
func (f *timeline) collecting() (c collecting) {
	c.cores = f.roleShare(func(t *Thread) bool { return t.Role == threaddump.GC })
	total := f.shareOf(f.cpu())
	if c.cores.Known && total.Known && total.Value > 0 {
		c.work = threaddump.Known(min(1, c.cores.Value/total.Value))
	}
	first, last, ok := f.counted()
	if !ok {
		return c
	}
	c.collections = gained(first.GCCount, last.GCCount)
	if !isConcurrent(last.Collector) {
		c.pauses = f.shareOf(gained(first.GCTime, last.GCTime))
		c.pauses.Value = min(c.pauses.Value, 1) // a pause counts as it ends, and may have begun before the capture
		at := f.roleShare(func(t *Thread) bool { return t.Role == threaddump.GC || t.Role == threaddump.VM })
		c.starved = at.Known && c.cores.Known && at.Value < gcAtWork*c.pauses.Value
	} else if f.measurable() {
		c.rate = float64(c.collections.Value) / f.wall().Value.Seconds()
	}
	if last.OldUsed.Known && last.OldMax.Known && last.OldMax.Value > 0 {
		c.oldUsed, c.oldMax = last.OldUsed.Value, last.OldMax.Value
		c.full = float64(c.oldUsed) >= oldFullOf(last.Collector)*float64(c.oldMax)
	}
	c.allFull = c.fullOnes(first, last)
	return c
}

func oldFullOf(collector string) float64 {
	if collector == "G1" {
		return oldFullG1
	}
	return oldFull
}

// fullOnes counts the full collections of collectors that know no other of the old
// generation, none where they are few, asked for, or over little that lives.
func (c collecting) fullOnes(first, last *Counters) int64 {
	n := gained(first.OldCollections, last.OldCollections).Value
	switch {
	case c.oldMax == 0, last.Collector != "Serial" && last.Collector != "Parallel", last.latestGCCause() == "System.gc()",
		n < gcFullLeast, float64(n) < gcInFull*float64(c.collections.Value), float64(c.oldUsed) < oldMuch*float64(c.oldMax):
		return 0
	}
	return n
}

func isConcurrent(collector string) bool {
	return collector == "ZGC" || collector == "Shenandoah"
}

func (c collecting) title() string {
	var parts []string
	if c.pauses.Known && c.pauses.Value >= gcPausesFull {
		parts = append(parts, "garbage collection pauses the application "+percent(c.pauses.Value)+" of the time")
	} else {
		parts = append(parts, "garbage collection uses "+percent(c.work.Value)+" of the CPU, "+coresUsed(c.cores.Value))
	}
	if c.full {
		parts = append(parts, fmt.Sprintf("the old generation is %s full after it", percent(float64(c.oldUsed)/float64(c.oldMax))))
	}
	return strings.Join(parts, "; ")
}

// gcAdvice says what to do with a heap that is full or not, where threads that allocate
// are named or not.
func gcAdvice(full, named bool) string {
	switch {
	case full:
		return "The heap is too small for its live objects: find what is retained (jstall class-histogram PID), or increase -Xmx."
	case named:
		return "Allocate less in these threads, or enlarge the heap (-Xmx) or its young generation."
	}
	return "Find the code that allocates (jstall flame --engine jfr --event alloc), or enlarge the heap (-Xmx) or its young generation."
}

func (c collecting) evidence() (all []Evidence) {
	if c.pauses.Known && c.collections.Known {
		all = append(all, figure(fmt.Sprintf("%s in %s of the time", Counted(int(c.collections.Value), "collection"), percent(c.pauses.Value))))
	}
	if c.allFull > 0 {
		all = append(all, figure(fmt.Sprintf("%d of them are full ones", c.allFull)))
	}
	if c.rate >= gcOften {
		all = append(all, figure(Counted(int(c.collections.Value), "phase")+" of collections in this time"))
	}
	if c.cores.Known {
		all = append(all, figure("GC threads used "+coresUsed(c.cores.Value)))
	}
	if c.oldMax > 0 {
		all = append(all, figure(fmt.Sprintf("old generation: %s of %s in use", megabytes(c.oldUsed), megabytes(c.oldMax))))
	}
	return all
}
