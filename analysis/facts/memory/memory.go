// Package memory measures what garbage collections cost, and how old the JVM is.
package memory

import (
	"cmp"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of gc-pressure.
const (
	// gcPauses is the share of the time in which collections paused the application. A program that allocates as fast
	// as it can in a heap of a sensible size spends 1 to 5 %, in a tight one 10 %. The parallel collector aims at 1 %
	// (GCTimeRatio=99), and at 98 % the JVM gives up.
	gcPauses = 0.25
	// GCPausesFull is the same for a heap that is nearly full after collections, where it only gets worse.
	GCPausesFull = 0.10
	// gcStall is the share of pauses from which on the application hardly runs.
	gcStall = 0.8
	// gcWork is the collector threads' share of the CPU that the process used, and gcCores the number of cores that
	// this must be at least. Both are for concurrent collectors.
	gcWork  = 0.5
	gcCores = 0.5
	// gcWorkPausing is that share if collections also pause the application for GCPausesFull of the time, as in a tight
	// heap. A collector that uses as much CPU in a heap of a sensible size pauses it for less.
	gcWorkPausing = 0.4
	// gcCoresFull is the part of a core that the collector must use if the heap is nearly full after collections.
	gcCoresFull = 0.25
	// GCOften is the number of collection phases per second from which on threads wait for memory, so that the
	// collector needs few cores to use more than the threads do. A cycle of a concurrent collector has three to five
	// phases; in a heap with room there are one or two cycles per second. gcOftenCores is the part of a core that the
	// collector must use even then.
	GCOften      = 50
	gcOftenCores = 0.05
	// gcAtWork is the part of a core that the collector, with the VM thread that collects for the serial one, uses at
	// least in its own pauses. In other pauses it waited for a CPU.
	gcAtWork = 0.25
	// gcInFull is the part of all collections that must be full ones, gcFullLeast their least number, and oldMuch the
	// part of the old generation in use, to show that the old generation has no room: no collection frees as much as
	// the young generation may promote. While the heap still grows, full collections may be as frequent with few live
	// objects.
	gcInFull    = 0.5
	gcFullLeast = 5
	oldMuch     = 0.7
	// oldFull is the part of the old generation in use from which the heap counts as nearly full. With G1 the old
	// generation may take the whole heap except 10 % for copies (G1ReservePercent) and 5 % for the young generation
	// (G1NewSizePercent).
	oldFull   = 0.9
	oldFullG1 = 0.85
)

// Collections is what the collector did over the capture.
type Collections struct {
	// Pauses is the share of time in which collections paused the application, Cores the cores that GC threads used,
	// Work their share of the process's CPU. Rate is collection phases per second of concurrent collectors.
	Pauses, Cores, Work timeline.Opt[float64]
	Rate                float64
	// starved reports whether the pauses were spent waiting for a CPU.
	starved bool
	Count   timeline.Opt[int64]
	// AllFull is the number of full collections if most collections are full and the old generation has no room; else
	// 0.
	AllFull         int64
	Full            bool
	OldUsed, OldMax int64
}

// LatestGCCause is the cause of the current collection, or of the last one if none runs. While a collection runs the
// JVM reports "No GC" as the last cause.
func LatestGCCause(c *timeline.Counters) string { return cmp.Or(c.GCCause, c.LastGCCause) }

// Severity grades the collections; ok is false if they are no finding.
func (c Collections) Severity() (s finding.Severity, ok bool) {
	switch {
	case c.Count.Known && c.Count.Value < 2, c.starved && !c.Full:
		return "", false
	case c.Pauses.Known && c.Pauses.Value >= gcStall:
		return finding.Critical, true
	case c.Pauses.Known && c.Pauses.Value >= gcPauses,
		c.Pauses.Known && c.Pauses.Value >= GCPausesFull && (c.Full || c.AllFull > 0),
		c.Work.Known && c.Work.Value >= c.workLeast() && c.Cores.Value >= c.coresLeast():
		return finding.Warning, true
	}
	return "", false
}

// workLeast is the share of the CPU that the collector must use to count.
func (c Collections) workLeast() float64 {
	if c.Pauses.Known && c.Pauses.Value >= GCPausesFull {
		return gcWorkPausing
	}
	return gcWork
}

// coresLeast is how many cores the collector must use to count.
func (c Collections) coresLeast() float64 {
	switch {
	case c.Rate >= GCOften:
		return gcOftenCores
	case c.Full:
		return gcCoresFull
	}
	return gcCores
}

// MeasureCollections measures what the collector did over the capture. The pauses of concurrent collectors are short
// and their counters count whole cycles, so only the CPU shows their cost.
func MeasureCollections(f *timeline.Timeline) (c Collections) {
	c.Cores = timeline.RoleShare(f, func(t *timeline.Thread) bool { return t.Role == threaddump.GC })
	total := f.ShareOf(f.CPU())
	if c.Cores.Known && total.Known && total.Value > 0 {
		c.Work = threaddump.Known(min(1, c.Cores.Value/total.Value))
	}
	first, last, ok := f.Counted()
	if !ok {
		return c
	}
	c.Count = timeline.Gained(first.GCCount, last.GCCount)
	if !IsConcurrent(last.Collector) {
		c.Pauses = f.ShareOf(timeline.Gained(first.GCTime, last.GCTime))
		c.Pauses.Value = min(c.Pauses.Value, 1) // a pause counts as it ends, and may have begun before the capture
		collects := func(t *timeline.Thread) bool { return t.Role == threaddump.GC || t.Role == threaddump.VM }
		at := timeline.RoleShare(f, collects)
		c.starved = at.Known && c.Cores.Known && at.Value < gcAtWork*c.Pauses.Value
	} else if f.Measurable() {
		c.Rate = float64(c.Count.Value) / f.Wall().Value.Seconds()
	}
	if last.OldUsed.Known && last.OldMax.Known && last.OldMax.Value > 0 {
		c.OldUsed, c.OldMax = last.OldUsed.Value, last.OldMax.Value
		c.Full = float64(c.OldUsed) >= oldFullOf(last.Collector)*float64(c.OldMax)
	}
	c.AllFull = c.fullOnes(first, last)
	return c
}

func oldFullOf(collector string) float64 {
	if collector == "G1" {
		return oldFullG1
	}
	return oldFull
}

// fullOnes is the number of full collections of the serial and the parallel collector, which collect the old generation
// only so. It is 0 if they are few, requested by System.gc(), or the old generation has room.
func (c Collections) fullOnes(first, last *timeline.Counters) int64 {
	n := timeline.Gained(first.OldCollections, last.OldCollections).Value
	switch {
	case c.OldMax == 0, last.Collector != "Serial" && last.Collector != "Parallel",
		LatestGCCause(last) == "System.gc()", n < gcFullLeast, float64(n) < gcInFull*float64(c.Count.Value),
		float64(c.OldUsed) < oldMuch*float64(c.OldMax):
		return 0
	}
	return n
}

// IsConcurrent reports whether the counters of a collector count whole cycles and not pauses.
func IsConcurrent(collector string) bool {
	return collector == "ZGC" || collector == "Shenandoah"
}

// startup is how long after its start a JVM may load classes steadily without a fault.
const startup = time.Minute

// Starting reports whether the JVM is young, or its age is unknown.
func Starting(f *timeline.Timeline) bool {
	age := Age(f)
	return !age.Known || age.Value < startup
}

// firstWork is the CPU time that a JVM uses for its start and its first work. Kafka's broker uses half a minute.
const firstWork = time.Minute

// InFirstWork reports whether the threads of the JVM together have used less CPU time than the start and the first work
// of a server take, however long it was idle in between. If the dump shows no CPU time, the age of the JVM decides.
func InFirstWork(f *timeline.Timeline) bool {
	used, known := int64(0), false
	for i := range f.Last().Samples {
		if cpu := f.Last().Samples[i].CPUTime; cpu != timeline.Unknown {
			used, known = used+cpu, true
		}
	}
	if !known {
		return Starting(f)
	}
	return used < int64(firstWork)
}

// Age is the time since the JVM started: the age of its oldest thread, or the uptime in its counters.
func Age(f *timeline.Timeline) timeline.Opt[time.Duration] {
	oldest := int64(timeline.Unknown)
	for i := range f.Last().Samples {
		oldest = max(oldest, f.Last().Samples[i].Age)
	}
	if c := f.Last().Counters; oldest == timeline.Unknown && c != nil {
		return c.Uptime
	}
	return timeline.Duration(oldest)
}
