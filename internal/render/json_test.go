package render_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

func jsonOf(t *testing.T, r *analysis.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := render.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func compiled(t *testing.T) *jsonschema.Schema { return compile(t, render.Schema()) }

func compile(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate checks one output against the schema.
func validate(t *testing.T, s *jsonschema.Schema, out []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestJSONFitsTheSchema(t *testing.T) {
	s := compiled(t)
	for name, report := range samples() {
		if err := validate(t, s, jsonOf(t, report)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var b bytes.Buffer
	if err := render.ListJSON(&b, []render.ListRow{{PID: 1, NamespacePID: ptr(2), Threads: ptr(3)}},
		analysis.SchemaVersion); err != nil {
		t.Fatal(err)
	}
	if err := validate(t, s, b.Bytes()); err != nil {
		t.Error(err)
	}
}

// TestSchema2IsWhatItWas holds reports in the form of schema 2 against the schema of the version that had it.
func TestSchema2IsWhatItWas(t *testing.T) {
	text, err := os.ReadFile("testdata/schema2.json")
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, text)
	for name, report := range samples() {
		var b bytes.Buffer
		if err := render.JSONAs(&b, report, analysis.OldestSchema); err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, b.Bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if validate(t, s, jsonOf(t, report)) == nil {
			t.Errorf("%s: its form of today passes for one of schema 2", name)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	for name, change := range map[string]func(*analysis.Report){
		"an unknown state":      func(r *analysis.Report) { r.Verdict.State = "fine" },
		"an unknown kind":       func(r *analysis.Report) { r.Findings[0].Kind = "lock" },
		"an unknown source":     func(r *analysis.Report) { r.Capture.Source = "guess" },
		"an unknown role":       func(r *analysis.Report) { r.Threads[0].Role = "boss" },
		"a negative time":       func(r *analysis.Report) { r.Threads[0].CPUSeconds = ptr(-1.0) },
		"a line counted from 0": func(r *analysis.Report) { r.Findings[0].Evidence[0].Line = ptr(0) },
		"an invalid address":    func(r *analysis.Report) { r.Findings[0].Resource.Address = "42" },
	} {
		r := deadlocked()
		change(r)
		if validate(t, s, jsonOf(t, r)) == nil {
			t.Errorf("accepts %s", name)
		}
	}
	extra := bytes.Replace(jsonOf(t, busy()), []byte(`{"schema":3`), []byte(`{"schema":3,"more":2`), 1)
	if validate(t, s, extra) == nil {
		t.Error("accepts a key it does not know")
	}
}

// TestSchemaIsComplete holds the schema's keys against the fields of the types.
func TestSchemaIsComplete(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(render.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for def, value := range map[string]any{
		"report": analysis.Report{}, "target": analysis.Target{}, "capture": analysis.Capture{},
		"verdict": analysis.Verdict{}, "finding": finding.Finding{}, "threadRef": finding.ThreadRef{},
		"resource": finding.Resource{}, "evidence": finding.Evidence{}, "thread": analysis.ThreadReport{},
		"wait":    analysis.Wait{},
		"failure": analysis.Failure{}, "jvm": render.ListRow{},
	} {
		keys, required := jsonKeys(reflect.TypeOf(value))
		got := schema.Defs[def]
		if len(got.Properties) != len(keys) {
			t.Errorf("%s: %d keys, its type has %d", def, len(got.Properties), len(keys))
		}
		for _, key := range keys {
			if got.Properties[key] == nil {
				t.Errorf("%s lacks %s", def, key)
			}
		}
		if strings.Join(got.Required, " ") != strings.Join(required, " ") {
			t.Errorf("%s requires %v, its type always has %v", def, got.Required, required)
		}
	}
}

// jsonKeys are the keys of a type, and those of them that are always there.
func jsonKeys(t reflect.Type) (all, always []string) {
	for i := range t.NumField() {
		key, rest, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if key == "-" { // for the text alone
			continue
		}
		all = append(all, key)
		if rest != "omitempty" {
			always = append(always, key)
		}
	}
	return all, always
}

func TestJSONIsOneLineOfSafeUTF8(t *testing.T) {
	for name, report := range samples() {
		out := jsonOf(t, report)
		if !utf8.Valid(out) || bytes.IndexByte(out, '\n') != len(out)-1 {
			t.Errorf("%s: not one line of UTF-8", name)
		}
		for _, r := range string(out[:len(out)-1]) {
			if !unicode.IsPrint(r) {
				t.Fatalf("%s: %q in the output", name, r)
			}
		}
	}
}

// TestJSONKeepsValues reads an output back: escapes change no value.
func TestJSONKeepsValues(t *testing.T) {
	for name, want := range samples() {
		var got analysis.Report
		if err := json.Unmarshal(jsonOf(t, want), &got); err != nil {
			t.Fatal(err)
		}
		if got.Verdict.Summary != strings.ToValidUTF8(eachBad(want.Verdict.Summary), "\ufffd") {
			t.Errorf("%s: %q", name, got.Verdict.Summary)
		}
		if len(got.Threads) != len(want.Threads) || len(got.Findings) != len(want.Findings) {
			t.Errorf("%s: %d threads, %d findings", name, len(got.Threads), len(got.Findings))
		}
	}
}

// eachBad replaces byte by byte, as encoding/json does.
func eachBad(s string) string { return string([]rune(s)) }

func TestJSONLeavesTheReportAlone(t *testing.T) {
	r := &analysis.Report{Findings: []finding.Finding{{}}, Threads: []analysis.ThreadReport{{}}}
	jsonOf(t, r)
	if r.Schema != 0 || r.Warnings != nil || r.Findings[0].Victims != nil || r.Threads[0].Stack != nil {
		t.Errorf("%+v", r)
	}
}

func TestSchemaIsACopy(t *testing.T) {
	clear(render.Schema())
	if !json.Valid(render.Schema()) {
		t.Error("the schema can be changed")
	}
}
