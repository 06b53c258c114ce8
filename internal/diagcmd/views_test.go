package diagcmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saved are the real answers to a command, of every JDK.
func saved(t *testing.T, pattern string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../../testdata", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures %s: %v", pattern, err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "Unknown diagnostic command") {
			texts[path] = string(text)
		}
	}
	return texts
}

// The parts of an answer must add up to its own totals.
func TestTotalsOfHistograms(t *testing.T) {
	for path, text := range saved(t, "dumps/*/*GC.class_histogram.txt") {
		h := ParseHistogram(text)
		instances, bytes := int64(0), int64(0)
		for _, c := range h.Classes {
			instances, bytes = instances+c.Instances, bytes+c.Bytes
		}
		if h.Instances != known(instances) || h.Bytes != known(bytes) {
			t.Errorf("%s: %d objects, %d bytes; the answer says %v, %v", path, instances, bytes, h.Instances, h.Bytes)
		}
	}
}

func TestTotalsOfLoaders(t *testing.T) {
	for path, text := range saved(t, "dumps/*/*VM.classloader_stats.txt") {
		table := ParseLoaderTable(text)
		classes, chunks := int64(0), int64(0)
		for _, l := range table.Loaders {
			classes, chunks = classes+l.Classes+l.Hidden, chunks+l.ChunkBytes+l.HiddenChunkBytes
		}
		if table.Count != known(int64(len(table.Loaders))) || table.Classes != known(classes) ||
			table.Chunks != known(chunks) {
			t.Errorf("%s: %d loaders, %d classes, %d bytes; %+v", path, len(table.Loaders), classes, chunks, table)
		}
	}
}

func TestTotalsOfMetaspace(t *testing.T) {
	for path, text := range saved(t, "dumps/*/*VM.metaspace.txt") {
		m := ParseMetaspace(text)
		if len(m.Areas) != 3 || m.Areas[2].Name != "both" {
			t.Fatalf("%s: %+v", path, m)
		}
		sum, both := m.Areas[0].Used.Value+m.Areas[1].Used.Value, m.Areas[2].Used.Value
		if sum < both*99/100 || sum > both*101/100 || !m.Areas[2].Reserved.Known || !m.GCThreshold.Known ||
			!m.Unlimited {
			t.Errorf("%s: %+v", path, m)
		}
	}
}

func TestTotalsOfHeaps(t *testing.T) {
	for path, text := range saved(t, "dumps/*/*GC.heap_info.txt") {
		h := ParseHeapInfo(text)
		if h.Max != known(int64(1<<30)) || !h.Committed.Known || h.Used.Value > h.Committed.Value || h.Collector == "" {
			t.Errorf("%s: %+v", path, h)
		}
	}
}

func TestMetaspaceWithoutASpaceForClasses(t *testing.T) {
	m := ParseMetaspace(
		"Total Usage - 1 loader, 12 classes:\n" +
			"   3 chunks,      1.50 MB capacity,  1.00 MB ( 66%) committed,   512.00 KB ( 33%) used,    0 bytes ( " +
			" 0%) free\nMaxMetaspaceSize: 64.00 MB\n")
	if len(m.Areas) != 1 || m.Areas[0].Used != known(int64(512<<10)) || m.Loaders != known(int64(1)) ||
		m.Max != known(int64(64<<20)) ||
		m.Unlimited {
		t.Errorf("%+v", m)
	}
}

func TestCompilerQueueTasks(t *testing.T) {
	q := ParseCompilerQueue(
		"Current compiles: \nC1 CompilerThread0  7 %s!b  3       a.B::run @ 12 (30 bytes)\n\nC1 compile queue:\n" +
			"   8     n 0       java.lang.Object::hashCode (native)\n" +
			"   9       -       a.B::call (1 bytes)   made not entrant\nnonsense\n\nC2 compile queue:\nEmpty\n")
	if len(q.Active) != 1 || len(q.Queues) != 2 || len(q.Queues[0].Tasks) != 2 || len(q.Queues[1].Tasks) != 0 {
		t.Fatalf("%+v", q)
	}
	a, native, plain := q.Active[0], q.Queues[0].Tasks[0], q.Queues[0].Tasks[1]
	if a.Thread != "C1 CompilerThread0" || !a.OSR || !a.Blocking || a.Level != known(int64(3)) ||
		a.Bytes != known(int64(30)) ||
		a.Method != "a.B::run" {
		t.Errorf("%+v", a)
	}
	if !native.Native || native.Bytes.Known || plain.Level.Known || plain.Method != "a.B::call" {
		t.Errorf("%+v, %+v", native, plain)
	}
}

