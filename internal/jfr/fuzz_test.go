package jfr

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// Numbers of the types of seeds.
const (
	seedLong, seedText, seedInner, seedOuter, seedEvent = 1, 3, 10, 11, 20
)

// seedTypes are an event with a number, a text, an array and constants that have one another.
func seedTypes() []jfrtest.Class {
	return []jfrtest.Class{
		{ID: seedLong, Name: "long"}, {ID: seedText, Name: NameOfText}, {ID: 5, Name: "double"},
		{ID: seedInner, Name: "a.Inner", Fields: []jfrtest.Field{
			{Name: "name", Class: seedText}, {Name: "outer", Class: seedOuter, Pooled: true}}},
		{ID: seedOuter, Name: "a.Outer", Fields: []jfrtest.Field{
			{Name: "inners", Class: seedInner, Array: true}, {Name: "same", Class: seedOuter, Pooled: true}}},
		{ID: seedEvent, Name: "a.Event", Fields: []jfrtest.Field{
			{Name: "startTime", Class: seedLong}, {Name: "outer", Class: seedOuter, Pooled: true},
			{Name: "share", Class: 5}, {Name: "names", Class: seedText, Array: true}}},
	}
}

// seedConstants are an outer that has itself, by way of its inners too.
func seedConstants() []byte {
	one := append(jfrtest.Numbers(seedOuter, 1, 1, 2), jfrtest.Text("x")...)
	one = append(append(append(one, 1), jfrtest.Text("y")...), 1, 1)
	return jfrtest.Place(one, append(jfrtest.Numbers(seedText, 1, 7), jfrtest.Text("seven")...))
}

// seedChunk has one event whose names are a constant, null, empty, and one of each encoding.
func seedChunk() []byte {
	event := append(jfrtest.Numbers(seedEvent, 9, 1), make([]byte, 8)...)
	event = append(event, 6, byte(Constant), 7, byte(Null), byte(Empty), byte(Latin1), 1, 'a', byte(UTF16), 1, 'b')
	return jfrtest.Chunk(seedTypes(), jfrtest.Sized(append(event, jfrtest.Text("c")...)), seedConstants())
}

// textsIn counts the texts within a value, as deep as consumers look.
func textsIn(v Value, depth int) (n int) {
	if depth == 0 || v.IsNull() {
		return 0
	}
	if v.Text() != "" {
		n++
	}
	for _, inner := range slices.Concat(v.Elements(), v.Members()) {
		n += textsIn(inner, depth-1)
	}
	return n
}

// read reads every value of a recording, and returns how many chunks it could read and how many texts there are.
func read(data []byte) (chunks, texts int, err error) {
	for in := NewReader(bytes.NewReader(data)); ; chunks++ {
		chunk, err := in.Next()
		if err != nil {
			return chunks, texts, err
		}
		if err := chunk.Events(nil, func(t *Type, in *Decoder) error {
			texts += textsIn(chunk.Event(t, in), 5)
			return nil
		}); err != nil {
			return chunks, texts, in.Fail(err)
		}
	}
}

// TestValuesInACircle: a constant that has itself is looked up as often as it is asked for, and not more often.
func TestValuesInACircle(t *testing.T) {
	if chunks, texts, err := read(seedChunk()); chunks != 1 || texts != 4+2 || err != io.EOF {
		t.Errorf("%d chunks, %d texts, %v", chunks, texts, err)
	}
}

// FuzzReader: whatever a recording holds can be read, or is an error. The header is made to fit, so that what is behind
// it is read.
func FuzzReader(f *testing.F) {
	seed := seedChunk()
	f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	f.Fuzz(func(t *testing.T, data []byte, constants, metadata uint16) {
		chunk := jfrtest.Fit(data, constants, metadata)
		if chunk == nil {
			return
		}
		if chunks, _, err := read(append(chunk, chunk...)); err == nil || err == io.EOF && chunks != 2 {
			t.Fatalf("%d chunks, %v", chunks, err)
		}
	})
}
