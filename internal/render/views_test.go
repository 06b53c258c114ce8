package render_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/render"
)

func known(n int64) diagcmd.Opt[int64] { return diagcmd.Opt[int64]{Value: n, Known: true} }

// accounts is one of each view, with all that it can show.
func accounts() []render.Account {
	heap := render.HeapFacts{
		Heap: diagcmd.HeapInfo{
			Collector: "G1", Used: known(100 << 20), Committed: known(200 << 20), Max: known(1 << 30),
			RegionSize: known(1 << 20),
			Regions:    []diagcmd.Regions{{Use: "eden", Count: 30}, {Use: "old", Count: 70}},
			Parts:      []diagcmd.HeapPart{{Name: "a", Used: known(0)}, {Name: "b", Space: true}},
			Metaspace:  &diagcmd.MetaspaceUse{Used: known(1 << 20)}, ClassSpace: &diagcmd.MetaspaceUse{},
		},
		Change: &render.HeapChange{Seconds: ptr(1.0), UsedBytes: -5 << 20, CommittedBytes: ptr(int64(3 << 20))},
		Collections: []render.Collections{{Name: "young", Count: 7, PauseSeconds: ptr(0.2), CountChange: ptr(int64(1)),
			PauseSecondsChange: ptr(0.01)}, {Name: "full"}},
	}
	samples := []diagcmd.VitalsSample{{Time: "2026-01-02 03:04:15", Values: []string{"54.4g", ""}},
		{Time: "2026-01-02 03:04:05", Values: []string{"50g", "1"}}}
	all := map[string]render.Facts{
		"gc-heap-info": heap,
		"vm-metaspace": render.MetaspaceFacts{
			Metaspace: diagcmd.Metaspace{Areas: []diagcmd.MetaspaceArea{{Name: "both", Used: known(1 << 20)}},
				Unlimited: true, CDS: "on"},
			Change: &render.MetaspaceChange{UsedBytes: ptr(int64(-1)), Classes: ptr(int64(12))},
		},
		"vm-classloader-stats": render.LoaderFacts{
			LoaderTable: diagcmd.LoaderTable{Count: known(1),
				Loaders: []diagcmd.Loader{{Address: "0x1", Class: "a.L", Classes: 2, Hidden: 1}}},
			Kinds: []render.LoaderKind{{Class: "a.L\x1b[2J", Loaders: 1, Classes: 3, Empty: 1,
				ClassesChange: ptr(int64(-2))}},
		},
		"class-histogram": render.HistogramFacts{
			Histogram: diagcmd.Histogram{Instances: known(3), Bytes: known(72),
				Classes: []diagcmd.ClassCount{{Class: "[B", Module: "java.base", Instances: 3, Bytes: 72}}},
			Live: ptr(true),
			Change: &render.HistogramChange{Instances: -1, Bytes: -24,
				Classes: []diagcmd.ClassCount{{Class: "[B", Instances: -1, Bytes: -24}}},
		},
		"compiler-queue": render.CompilerFacts{
			CompilerQueue: diagcmd.CompilerQueue{
				Active: []diagcmd.CompileTask{{Thread: "C2 CompilerThread0", ID: 1, Level: known(4), Method: "a.B::c",
					Bytes: known(9), OSR: true, Blocking: true}},
				Queues: []diagcmd.CompileQueue{{Compiler: "C1",
					Tasks: []diagcmd.CompileTask{{ID: 2, Method: "a.B::d", Native: true}}}},
			},
			Samples: []render.CompilerSample{{AtSeconds: ptr(0.0), Active: 1}, {Active: 2, Queued: 3}},
		},
		"vm-vitals": render.VitalsFacts{Vitals: diagcmd.Vitals{Periods: []diagcmd.VitalsPeriod{{
			Title: "Last 60 minutes", Columns: []string{"system avail", "jvm cls ld"}, Samples: samples,
		}}}},
		"vm-flags": render.FlagFacts{
			Flags: []diagcmd.Flag{{Name: "MaxHeapSize", Value: "268435456", Origin: "command line"},
				{Name: "UseG1GC", Value: "true"}},
			Limits:  render.FlagLimits{MemoryBytes: ptr(int64(1 << 30)), Cores: ptr(1.5)},
			Differs: []string{"something does not fit"},
		},
		"jvm-support": render.SupportFacts{
			Version: "17.0.15+6", Vendor: "Debian", Line: 17, LTS: true, LineReleased: "2021-09-14",
			Released: "2025-04-15", NewestDue: "2026-10-20",
			Behind: ptr(6), Status: "outdated", SupportEnds: "2027-10-31", SupportBy: "Eclipse Temurin",
			TableDate: "2026-05-26", Today: "2026-11-21",
		},
		"processes": render.ProcessFacts{
			Seconds: ptr(2.0), CPUs: ptr(4), BusySeconds: ptr(3.0), OwnSeconds: ptr(1.0),
			Processes: []render.ProcessRow{{PID: 7, Name: "cc1", CPUSeconds: 1.5, CPUPercent: ptr(75.0)}},
		},
	}
	var out []render.Account
	for _, view := range []string{"gc-heap-info", "vm-metaspace", "vm-classloader-stats", "class-histogram",
		"compiler-queue", "vm-vitals", "vm-flags", "jvm-support", "processes"} {
		out = append(out, render.Account{
			View: view, Facts: all[view], Target: analysis.Target{PID: 12, MainClass: "com.acme.Main"},
			Capture: render.AccountCapture{Source: "attach", Commands: []string{"GC.heap_info"},
				PauseSeconds: ptr(0.002), PauseFrom: "counters"},
		})
	}
	out[0].Unread = []render.Unread{{Command: "VM.x", Text: "\x1b[31mstrange\n\nlines"}, {Command: "VM.y"}}
	out[0].Warnings = []string{"one", "two"}
	return out
}

