package jvm

import (
	"slices"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// Collector is one kind of GC.
type Collector struct {
	// Name is the JVM's name for it, which differs between releases: "PSScavenge" on 8, "Parallel young collection
	// pauses" on 26.
	Name        string
	Invocations Opt[int64]
	// Time is the sum of its pauses.
	Time Opt[time.Duration]
	// LastEntry and LastExit are times since the JVM's start.
	LastEntry, LastExit Opt[time.Duration]
}

// Running reports whether a GC of this kind is in progress.
func (c Collector) Running() bool {
	return c.LastEntry.Known && c.LastExit.Known && c.LastEntry.Value > c.LastExit.Value
}

// Collectors returns the kinds of GC in the JVM's order.
func (d *PerfData) Collectors() []Collector {
	var all []Collector
	d.numbered("collector", "name", func(prefix string) {
		all = append(all, Collector{
			Name:        d.text(prefix + "name"),
			Invocations: d.number(prefix + "invocations"),
			Time:        d.duration(prefix + "time"),
			LastEntry:   d.duration(prefix + "lastEntryTime"),
			LastExit:    d.duration(prefix + "lastExitTime"),
		})
	})
	return all
}

// InGC reports whether a GC was in progress when the counters were read.
func (d *PerfData) InGC() bool { return slices.ContainsFunc(d.Collectors(), Collector.Running) }

// GCTime and GCCount are sums over all collectors, unknown without any.
func (d *PerfData) GCTime() Opt[time.Duration] {
	return total(d.Collectors(), func(c Collector) Opt[time.Duration] { return c.Time })
}

// GCCount: see GCTime.
func (d *PerfData) GCCount() Opt[int64] { return total(d.Collectors(), invocations) }

func invocations(c Collector) Opt[int64] { return c.Invocations }

// GCCause is the cause of the GC in progress, "No GC" without one.
func (d *PerfData) GCCause() string { return d.text("sun.gc.cause") }

// LastGCCause is the cause of the last GC, empty if unknown.
func (d *PerfData) LastGCCause() string { return d.text("sun.gc.lastCause") }

// GC is the name of the garbage collector as in its flag: "Serial", "Parallel", "CMS", "G1", "ZGC", "Shenandoah",
// "Epsilon"; empty if unknown. ZGC, Shenandoah and Epsilon have no policy counter.
func (d *PerfData) GC() string {
	switch d.text("sun.gc.policy.name") {
	case "Copy:MSC":
		return "Serial"
	case "ParScav:MSC":
		return "Parallel"
	case "ParNew:CMS":
		return "CMS"
	case "GarbageFirst":
		return "G1"
	}
	switch all := d.Collectors(); {
	case hasPrefix(all, "Z"):
		return "ZGC"
	case hasPrefix(all, "Shenandoah"):
		return "Shenandoah"
	case len(all) == 0 && d.text("sun.gc.generation.1.name") == "Heap":
		return "Epsilon"
	}
	return ""
}

// Generation is a part of the heap, in bytes. Used is updated at GCs, and by some collectors in between.
type Generation struct {
	Name      string
	Used, Max Opt[int64]
}

// Generations returns the parts of the heap, the young one first if there is one.
func (d *PerfData) Generations() []Generation {
	var all []Generation
	d.numbered("generation", "name", func(prefix string) {
		all = append(all, Generation{
			Name: d.text(prefix + "name"),
			Used: d.spacesUsed(prefix),
			Max:  d.number(prefix + "maxCapacity"),
		})
	})
	return all
}

func (d *PerfData) spacesUsed(generation string) Opt[int64] {
	const spaces = 3 // eden and two survivors are the most
	names := make([]string, spaces)
	for i := range names {
		names[i] = generation + "space." + strconv.Itoa(i) + ".used"
	}
	return d.sum(names...)
}

// HeapUsed is the used bytes of all generations.
func (d *PerfData) HeapUsed() Opt[int64] {
	return total(d.Generations(), func(g Generation) Opt[int64] { return g.Used })
}

// HeapMax is the maximum size of the heap in bytes. The older collectors divide it among the generations; the newer
// ones let each generation grow to the whole size. G1 up to 17 adds eight bytes for each space to keep jstat from
// dividing by zero (gc/g1/g1MonitoringSupport.hpp).
func (d *PerfData) HeapMax() (limit Opt[int64]) {
	divided := false
	switch d.GC() {
	case "Serial", "Parallel", "CMS":
		divided = true
	}
	for _, g := range d.Generations() {
		switch {
		case !g.Max.Known:
		case divided:
			limit = kernel.Known(limit.Value + g.Max.Value)
		default:
			limit = kernel.Known(max(limit.Value, g.Max.Value&^1023))
		}
	}
	return limit
}

// OldGeneration is the part of the heap for long-lived objects. Its figures are unknown for a collector without such a
// part.
func (d *PerfData) OldGeneration() Generation {
	all := d.Generations()
	if len(all) < 2 {
		return Generation{}
	}
	return all[1]
}

// OldCollections counts the GCs of more than the young generation: full ones and, from 11 on, the pauses of G1's
// marking. It is unknown for a heap without an old generation.
func (d *PerfData) OldCollections() Opt[int64] {
	all := d.Collectors()
	if len(d.Generations()) < 2 || len(all) < 2 {
		return Opt[int64]{}
	}
	return total(all[1:], invocations)
}

// FullCollections counts the stop-the-world GCs of the whole heap. It is unknown for a heap without an old generation.
func (d *PerfData) FullCollections() Opt[int64] {
	all := d.Collectors()
	if len(d.Generations()) < 2 || len(all) < 2 {
		return Opt[int64]{}
	}
	return all[1].Invocations
}

// Emptied is when the latest GC that empties the young generation ended, since the JVM's start: a young or a full one.
// It is unknown before the first, and for a heap without generations.
func (d *PerfData) Emptied() (at Opt[time.Duration]) {
	if len(d.Generations()) < 2 {
		return at
	}
	for i, c := range d.Collectors() {
		if i < 2 && c.LastExit.Known && c.LastExit.Value > at.Value {
			at = c.LastExit
		}
	}
	return at
}

// SurvivorUsed is the used bytes of the survivor spaces, unknown for a collector without them.
func (d *PerfData) SurvivorUsed() Opt[int64] {
	if d.text("sun.gc.generation.0.space.0.name") != "eden" {
		return Opt[int64]{}
	}
	return d.sum("sun.gc.generation.0.space.1.used", "sun.gc.generation.0.space.2.used")
}

// MetaspaceUsed is the bytes of metaspace in use, as of the last GC.
func (d *PerfData) MetaspaceUsed() Opt[int64] { return d.number("sun.gc.metaspace.used") }

// EdenCapacity is the size of eden in bytes, unknown for a collector without eden.
func (d *PerfData) EdenCapacity() Opt[int64] {
	if d.text("sun.gc.generation.0.space.0.name") != "eden" {
		return Opt[int64]{}
	}
	return d.number("sun.gc.generation.0.space.0.capacity")
}
