package observe

import (
	"strings"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/threaddump"
)

// oldGenerations are the names of old generations in a heap section.
var oldGenerations = map[string]bool{
	"tenured generation": true, "Tenured": true, // Serial; the second from JDK 22 on
	"ParOldGen": true, "PSOldGen": true, // Parallel
	"concurrent mark-sweep generation": true,
}

// heapSection reads the heap section of a dump, nil if it has none with the size of the old generation or of the heap.
func heapSection(d *threaddump.Dump) *timeline.HeapSection {
	if len(d.Heap) == 0 {
		return nil
	}
	h := diagcmd.ParseHeapInfo(strings.Join(d.Heap, "\n"))
	used, most := h.Used, h.Max
	switch h.Collector {
	case "Serial", "Parallel", "CMS":
		used, most = diagcmd.Opt[int64]{}, diagcmd.Opt[int64]{}
		for _, p := range h.Parts {
			if oldGenerations[p.Name] {
				used, most = p.Used, p.Max
			}
		}
	case "G1":
		used.Value -= youngBytes(&h)
	case "":
		return nil
	}
	if !used.Known || !most.Known || most.Value <= 0 {
		return nil
	}
	return &timeline.HeapSection{
		Collector: h.Collector, OldUsed: timeline.Opt[int64](used), OldMax: timeline.Opt[int64](most),
	}
}

// youngBytes is the size of G1's young regions, which its used size includes.
func youngBytes(h *diagcmd.HeapInfo) int64 {
	n := int64(0)
	for _, r := range h.Regions {
		switch r.Use {
		case "young", "eden", "survivor":
			n += r.Count
		}
	}
	return n * h.RegionSize.Value
}
