package jvm

import (
	"slices"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// Collector is one kind of collection of the JVM's garbage collector.
type Collector struct {
	// Name is the JVM's, and other words in each release: "PSScavenge" on 8,
	// "Parallel young collection pauses" on 26.
	Name        string
	Invocations Opt[int64]
	// Time is the sum of its pauses.
	Time Opt[time.Duration]
	// LastEntry and LastExit are times since the JVM's start.
	LastEntry, LastExit Opt[time.Duration]
}

// Running reports that the collector has begun and not ended.
func (c Collector) Running() bool {
	return c.LastEntry.Known && c.LastExit.Known && c.LastEntry.Value > c.LastExit.Value
}

// Collectors returns the kinds of collection in the JVM's order.
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

// InGC reports that the JVM stood still for a collection when it was read.
func (d *PerfData) InGC() bool { return slices.ContainsFunc(d.Collectors(), Collector.Running) }

// GCTime and GCCount are sums over all collectors, unknown without any.
func (d *PerfData) GCTime() Opt[time.Duration] {
	return total(d.Collectors(), func(c Collector) Opt[time.Duration] { return c.Time })
}

// GCCount: see GCTime.
func (d *PerfData) GCCount() Opt[int64] { return total(d.Collectors(), invocations) }

func invocations(c Collector) Opt[int64] { return c.Invocations }

// GCCause is why the JVM collects now, "No GC" if it does not.
func (d *PerfData) GCCause() string { return d.text("sun.gc.cause") }

// LastGCCause is why the JVM collected last, empty if unknown.
func (d *PerfData) LastGCCause() string { return d.text("sun.gc.lastCause") }

// GC is the name of the garbage collector as its flag has it: "Serial",
// "Parallel", "CMS", "G1", "ZGC", "Shenandoah", "Epsilon"; empty if unknown.
// ZGC, Shenandoah and Epsilon have no policy counter.
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

// Generation is a part of the heap, in bytes. Used is brought up to date at
// collections, and by some collectors in between.
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

// HeapUsed is the bytes in use over all generations.
func (d *PerfData) HeapUsed() Opt[int64] {
	return total(d.Generations(), func(g Generation) Opt[int64] { return g.Used })
}

// HeapMax is the largest size of the heap in bytes. The collectors of old
// divide it among the generations; the newer ones let each grow to all of it,
// and G1 up to 17 adds eight bytes for each space to keep jstat from dividing
// by zero (gc/g1/g1MonitoringSupport.hpp).
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

// OldGeneration is the part of the heap for what has lived long, without known
// figures where the collector has no such part.
func (d *PerfData) OldGeneration() Generation {
	all := d.Generations()
	if len(all) < 2 {
		return Generation{}
	}
	return all[1]
}

// OldCollections counts the collections of more than the young generation: full ones
// and, from 11 on, the pauses of G1's marking. Unknown where the heap has no such part.
func (d *PerfData) OldCollections() Opt[int64] {
	all := d.Collectors()
	if len(d.Generations()) < 2 || len(all) < 2 {
		return Opt[int64]{}
	}
	return total(all[1:], invocations)
}

// FullCollections counts the collections that stop the program for the whole heap. Unknown
// where the heap has no old generation.
func (d *PerfData) FullCollections() Opt[int64] {
	all := d.Collectors()
	if len(d.Generations()) < 2 || len(all) < 2 {
		return Opt[int64]{}
	}
	return all[1].Invocations
}

// Emptied is when the latest collection that empties the young generation ended, since the
// JVM's start: a young or a full one. Unknown before the first, and where the heap has no
// such part.
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

// SurvivorUsed is the bytes in the young generation that have lived through a
// collection, unknown where the collector has no such part.
func (d *PerfData) SurvivorUsed() Opt[int64] {
	if d.text("sun.gc.generation.0.space.0.name") != "eden" {
		return Opt[int64]{}
	}
	return d.sum("sun.gc.generation.0.space.1.used", "sun.gc.generation.0.space.2.used")
}

// MetaspaceUsed is the bytes that classes take, as of the last collection.
func (d *PerfData) MetaspaceUsed() Opt[int64] { return d.number("sun.gc.metaspace.used") }

// EdenCapacity is the room for new objects in bytes, unknown where the collector
// has no such part.
func (d *PerfData) EdenCapacity() Opt[int64] {
	if d.text("sun.gc.generation.0.space.0.name") != "eden" {
		return Opt[int64]{}
	}
	return d.number("sun.gc.generation.0.space.0.capacity")
}
