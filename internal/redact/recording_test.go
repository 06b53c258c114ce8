package redact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
	"github.com/jstall/jstall/internal/jfr/rewrite"
)

// Numbers of the types of forged recordings.
const (
	forgedLong, forgedText, forgedSymbol, forgedClass, forgedEvent = 1, 3, 4, 5, 20
)

// forgedRecording has an event with a pair, an array and a class, a constant text of 16 bits a character, and other
// events as they are given.
func forgedRecording(more ...[]byte) []byte {
	types := []jfrtest.Class{
		{ID: forgedLong, Name: "long"}, {ID: forgedText, Name: jfr.NameOfText},
		{ID: forgedSymbol, Name: jfr.NameOfSymbol, Fields: []jfrtest.Field{{Name: "string", Class: forgedText}}},
		{ID: forgedClass, Name: jfr.NameOfClass, Fields: []jfrtest.Field{
			{Name: "name", Class: forgedSymbol, Pooled: true}}},
		{ID: forgedEvent, Name: "shop.Event", Fields: []jfrtest.Field{
			{Name: "key", Class: forgedText}, {Name: "value", Class: forgedText},
			{Name: "class", Class: forgedClass, Pooled: true}, {Name: "notes", Class: forgedText, Array: true},
			{Name: "last", Class: forgedLong}}},
	}
	wide := append([]byte{byte(jfr.UTF16)}, jfrtest.Numbers(9)...)
	for _, c := range "pärоль-42" {
		wide = append(wide, jfrtest.Numbers(uint64(c))...)
	}
	notes := slices.Concat([]byte{4, byte(jfr.Null), byte(jfr.Empty), byte(jfr.Latin1), 5}, []byte("a\xe4 b3"),
		jfrtest.Text("to ann.smith@example.org"))
	one := slices.Concat(jfrtest.Numbers(forgedEvent), jfrtest.Text("db.password"), []byte{byte(jfr.Constant), 7},
		jfrtest.Numbers(2), notes, jfrtest.Numbers(300))
	places := jfrtest.Place(slices.Concat(jfrtest.Numbers(forgedText, 1, 7), wide),
		jfrtest.Numbers(forgedClass, 1, 2, 3),
		slices.Concat(jfrtest.Numbers(forgedSymbol, 1, 3), jfrtest.Text("shop/com.acme/Card-77")))
	return jfrtest.Chunk(types, slices.Concat(jfrtest.Sized(one), slices.Concat(more...)), places)
}

// note is an event with a key, a value and nothing else.
func note(key, value string) []byte {
	return jfrtest.Sized(slices.Concat(jfrtest.Numbers(forgedEvent), jfrtest.Text(key), jfrtest.Text(value),
		jfrtest.Numbers(2, 0, 1)))
}

// copied is a recording as it is copied at last, and how many secrets the first copy still had.
func copied(t *testing.T, data []byte) (out []byte, left int) {
	t.Helper()
	c := newTest(t).Recording()
	for range 2 {
		var b bytes.Buffer
		chunks, err := c.Copy(&b, bytes.NewReader(data))
		if err != nil || chunks == 0 {
			t.Fatalf("%d chunks, %v", chunks, err)
		}
		n, err := c.Check(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if out = b.Bytes(); n == 0 {
			return out, left
		}
		left = n
	}
	t.Fatalf("%d secrets are left in the second copy", left)
	return nil, 0
}

// TestRecordingHasNoSecrets: in no encoding, and also where no rule knows them.
func TestRecordingHasNoSecrets(t *testing.T) {
	first := forgedRecording(note("comment", "Card-77 of hunter2!xyz"))
	second := forgedRecording(note("api.key", "hunter2!xyz"), note("user.name", "asmithy"), note("x", "for asmithy"))
	out, left := copied(t, slices.Concat(first, second))
	if left != 1 {
		t.Errorf("%d secrets were left in the first copy, want that which the first chunk has", left)
	}
	for _, gone := range slices.Concat(bytesOf("pärоль-42"), [][]byte{
		[]byte("hunter2"), []byte("ann.smith"), []byte("asmithy")}) {
		if len(gone) > 0 && bytes.Contains(out, gone) {
			t.Errorf("%q is still there", gone)
		}
	}
	for _, kept := range []string{"shop/com.acme/Card-77", "Card-77 of redacted-key-", "for redacted-user-",
		"to redacted-email-", "a\xe4 b3"} {
		if !bytes.Contains(out, []byte(kept)) {
			t.Errorf("%q is not there", kept)
		}
	}
}

// TestCopyThatDiffers: an event less is not overlooked.
func TestCopyThatDiffers(t *testing.T) {
	data := forgedRecording(note("a", "b"))
	c := newTest(t).Recording()
	if _, err := c.Copy(io.Discard, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]byte{forgedRecording(), slices.Concat(data, data)} {
		if _, err := c.Check(bytes.NewReader(other)); !errors.Is(err, rewrite.ErrDiffers) {
			t.Errorf("%d bytes: %v", len(other), err)
		}
	}
}

// TestForgedRecordingsTakeNoMemory: whatever a recording claims, it takes what its size explains, or is refused.
func TestForgedRecordingsTakeNoMemory(t *testing.T) {
	data := forgedRecording(note("comment", strings.Repeat("long text ", 5000)))
	r := newTest(t)
	attempt := func(in []byte) error {
		_, err := r.Recording().Copy(io.Discard, bytes.NewReader(in))
		return err
	}
	if err := attempt(data); err != nil { // the rules are ready now
		t.Fatal(err)
	}
	refused := 0
	for at := 16; at < len(data)-5; at += max(1, len(data)/500) {
		forged := bytes.Clone(data)
		copy(forged[at:], "\xff\xff\xff\xff\x0f")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if attempt(forged) != nil {
			refused++
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 100*uint64(len(data)) {
			t.Errorf("forged at %d: %d MB", at, used>>20)
		}
	}
	if refused == 0 {
		t.Error("none was refused")
	}
}

// FuzzRedactJFR: what can be read can be redacted or is refused, and then it can be read with the same events. The
// header is made to fit, so that what is behind it is read.
func FuzzRedactJFR(f *testing.F) {
	unknown := jfrtest.Sized(jfrtest.Numbers(99, 1, 2, 3))
	for _, seed := range [][]byte{
		forgedRecording(), forgedRecording(note("api.key", "hunter2!xyz"), unknown, note("comment", "hunter2!xyz")),
	} {
		f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	}
	r := newTest(f)
	f.Fuzz(func(t *testing.T, data []byte, constants, metadata uint16) {
		chunk := jfrtest.Fit(data, constants, metadata)
		if chunk == nil || len(data) > 1<<16 {
			return
		}
		c := r.Recording()
		for range 2 {
			var out bytes.Buffer
			if _, err := c.Copy(&out, bytes.NewReader(append(chunk, chunk...))); err != nil {
				return
			}
			if _, err := c.Check(bytes.NewReader(out.Bytes())); err != nil && readable(chunk) {
				t.Fatal(err)
			}
		}
	})
}

// readable reports that all events and constants of a chunk can be read.
func readable(data []byte) bool {
	chunk, err := jfr.NewReader(bytes.NewReader(data)).Next()
	if err != nil {
		return false
	}
	if _, err := chunk.Constants(); err != nil {
		return false
	}
	return chunk.Events(nil, func(t *jfr.Type, in *jfr.Decoder) error {
		in.Object(t, nil)
		return in.Err
	}) == nil
}
