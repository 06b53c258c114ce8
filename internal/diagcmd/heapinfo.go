package diagcmd

import (
	"strconv"
	"strings"
)

// HeapInfo is the answer of GC.heap_info. It shows the current use, unlike the counters, which most collectors update
// only at a GC.
//
//	G1          garbage-first heap   total 387072K, used 1024K [0x…
//	             region size 1024K, 2 young (2048K), 0 survivors (0K)
//	            garbage-first heap   total reserved 6172672K, committed 12288K, used 1496K [0x…     25 and newer
//	             region size 4M, 1 eden (4M), 0 survivor (0M), 1 old (4M), …                        26 and newer
//	Serial      def new generation   total 116160K, used 10329K [0x…       and DefNew, Tenured
//	             eden space 103296K,  31% used [0x00000000c0000000, 0x00000000c2019678, 0x00000000c64e0000)
//	Parallel    PSYoungGen      total 113152K, used 9728K [0x…             and ParOldGen
//	CMS         par new generation, concurrent mark-sweep generation
//	ZGC         ZHeap           used 2M, capacity 378M, max capacity 6028M
//	Shenandoah  6028M max, 6028M soft max, 378M committed, 12288K used
//	             2048 x 512K regions
//	Epsilon     space 385692K,   0% used [0x…                              under "Allocation space:"
//	up to 24    Metaspace       used 3453K, capacity 4486K, committed 4864K, reserved 1056768K
//	              class space    used 298K, capacity 386K, committed 512K, reserved 1048576K
//
// Sources: print_on of each heap under share/gc.
type HeapInfo struct {
	// Collector is the flag's name of the garbage collector, "G1", "ZGC"; empty if unknown.
	Collector string `json:"collector,omitempty"`
	// Used is in bytes, including dead objects that are not collected yet. Committed is the size that the heap has got
	// from the system, Max its maximum size.
	Used      Opt[int64] `json:"usedBytes,omitzero"`
	Committed Opt[int64] `json:"committedBytes,omitzero"`
	Max       Opt[int64] `json:"maxBytes,omitzero"`
	// Parts are the generations, each before its spaces.
	Parts []HeapPart `json:"parts,omitempty"`
	// RegionSize is in bytes; Regions counts the regions by their use.
	RegionSize Opt[int64] `json:"regionBytes,omitzero"`
	Regions    []Regions  `json:"regions,omitempty"`
	// Metaspace and ClassSpace, the part of it for classes, are known up to JDK 24.
	Metaspace  *MetaspaceUse `json:"metaspace,omitempty"`
	ClassSpace *MetaspaceUse `json:"classSpace,omitempty"`
	Unread     `json:"-"`
}

// HeapPart is a generation, or a space of the generation before it.
type HeapPart struct {
	Name      string     `json:"name"`
	Space     bool       `json:"space,omitempty"`
	Used      Opt[int64] `json:"usedBytes,omitzero"`
	Committed Opt[int64] `json:"committedBytes,omitzero"`
	Max       Opt[int64] `json:"maxBytes,omitzero"`
}

// Regions are the regions of one use, "young", "eden"; "all" is their number.
type Regions struct {
	Use   string `json:"use"`
	Count int64  `json:"count"`
}

// MetaspaceUse is a line of GC.heap_info about metaspace, in bytes.
type MetaspaceUse struct {
	Used      Opt[int64] `json:"usedBytes,omitzero"`
	Capacity  Opt[int64] `json:"capacityBytes,omitzero"`
	Committed Opt[int64] `json:"committedBytes,omitzero"`
	Reserved  Opt[int64] `json:"reservedBytes,omitzero"`
}

// Recognised reports whether the text was an answer of GC.heap_info.
func (h HeapInfo) Recognised() bool { return h.Used.Known }

// ParseHeapInfo parses the answer; Used is unknown if no line has it.
func ParseHeapInfo(text string) HeapInfo {
	var h HeapInfo
	for line := range strings.Lines(latin(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "Metaspace":
			h.Metaspace = metaspaceUse(line)
		case words[0] == "class" && h.Metaspace != nil:
			h.ClassSpace = metaspaceUse(line)
		case words[0] == "ZHeap":
			h.Collector = "ZGC"
			h.Used, h.Committed, h.Max = after(line, "used"), after(line, "capacity"), after(line, "max capacity")
			h.check(line, h.Used, h.Committed)
		case words[0] == "Shenandoah", words[0] == "Epsilon":
			h.Collector = words[0]
		case h.Collector == "Shenandoah" && strings.Contains(line, " committed,"):
			h.Max, h.Committed, h.Used = before(line, "max"), before(line, "committed"), before(line, "used")
			h.check(line, h.Max, h.Committed, h.Used)
		case strings.Contains(line, " total ") && strings.Contains(line, " used "):
			h.addGeneration(line)
		case spaceLine().MatchString(line):
			h.addSpace(line)
		default:
			h.addRegions(line)
		}
	}
	return h
}

