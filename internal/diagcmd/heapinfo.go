package diagcmd

import "strings"

// HeapInfo is what GC.heap_info answers. Unlike the counters, which most
// collectors bring up to date at collections only, it tells what is in use now.
//
//	G1          garbage-first heap   total 387072K, used 1024K [0x…
//	            garbage-first heap   total reserved 6172672K, committed 12288K, used 1496K [0x…     25 and newer
//	Serial      def new generation   total 116160K, used 10329K [0x…       and DefNew, Tenured
//	Parallel    PSYoungGen      total 113152K, used 9728K [0x…             and ParOldGen
//	CMS         par new generation, concurrent mark-sweep generation
//	ZGC         ZHeap           used 2M, capacity 378M, max capacity 6028M
//	Shenandoah  6028M max, 6028M soft max, 378M committed, 12288K used
//
// Sources: print_on of each heap under share/gc.
type HeapInfo struct {
	// Used is bytes, dead objects that are not yet collected included.
	Used Opt[int64]
	// Collector is "ZGC" or "Shenandoah", which the answer tells; empty for all others.
	Collector string
}

// ParseHeapInfo reads the answer; Used is unknown where no line tells it.
func ParseHeapInfo(text string) HeapInfo {
	var h HeapInfo
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "Metaspace" {
			continue
		}
		h.Used = plus(h.Used, usedIn(line, words))
		switch {
		case words[0] == "ZHeap":
			h.Collector = "ZGC"
		case words[0] == "Shenandoah":
			h.Collector = "Shenandoah"
		}
	}
	return h
}

// usedIn finds the size before or after the word "used"; the lines of the spaces
// within a generation have a percentage there.
func usedIn(line string, words []string) Opt[int64] {
	for i, w := range words {
		if strings.TrimSuffix(w, ",") != "used" {
			continue
		}
		switch {
		case (strings.Contains(line, " total ") || words[0] == "ZHeap") && i+1 < len(words):
			return size(strings.TrimSuffix(words[i+1], ","))
		case strings.Contains(line, " committed,") && i > 0:
			return size(words[i-1])
		}
	}
	return Opt[int64]{}
}