func TestAccounts(t *testing.T) {
	s := compiled(t)
	for _, a := range accounts() {
		var text, markdown, document bytes.Buffer
		for _, err := range []error{render.AccountText(&text, a, render.Options{}),
			render.AccountMarkdown(&markdown, a, render.Options{}),
			render.AccountJSON(&document, a, analysis.SchemaVersion)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		checkGolden(t, "view."+a.View+".txt", text.Bytes())
		checkGolden(t, "view."+a.View+".md.txt", markdown.Bytes())
		checkGolden(t, "view."+a.View+".json.txt", document.Bytes())
		if err := validate(t, s, document.Bytes()); err != nil {
			t.Errorf("%s: %v", a.View, err)
		}
		var narrow bytes.Buffer
		if err := render.AccountText(&narrow, a, render.Options{Width: 60}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(narrow.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 60 {
				t.Errorf("%s: wider than 60 columns: %q", a.View, line)
			}
		}
	}
}

// TestAccountsOfOtherViews holds the schema to the facts of each view.
func TestAccountsOfOtherViews(t *testing.T) {
	s := compiled(t)
	all := accounts()
	for i, a := range all {
		a.Facts = all[(i+1)%len(all)].Facts
		var document bytes.Buffer
		if err := render.AccountJSON(&document, a, analysis.SchemaVersion); err != nil {
			t.Fatal(err)
		}
		if validate(t, s, document.Bytes()) == nil {
			t.Errorf("the schema takes the facts of another view for those of %s", a.View)
		}
	}
}

// TestAccountSchemaIsComplete holds the schema's keys against the fields of the types.
func TestAccountSchemaIsComplete(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(render.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(ty reflect.Type) {
		for ty.Kind() == reflect.Pointer || ty.Kind() == reflect.Slice {
			ty = ty.Elem()
		}
		if ty.Kind() != reflect.Struct || seen[ty] || strings.HasPrefix(ty.Name(), "Opt[") {
			return
		}
		seen[ty] = true
		def := strings.ToLower(ty.Name()[:1]) + ty.Name()[1:]
		keys := 0
		for _, f := range reflect.VisibleFields(ty) {
			if f.Anonymous {
				continue
			}
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			keys++
			if schema.Defs[def].Properties[key] == nil {
				t.Errorf("%s lacks %s", def, key)
			}
			check(f.Type)
		}
		if got := len(schema.Defs[def].Properties); got != keys {
			t.Errorf("%s: %d keys, its type has %d", def, got, keys)
		}
	}
	check(reflect.TypeOf(render.AccountCapture{}))
	check(reflect.TypeOf(render.Unread{}))
	for _, a := range accounts() {
		check(reflect.TypeOf(a.Facts))
	}
}