// generations are the beginnings of the lines by which collectors are recognised.
var generations = map[string]string{
	"garbage-first heap": "G1", "def new generation": "Serial", "DefNew": "Serial",
	"PSYoungGen": "Parallel", "par new generation": "CMS",
}

func (h *HeapInfo) addGeneration(line string) {
	name := strings.TrimSpace(line[:strings.Index(line, " total ")])
	p := HeapPart{Name: name, Used: after(line, "used"), Committed: after(line, "total"), Max: span(line)}
	if reserved := after(line, "reserved"); reserved.Known {
		p.Max, p.Committed = reserved, after(line, "committed")
	}
	if !p.Used.Known || !p.Committed.Known {
		h.note(line)
		return
	}
	h.Used, h.Committed, h.Max = plus(h.Used, p.Used), plus(h.Committed, p.Committed), plus(h.Max, p.Max)
	if c, ok := generations[name]; ok {
		h.Collector = c
	}
	h.Parts = append(h.Parts, p)
}

// spaceLine has the name, the size, and the first two addresses: the space is full up to the second.
var spaceLine = onUse(`^\s*(\w*)\s*space\s+(\w+),\s+\d+% used \[0x([0-9a-f]+),\s*0x([0-9a-f]+)`)

func (h *HeapInfo) addSpace(line string) {
	m := spaceLine().FindStringSubmatch(line)
	p := HeapPart{
		Name: strings.TrimSpace(m[1] + " space"), Space: true, Committed: size(m[2]), Used: distance(m[3], m[4]),
	}
	if h.Collector == "Epsilon" {
		h.Used, h.Committed, p.Space = p.Used, p.Committed, false
	}
	h.Parts = append(h.Parts, p)
}

var (
	regionSize  = onUse(`^\s*region size (\d+[KMG])`)
	regionCount = onUse(`(\d+) ([a-z]+) \(\d+[KMG]\)`)
	allRegions  = onUse(`^\s*(\d+) x (\d+) ?([KMG]) regions`)
)

func (h *HeapInfo) addRegions(line string) {
	if m := allRegions().FindStringSubmatch(line); m != nil {
		h.RegionSize = size(m[2] + m[3])
		h.Regions = append(h.Regions, Regions{"all", whole(m[1]).Value})
		return
	}
	m := regionSize().FindStringSubmatch(line)
	if m == nil {
		return
	}
	h.RegionSize = size(m[1])
	for _, m := range regionCount().FindAllStringSubmatch(line, -1) {
		h.Regions = append(h.Regions, Regions{m[2], whole(m[1]).Value})
	}
}

func metaspaceUse(line string) *MetaspaceUse {
	return &MetaspaceUse{
		Used: after(line, "used"), Capacity: after(line, "capacity"),
		Committed: after(line, "committed"), Reserved: after(line, "reserved"),
	}
}

// after is the size after a word: "used 439296K".
func after(line, word string) Opt[int64] {
	_, rest, ok := strings.Cut(line, " "+word+" ")
	if !ok {
		return Opt[int64]{}
	}
	rest = strings.TrimSpace(rest)
	end := strings.IndexAny(rest, ", \n[")
	if end >= 0 {
		rest = rest[:end]
	}
	return size(rest)
}

// before is the size before a word that ends at a comma or the line: "377M committed".
func before(line, word string) Opt[int64] {
	for part := range strings.SplitSeq(strings.TrimSpace(line), ",") {
		if value, ok := strings.CutSuffix(strings.TrimSpace(part), " "+word); ok && !strings.Contains(value, " ") {
			return size(value)
		}
	}
	return Opt[int64]{}
}

// span is the distance between the first and the last address in a line's brackets: the reserved size.
func span(line string) Opt[int64] {
	_, rest, _ := strings.Cut(line, "[")
	rest, _, ok := strings.Cut(rest, ")")
	words := strings.Split(rest, ",")
	if !ok || len(words) < 2 {
		return Opt[int64]{}
	}
	address := func(i int) string { return strings.TrimPrefix(strings.TrimSpace(words[i]), "0x") }
	return distance(address(0), address(len(words)-1))
}

func distance(from, to string) Opt[int64] {
	a, err := strconv.ParseUint(from, 16, 63)
	if err != nil {
		return Opt[int64]{}
	}
	b, err := strconv.ParseUint(to, 16, 63)
	if err != nil || b < a {
		return Opt[int64]{}
	}
	return known(int64(b - a))
}
