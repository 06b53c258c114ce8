package memory

import (
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds for heap sections of saved dumps, which come without counters.
const (
	// sectionWork is the collector's share of the CPU that the process used. sectionCores is the least that the
	// collector must use of a core, and sectionCoresMuch the least for a finding that is more than a hint.
	sectionWork      = gcWorkPausing
	sectionCores     = 0.05
	sectionCoresMuch = gcCoresFull
)

// FullHeap is a heap that is full in each dump while the collector works.
type FullHeap struct {
	timeline.HeapSection
	// Cores is what the threads that collect used, Work their share of the CPU of the process.
	Cores, Work float64
	// Much is true if Cores is more than a hint.
	Much bool
}

// FullInEachDump reads the heap sections of saved dumps. It is ok if the old generation, or a heap without one, is full
// in each dump, and the threads that collect used a large part of the CPU.
func FullInEachDump(f *timeline.Timeline) (full FullHeap, ok bool) {
	for _, s := range f.Snaps {
		h := s.Heap
		if h == nil || float64(h.OldUsed.Value) < oldFullOf(h.Collector)*float64(h.OldMax.Value) {
			return full, false
		}
		full.HeapSection = *h
	}
	cores := timeline.RoleShare(f, func(t *timeline.Thread) bool { return collects(t, full.Collector) })
	total := f.ShareOf(f.CPU())
	if !f.Measurable() || !cores.Known || !total.Known || total.Value <= 0 {
		return full, false
	}
	full.Cores, full.Work = cores.Value, min(1, cores.Value/total.Value)
	full.Much = full.Cores >= sectionCoresMuch
	return full, full.Work >= sectionWork && full.Cores >= sectionCores
}

// collects reports whether a thread runs collections: a GC thread, or with the serial collector the VM Thread.
func collects(t *timeline.Thread, collector string) bool {
	return t.Role == threaddump.GC || collector == "Serial" && t.Name == "VM Thread"
}