func TestFlagsOfBothForms(t *testing.T) {
	all := ParseFlags(
		"[Global flags]\n" +
			"    ccstr OnError                                  =                                           " +
			"{product} {default}\n" +
			"    ccstr HeapDumpPath                             = /var/a b                                " +
			"  {manageable} {command line}\n" +
			"   size_t MaxHeapSize                              = 268435456                       " +
			"          {product} {ergonomic}\n" +
			"     bool UseG1GC                                  := true                   " +
			"                  {product}\n" +
			"   double MaxRAMPercentage                         = 25.000000       " +
			"                          {product} {default}\n")
	if len(all.Values) != 5 || len(all.Changed) != 3 ||
		all.Changed[0] != (Flag{"HeapDumpPath", "/var/a b", "command line"}) ||
		all.Origin("MaxHeapSize") != "ergonomic" ||
		all.Values["OnError"] != "" {
		t.Errorf("%+v", all)
	}
	short := ParseFlags("-XX:CICompilerCount=2 -XX:-UseBiasedLocking -XX:+UseG1GC \n")
	if len(short.Changed) != 3 || short.Values["UseBiasedLocking"] != "false" ||
		short.Number("CICompilerCount") != known(int64(2)) {
		t.Errorf("%+v", short)
	}
}

// The form is SapMachine's; the values are made up.
const vitalsAnswer = `Vitals:
Last 60 minutes:
                                  ----system---- -------jvm-------
                                                 --heap--- -cls---
                                  avail comm  si comm used ld  uld
            2026-01-02 03:04:15   54.4g 21.7g  0 130m   7m  12   0
            2026-01-02 03:04:05   54.4g            130m   7m      0
`

func TestVitals(t *testing.T) {
	v := ParseVitals(vitalsAnswer)
	if len(v.Periods) != 1 || v.Periods[0].Title != "Last 60 minutes" || len(v.Periods[0].Samples) != 2 {
		t.Fatalf("%+v", v)
	}
	p := v.Periods[0]
	if want := "system avail|system comm|system si|jvm heap comm|jvm heap used|jvm cls ld|jvm cls uld"; strings.Join(
		p.Columns, "|",
	) != want {
		t.Errorf("columns %q", p.Columns)
	}
	if want := "54.4g|21.7g|0|130m|7m|12|0"; strings.Join(p.Samples[0].Values, "|") != want {
		t.Errorf("%q", p.Samples[0])
	}
	if p.Samples[1].Values[1] != "" || p.Samples[1].Values[2] != "" || p.Samples[1].Values[0] != "54.4g" {
		t.Errorf("%q", p.Samples[1])
	}
}

// Whatever comes, nothing panics, nothing is negative, and what is unknown is absent.
func FuzzViews(f *testing.F) {
	f.Add(vitalsAnswer)
	for _, pattern := range []string{"dumps/jdk17/*jcmd-VM.metaspace.txt", "dumps/jdk17/*jcmd-GC.class_histogram.txt",
		"views/*queue.txt"} {
		paths, _ := filepath.Glob("../../testdata/" + pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add(
		"Total Usage - 99999999999999999999 loaders, 1 classes\n Both: 1 chunks, 9e99 TB used\n1: -1 -2 [B\n" +
			"0x1 0x2 0x3 -1 -2 -3 a\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range []any{
			ParseHeapInfo(text), ParseMetaspace(text), ParseLoaderTable(text), ParseCompilerQueue(text),
			ParseHistogram(text), ParseVitals(text), MetaspaceOf(ParseHeapInfo(text)), ParseFlags(text).Changed,
		} {
			document, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(document), `Bytes":-`) || strings.Contains(string(document), `Bytes":null`) {
				t.Errorf("%s", document)
			}
		}
	})
}
