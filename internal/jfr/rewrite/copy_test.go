package rewrite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// longer makes every text longer, and keeps by which names it was asked.
type longer struct{ asked []string }

func (l *longer) Learn(Text) {}

func (l *longer) Change(t Text) string {
	l.asked = append(l.asked, t.Name+"="+t.Value)
	if t.Type == nil {
		return t.Value
	}
	return strings.Repeat(t.Value, 3)
}

// forged has two events with a key, a value and a number, of which one value is a constant, and two places of
// constants.
func forged() []byte {
	const long, text, event, owner = 2, 3, 20, 21
	types := []jfrtest.Class{
		{ID: long, Name: "long"}, {ID: text, Name: jfr.NameOfText},
		{ID: owner, Name: "a.Owner", Fields: []jfrtest.Field{{Name: "name", Class: text}}},
		{ID: event, Name: "a.Event", Fields: []jfrtest.Field{
			{Name: "key", Class: text}, {Name: "value", Class: text}, {Name: "owner", Class: owner, Pooled: true},
			{Name: "last", Class: long}}},
	}
	one := slices.Concat(jfrtest.Numbers(event), jfrtest.Text("k"), jfrtest.Text("v"), jfrtest.Numbers(1, 300))
	two := slices.Concat(jfrtest.Numbers(event), jfrtest.Text("c"), jfrtest.Numbers(uint64(jfr.Constant), 7, 1, 300))
	first := jfrtest.Place(slices.Concat(jfrtest.Numbers(text, 1, 7), jfrtest.Text("constant")))
	before := -int64(len(first))
	pool := slices.Concat(jfrtest.Numbers(owner, 1, 1), jfrtest.Text("o"))
	second := jfrtest.Sized(slices.Concat(jfrtest.Numbers(1, 0, 0, uint64(before), 1, 1), pool))
	chunk := jfrtest.Chunk(types, slices.Concat(jfrtest.Sized(one), jfrtest.Sized(two)), slices.Concat(first, second))
	binary.BigEndian.PutUint64(chunk[16:], uint64(len(chunk)-len(second)))
	return chunk
}

// valuesOf are the events of a recording as texts.
func valuesOf(data []byte) (values []string, err error) {
	for in := jfr.NewReader(bytes.NewReader(data)); ; {
		chunk, err := in.Next()
		if err == io.EOF {
			return values, nil
		}
		if err != nil {
			return values, err
		}
		if _, err := chunk.Constants(); err != nil {
			return values, err
		}
		if err := chunk.Events(nil, func(t *jfr.Type, in *jfr.Decoder) error {
			e := chunk.Event(t, in)
			values = append(values, fmt.Sprintf("%s %s %s %s %d", t.Name, e.Member("key").Text(),
				e.Member("value").Text(), e.Member("owner").Member("name").Text(), e.Member("last").Int()))
			return nil
		}); err != nil {
			return values, err
		}
	}
}

func TestTextsOfEventsAndConstants(t *testing.T) {
	var out bytes.Buffer
	texts := &longer{}
	copied, err := Copy(&out, bytes.NewReader(append(forged(), forged()...)), texts)
	if copied.Chunks() != 2 || err != nil {
		t.Fatal(copied, err)
	}
	x := func(s string) string { return strings.Repeat(s, 3) }
	one := []string{
		"a.Event " + x("k") + " " + x("v") + " " + x("o") + " 300",
		"a.Event " + x("c") + " " + x(x("constant")) + " " + x("o") + " 300",
	}
	got, err := valuesOf(out.Bytes())
	if want := append(one, one...); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n%.500q\nwant\n%.500q", err, got, want)
	}
	for _, want := range []string{"key=k", "k=v", "=constant", "c=" + x("constant"), "name=o"} {
		if !slices.Contains(texts.asked, want) {
			t.Errorf("%q was not asked for, only %.300q", want, texts.asked)
		}
	}
}

// same changes nothing.
type same struct{}

func (same) Learn(Text) {}

func (same) Change(t Text) string { return t.Value }

func TestWhatIsNotChangedStays(t *testing.T) {
	var out bytes.Buffer
	if _, err := Copy(&out, bytes.NewReader(forged()), same{}); err != nil || !bytes.Equal(out.Bytes(), forged()) {
		t.Errorf("%v: %d bytes, want %d", err, out.Len(), len(forged()))
	}
}

// TestConstantsThatAreNowhere: a place that is no place of constants is refused, not copied.
func TestConstantsThatAreNowhere(t *testing.T) {
	chunk := forged()
	binary.BigEndian.PutUint64(chunk[16:], binary.BigEndian.Uint64(chunk[16:])+1)
	if c, err := Copy(io.Discard, bytes.NewReader(chunk), same{}); err == nil || c.Chunks() != 0 {
		t.Errorf("%d chunks, %v", c.Chunks(), err)
	}
}

// FuzzCopy: what is written can be read, and holds as many events as before.
func FuzzCopy(f *testing.F) {
	seed := forged()
	f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	f.Fuzz(func(t *testing.T, data []byte, constants, metadata uint16) {
		chunk := jfrtest.Fit(data, constants, metadata)
		if chunk == nil || len(data) > 1<<16 {
			return
		}
		before, unreadable := valuesOf(chunk)
		var out bytes.Buffer
		if _, err := Copy(&out, bytes.NewReader(chunk), &longer{}); err != nil {
			return
		}
		after, err := valuesOf(out.Bytes())
		if unreadable == nil && (err != nil || len(after) != len(before)) {
			t.Fatalf("%v: %d events, %d before", err, len(after), len(before))
		}
	})
}
