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
	// gcPauses is the share of the time in which the application stood still for collections. A program that allocates
	// as fast as it can in a heap of a sensible size spends 1 to 5 %, in a tight one 10; the parallel collector's own
	// aim is 1 % (GCTimeRatio=99), and at 98 % the JVM gives up.
	gcPauses = 0.25
	// GCPausesFull is the same for a heap that is nearly full after collections: there it only gets worse.
	GCPausesFull = 0.10
	// gcStall is from where on the application hardly runs.
	gcStall = 0.8
	// gcWork is the collector threads' share of the CPU that the process used, and gcCores how many cores that must be
	// at least: for collectors that work beside the application.
	gcWork  = 0.5
	gcCores = 0.5
	// gcWorkPausing is that share where the application also stands still for gcPausesFull of the
	// time, as in a tight heap; a collector that uses as much in one of a sensible size stops it for less.
	gcWorkPausing = 0.4
	// gcCoresFull is what they must take of a core where the heap is nearly full after collections.
	gcCoresFull = 0.25
	// GCOften is how many phases of collections a second leave threads waiting for memory, so that the collector needs
	// few cores to have more than they. A cycle of collectors that work beside the application has three to five; in a
	// heap with room they make one or two cycles a second. gcOftenCores is what they must take even so.
	GCOften      = 50
	gcOftenCores = 0.05
	// gcAtWork is how much of a core the collector, and the VM thread which collects for the
	// serial one, use at least in the pauses that are theirs: in others they waited for a CPU.
	gcAtWork = 0.25
	// gcInFull is the part of all collections from which on full ones, gcFullLeast of them at least, tell that an old
	// generation of which oldMuch is in use has no room: none gives back as much as the young one may hand over. As
	// long as the heap is widened they may come as often, over little that lives.
	gcInFull    = 0.5
	gcFullLeast = 5
	oldMuch     = 0.7
	// oldFull is the part of the old generation in use from which the heap counts as
	// nearly full. G1's may take the whole heap, of which it keeps 10 % for copies
	// (G1ReservePercent) and 5 % for the young generation (G1NewSizePercent).
	oldFull   = 0.9
	oldFullG1 = 0.85
)

// Collections is what the collector did over the capture.
type Collections struct {
	// Pauses is the share of time that the application stood still for it, Cores what
	// its threads used, Work their share of the process's CPU. Rate is phases of
	// collections per second, of collectors that work beside the application.
	Pauses, Cores, Work timeline.Opt[float64]
	Rate                float64
	// starved reports whether the pauses were spent waiting for a CPU.
	starved bool
	Count   timeline.Opt[int64]
	// AllFull counts the full collections, where most are such and have no room.
	AllFull         int64
	Full            bool
	OldUsed, OldMax int64
}

// LatestGCCause is why it collects, or if it does not, why it did last. While it
// collects the JVM gives "No GC" for the last.
func LatestGCCause(c *timeline.Counters) string { return cmp.Or(c.GCCause, c.LastGCCause) }

// Severity applies the rule.
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

// MeasureCollections measures. The pauses of collectors that work beside the application
// are short and their counters hold whole cycles: there only the CPU tells.
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

// fullOnes counts the full collections of collectors that know no other of the old
// generation, none where they are few, asked for, or over little that lives.
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

// IsConcurrent reports a collector whose counters hold whole cycles and not pauses.
func IsConcurrent(collector string) bool {
	return collector == "ZGC" || collector == "Shenandoah"
}

// startup is how long after its start a JVM may load classes without end in sight.
const startup = time.Minute

// Starting reports that the JVM is young, or that its age is not known.
func Starting(f *timeline.Timeline) bool {
	age := Age(f)
	return !age.Known || age.Value < startup
}

// firstWork is the CPU time that a JVM uses for its start and the first work it gets: of Kafka's broker half a minute.
const firstWork = time.Minute

// InFirstWork reports that the threads of the JVM have used less CPU time together than the start and the first work of
// a server take, however long it was idle in between. Where the dump does not tell, the JVM's age does.
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

// Age is how long ago the JVM started: that of its oldest thread, or what the counters say.
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
