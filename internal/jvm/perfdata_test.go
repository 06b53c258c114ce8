package jvm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// perfFile writes counters as HotSpot does: names and values behind a header in
// each entry, entries behind a prologue.
func perfFile(order binary.ByteOrder, counters ...counter) []byte {
	data := []byte{0xca, 0xfe, 0xc0, 0xc0, 0, 2, 0, 1}
	if order == binary.LittleEndian {
		data[4] = 1
	}
	data = append(data, make([]byte, perfPrologueSize-len(data))...)
	order.PutUint32(data[24:], perfPrologueSize)
	order.PutUint32(data[28:], uint32(len(counters)))
	for _, c := range counters {
		data = append(data, perfEntry(order, c)...)
	}
	order.PutUint32(data[8:], uint32(len(data)))
	return data
}

func perfEntry(order binary.ByteOrder, c counter) []byte {
	body := append([]byte(c.name), 0)
	for len(body)%8 != 4 { // so that values are at multiples of eight
		body = append(body, 0)
	}
	entry := append(make([]byte, perfEntrySize), body...)
	value := len(entry)
	entry[12] = 'J'
	if c.isText {
		entry[12] = 'B'
		order.PutUint32(entry[8:], uint32(len(c.text)+1))
		entry = append(append(entry, c.text...), 0)
	} else {
		entry = append(entry, make([]byte, 8)...)
		order.PutUint64(entry[value:], uint64(c.number))
	}
	for len(entry)%8 != 0 {
		entry = append(entry, 0)
	}
	order.PutUint32(entry[0:], uint32(len(entry)))
	order.PutUint32(entry[4:], perfEntrySize)
	order.PutUint32(entry[16:], uint32(value))
	return entry
}

func number(name string, n int64) counter {
	return counter{name: name, number: n}
}

func text(name, s string) counter {
	return counter{name: name, text: s, isText: true}
}

var hertz = number("sun.os.hrt.frequency", 1e9)

// perfOf is the parsed form of counters.
func perfOf(t *testing.T, counters ...counter) *PerfData {
	t.Helper()
	d, err := ParsePerfData(perfFile(binary.LittleEndian, counters...))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParsePerfDataInBothByteOrders(t *testing.T) {
	want := []counter{
		number("java.threads.live", 6), number("negative", -1), number("sun.rt.safepointTime", 1<<40),
		text("sun.rt.javaCommand", "W a b"), text("empty", ""), text("odd", "\xed\xa0\x80"),
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		d, err := ParsePerfData(perfFile(order, want...))
		if err != nil {
			t.Fatalf("%v: %v", order, err)
		}
		for _, w := range want {
			if w.name == "odd" {
				w.text = "\uFFFD"
			}
			if got, ok := d.counters[w.name]; !ok || got != w {
				t.Errorf("%v: got %+v, want %+v", order, got, w)
			}
		}
		if len(d.counters) != len(want) {
			t.Errorf("%v: %v", order, d.counters)
		}
	}
}

func TestParsePerfDataRefuses(t *testing.T) {
	good := perfFile(binary.LittleEndian, number("first", 1), text("second", "two"))
	second := perfPrologueSize + int(binary.LittleEndian.Uint32(good[perfPrologueSize:]))
	for name, change := range map[string]struct {
		at    int
		bytes []byte
		reads int // counters that stay readable
	}{
		"magic":             {0, []byte{1}, -1},
		"byte order":        {4, []byte{2}, -1},
		"version":           {5, []byte{3}, -1},
		"entries' offset":   {24, []byte{0, 0, 0, 0x80}, 0},
		"offset too small":  {24, []byte{1, 0, 0, 0}, 0},
		"entries' number":   {28, []byte{0xff, 0xff, 0xff, 0xff}, 0},
		"too many entries":  {28, []byte{3, 0, 0, 0}, 2},
		"length zero":       {second, []byte{0, 0, 0, 0}, 1},
		"length too large":  {second, []byte{0xff, 0xff, 0xff, 0x7f}, 1},
		"length negative":   {second, []byte{0, 0, 0, 0x80}, 1},
		"name outside":      {second + 4, []byte{0xff, 0xff, 0, 0}, 1},
		"name in header":    {second + 4, []byte{3, 0, 0, 0}, 1},
		"value outside":     {second + 16, []byte{0xff, 0xff, 0xff, 0x7f}, 1},
		"value negative":    {second + 16, []byte{0xff, 0xff, 0xff, 0xff}, 1},
		"number cut off":    {perfPrologueSize + 16, []byte{33, 0, 0, 0}, 0},
		"number's negative": {perfPrologueSize + 16, []byte{0xf0, 0xff, 0xff, 0xff}, 0},
	} {
		bad := bytes.Clone(good)
		copy(bad[change.at:], change.bytes)
		d, err := ParsePerfData(bad)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := len(namesOf(d)); (d == nil) != (change.reads < 0) || d != nil && got != change.reads {
			t.Errorf("%s: %d counters, want %d (%v)", name, got, change.reads, err)
		}
	}
}

func namesOf(d *PerfData) []string {
	if d == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(d.counters))
}

