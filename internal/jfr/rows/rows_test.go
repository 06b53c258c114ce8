package rows

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// Numbers of forged types.
const (
	ofLong, ofText, ofInner, ofOuter, ofEvent, ofClass, ofSymbol = 1, 3, 10, 11, 20, 30, 31
)

// forgedTypes are an event with arrays, and constants that have one another.
func forgedTypes() []jfrtest.Class {
	return []jfrtest.Class{
		{ID: ofLong, Name: "long"}, {ID: ofText, Name: jfr.NameOfText},
		{ID: ofSymbol, Name: jfr.NameOfSymbol, Fields: []jfrtest.Field{{Name: "string", Class: ofText}}},
		{ID: ofClass, Name: jfr.NameOfClass, Fields: []jfrtest.Field{{Name: "name", Class: ofSymbol, Pooled: true}}},
		{ID: ofInner, Name: "a.Inner", Fields: []jfrtest.Field{
			{Name: "name", Class: ofText}, {Name: "outer", Class: ofOuter, Pooled: true}}},
		{ID: ofOuter, Name: "a.Outer", Fields: []jfrtest.Field{
			{Name: "inners", Class: ofInner, Array: true}, {Name: "same", Class: ofOuter, Pooled: true},
			{Name: "of", Class: ofClass, Pooled: true}}},
		{ID: ofEvent, Name: "a.Event", Super: "jdk.jfr.Event", Fields: []jfrtest.Field{
			{Name: "event", Class: ofLong}, {Name: "outer", Class: ofOuter, Pooled: true},
			{Name: "names", Class: ofText, Array: true}, {Name: "types", Class: ofClass, Pooled: true, Array: true},
			{Name: "inners", Class: ofInner, Array: true}}},
	}
}

// join puts parts of a chunk one behind the other.
func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// forgedConstants are an outer that has itself, and a class with a long name.
func forgedConstants(name string) []byte {
	return jfrtest.Place(
		join(jfrtest.Numbers(ofOuter, 1, 1, 1), jfrtest.Text("y"), jfrtest.Numbers(1, 1, 5)),
		jfrtest.Numbers(ofClass, 1, 5, 6), join(jfrtest.Numbers(ofSymbol, 1, 6), jfrtest.Text(name)))
}

// forged is a chunk with one event that has so many types.
func forged(name string, types int) []byte {
	event := join(jfrtest.Numbers(ofEvent, 9, 1, 2), jfrtest.Text("c\x1b\u202e\""), []byte{0},
		jfrtest.Numbers(uint64(types)), bytes.Repeat([]byte{5}, types), jfrtest.Numbers(1), jfrtest.Text("z"),
		jfrtest.Numbers(1))
	return jfrtest.Chunk(forgedTypes(), jfrtest.Sized(event), forgedConstants(name))
}

func all(string) bool { return true }

// TestRowsOfForgedEvents: lists, names that are taken, what has itself, and text that a terminal would act on.
func TestRowsOfForgedEvents(t *testing.T) {
	var out bytes.Buffer
	counts, err := Read(bytes.NewReader(forged("[[La/B;", 2)), all, &NDJSON{To: &out})
	const want = `{"event":"a.Event","event_2":9,"outer.inners":["y"],"outer.of":"a.B[][]",` +
		`"names":["c\u001b\u202e\"",null],"types":["a.B[][]","a.B[][]"],` +
		`"inners":[{"name":"z","outer.of":"a.B[][]"}]}` + "\n"
	if err != nil || counts["a.Event"] != 1 || out.String() != want {
		t.Errorf("%v, %v, %s", err, counts, out.String())
	}
	var found Found
	if err := found.Survey(bytes.NewReader(forged("a/B", 1)), all, false); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	table, err := NewCSV(&out, found.Columns(), strings.ToUpper)
	if err == nil {
		_, err = Read(bytes.NewReader(forged("a/B", 1)), all, table)
	}
	if err == nil {
		err = table.Flush()
	}
	if _, row, _ := strings.Cut(out.String(), "\n"); err != nil ||
		!strings.HasPrefix(row, `A.EVENT,9,"[""y""]",A.B,"[""c\u001b\u202e\""`) {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestForgedRowsAreBounded: a constant of a megabyte that an event has a hundred times, and types that have one another
// so often that there are more columns than atoms.
func TestForgedRowsAreBounded(t *testing.T) {
	heavy := forged(strings.Repeat("x", 1<<20), 100)
	if _, err := Read(bytes.NewReader(heavy), all, &NDJSON{To: io.Discard}); !errors.Is(err, jfr.ErrForged) {
		t.Errorf("a row of 100 MB: %v", err)
	}
	types := []jfrtest.Class{{ID: 1, Name: "long"}}
	const deep, each = 7, 20
	for i := range deep {
		c := jfrtest.Class{ID: 100 + i, Name: "t" + string(rune('a'+i))}
		for n := range each {
			f := jfrtest.Field{Name: "f" + string(rune('a'+n)), Class: 101 + i, Pooled: true}
			if i == deep-1 {
				f = jfrtest.Field{Name: f.Name, Class: 1}
			}
			c.Fields = append(c.Fields, f)
		}
		types = append(types, c)
	}
	types[1].Super = "jdk.jfr.Event"
	chunk := jfrtest.Chunk(types, jfrtest.Event(100, make([]uint64, each)...), jfrtest.Place())
	if _, err := Read(bytes.NewReader(chunk), all, &NDJSON{To: io.Discard}); !errors.Is(err, jfr.ErrForged) {
		t.Errorf("a billion columns: %v", err)
	}
}

// lines takes rows and holds that they are JSON.
type lines struct{ t *testing.T }

func (l lines) Write(b []byte) (int, error) {
	if !json.Valid(b) || bytes.Count(b, []byte("\n")) != 1 {
		l.t.Errorf("no line of JSON: %q", b)
	}
	return len(b), nil
}

// FuzzRead: whatever a recording holds, rows are valid JSON of one line, and an error is of the recording.
func FuzzRead(f *testing.F) {
	seed := forged("a/B", 2)
	f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	f.Fuzz(func(t *testing.T, data []byte, constants, metadata uint16) {
		chunk := jfrtest.Fit(data, constants, metadata)
		if chunk == nil {
			return
		}
		_, _ = Read(bytes.NewReader(chunk), all, &NDJSON{To: lines{t}})
		var found Found
		_ = found.Survey(bytes.NewReader(chunk), all, true)
	})
}