func TestPerfDataCutAnywhere(t *testing.T) {
	good := perfFile(binary.BigEndian, number("first", 1), text("second", "two"), number("third", 3))
	for n := range good {
		if d, err := ParsePerfData(good[:n]); err == nil || len(namesOf(d)) > 2 {
			t.Errorf("%d of %d bytes: %v, %v", n, len(good), namesOf(d), err)
		}
	}
}

func TestPerfDataNotReady(t *testing.T) {
	data := perfFile(binary.LittleEndian, number("first", 1))
	data[7] = 0
	if _, err := ParsePerfData(data); !errors.Is(err, errPerfDataNotReady) {
		t.Errorf("got %v", err)
	}
}

func TestTicksBecomeTime(t *testing.T) {
	for rate, want := range map[int64]time.Duration{1e9: 1500, 1e6: 1500 * time.Microsecond, 3: 500 * time.Second} {
		d := perfOf(t, number("sun.rt.safepointTime", 1500), number("sun.os.hrt.frequency", rate))
		if got := d.SafepointTime(); !got.Known || got.Value != want {
			t.Errorf("rate %d: %+v, want %v", rate, got, want)
		}
	}
	for name, d := range map[string]*PerfData{
		"no rate":  perfOf(t, number("sun.rt.safepointTime", 1)),
		"rate 0":   perfOf(t, number("sun.rt.safepointTime", 1), number("sun.os.hrt.frequency", 0)),
		"no ticks": perfOf(t, hertz),
		"text":     perfOf(t, hertz, text("sun.rt.safepointTime", "7")),
		"overflow": perfOf(t, number("sun.rt.safepointTime", 1<<62), number("sun.os.hrt.frequency", 1)),
	} {
		if got := d.SafepointTime(); got.Known {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAbsentCountersAreUnknown(t *testing.T) {
	d := perfOf(t)
	for name, known := range map[string]bool{
		"uptime": d.Uptime().Known, "started": d.started().Known, "safepoints": d.Safepoints().Known,
		"classes": d.LoadedClasses().Known, "gc": d.GCTime().Known || d.GCCount().Known,
		"heap": d.HeapUsed().Known || d.HeapMax().Known, "attach": d.attachable().Known, "in gc": d.InGC(),
	} {
		if known {
			t.Errorf("%s is known of a JVM without counters", name)
		}
	}
}

func TestInGC(t *testing.T) {
	for _, c := range []struct {
		entry, exit int64
		want        bool
	}{{0, 0, false}, {5, 3, true}, {5, 5, false}, {5, 9, false}} {
		d := perfOf(t, hertz,
			text("sun.gc.collector.0.name", "idle"), number("sun.gc.collector.0.lastEntryTime", 1),
			number("sun.gc.collector.0.lastExitTime", 2),
			text("sun.gc.collector.2.name", "full"), number("sun.gc.collector.2.lastEntryTime", c.entry),
			number("sun.gc.collector.2.lastExitTime", c.exit))
		if got := d.InGC(); got != c.want {
			t.Errorf("entry %d, exit %d: %v", c.entry, c.exit, got)
		}
	}
}

// A concurrent GC of the old generation, by a third collector, does not empty the young one, and a heap without
// generations has none to empty.
func TestYoungGenerationEmptied(t *testing.T) {
	exits := func(generations ...string) time.Duration {
		var counters []counter
		for i, name := range generations {
			counters = append(counters, text(fmt.Sprintf("sun.gc.generation.%d.name", i), name))
		}
		for i, exit := range []int64{7, 4, 9} {
			counters = append(counters, text(fmt.Sprintf("sun.gc.collector.%d.name", i), "c"),
				number(fmt.Sprintf("sun.gc.collector.%d.lastExitTime", i), exit*1e9))
		}
		return perfOf(t, append(counters, hertz)...).Emptied().Value
	}
	if young, whole := exits("young", "old"), exits("Heap"); young != 7*time.Second || whole != 0 {
		t.Errorf("after %v, and of one part %v", young, whole)
	}
}

// The counters of a heap of 256 MB: divided among the generations by the
// collectors of old, shared by the newer ones, padded by G1 up to 17.
func TestHeapOfEachCollector(t *testing.T) {
	const mb256 = 256 << 20
	for _, c := range []struct {
		policy, collector  string
		youngMax, oldMax   int64
		gc                 string
		young, oldName     string
		withoutYoungSpaces bool
	}{
		{"Copy:MSC", "Serial young collection pauses", 89456640, 178978816, "Serial", "new", "old", false},
		{"ParScav:MSC", "PSScavenge", 89128960, 179306496, "Parallel", "new", "old", false},
		{"ParNew:CMS", "PCopy", 89456640, 178978816, "CMS", "new", "old", false},
		{"GarbageFirst", "G1 incremental collections", 268435480, 268435464, "G1", "young", "old", false},
		{"", "ZGC minor collection pauses", mb256, mb256, "ZGC", "young", "old", false},
		{"", "Shenandoah partial", 0, mb256, "Shenandoah", "Young", "Heap", true},
		{"", "", 0, mb256, "Epsilon", "", "Heap", true},
	} {
		counters := []counter{
			text("sun.gc.policy.name", c.policy), text("sun.gc.generation.1.name", c.oldName),
			number("sun.gc.generation.1.maxCapacity", c.oldMax), number("sun.gc.generation.1.space.0.used", 1000),
		}
		if c.collector != "" {
			counters = append(counters, text("sun.gc.collector.0.name", c.collector))
		}
		if c.young != "" {
			counters = append(counters, text("sun.gc.generation.0.name", c.young),
				number("sun.gc.generation.0.maxCapacity", c.youngMax))
		}
		want := int64(1000)
		if !c.withoutYoungSpaces {
			counters = append(counters, number("sun.gc.generation.0.space.0.used", 200),
				number("sun.gc.generation.0.space.2.used", 30))
			want = 1230
		}
		d := perfOf(t, counters...)
		if d.GC() != c.gc || d.HeapMax().Value != mb256 || d.HeapUsed().Value != want {
			t.Errorf("%s: %s with %d of %d bytes used, want %d", c.gc, d.GC(), d.HeapUsed().Value, d.HeapMax().Value,
				want)
		}
	}
}

func FuzzParsePerfData(f *testing.F) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		f.Add(perfFile(order, hertz, number("java.threads.live", 6), text("sun.rt.javaCommand", "W a"),
			text("sun.gc.collector.0.name", "x"), number("sun.gc.collector.0.lastEntryTime", 5)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParsePerfData(data)
		if d == nil {
			if err == nil {
				t.Fatal("neither counters nor an error")
			}
			return
		}
		var p Process
		p.decorate(d, time.Unix(1, 0))
		size := 0
		for name, c := range d.counters {
			size += len(c.text)
			if _, _ = d.number(name), d.duration(name); c.name != name {
				t.Fatalf("%q is kept as %q", c.name, name)
			}
		}
		if size > 3*len(data) { // a replaced byte takes three
			t.Fatalf("%d bytes of text from %d", size, len(data))
		}
	})
}
