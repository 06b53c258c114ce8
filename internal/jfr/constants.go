package jfr

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Constants is the constant pools of a chunk: where in the chunk each constant is, by its type and key. Events refer to
// constants by key. A JVM writes the pools into several checkpoint events, each with the constants that are new.
type Constants struct {
	chunk *Chunk
	at    map[TypeID]map[uint64]int
	seen  map[int64]bool // offsets of checkpoint events
	// read is the size of the checkpoint events in bytes, cost the memory that the entries of at take, in bytes.
	read, cost int
	values     map[constant]*Value
}

// constant identifies a constant.
type constant struct {
	of  TypeID
	key uint64
}

// maxConstants bounds the memory of the entries of one chunk, in bytes, because a forged file may claim any number of
// constants. entrySize is about the memory of one entry.
const (
	maxConstants = 64 << 20
	entrySize    = 64
)

var errNoSuchType = errors.New("a constant has an unknown type")

// Constants finds the constants of the types with these names, of all types if there are no names. The result of the
// first call is kept: later calls ignore names.
func (c *Chunk) Constants(names ...string) (*Constants, error) {
	if c.constants != nil {
		return c.constants, nil
	}
	p := &Constants{
		chunk: c, at: map[TypeID]map[uint64]int{}, seen: map[int64]bool{}, values: map[constant]*Value{},
	}
	for _, t := range c.Types.Named(names...) {
		p.at[t.ID] = map[uint64]int{}
	}
	for id := range c.Types {
		if len(names) == 0 {
			p.at[id] = map[uint64]int{}
		}
	}
	if err := p.all(int64(binary.BigEndian.Uint64(c.Data[16:]))); err != nil {
		return nil, fmt.Errorf("its constant pools: %w", err)
	}
	c.constants = p
	return p, nil
}

// all reads the checkpoint events from the last to the first. Each has the distance to the one before it.
func (p *Constants) all(at int64) error {
	for {
		if at <= 0 || at >= int64(len(p.chunk.Data)) {
			return ErrCut
		}
		if p.seen[at] {
			return ErrForged
		}
		p.seen[at] = true
		in := Decoder{Data: p.chunk.Data, At: int(at)}
		p.bound(&in)
		before := p.event(&in)
		if in.Err != nil {
			return in.Err
		}
		if before == 0 {
			return nil
		}
		at += before
	}
}

// bound limits the decoder to the checkpoint event that begins here. It fails if all checkpoint events together are
// longer than the chunk: then some overlap, and the bytes that they share would be read once for each.
func (p *Constants) bound(in *Decoder) {
	begin, data := in.At, p.chunk.Data
	size := in.Number()
	if in.Err != nil || size > uint64(len(data)-begin) {
		in.Fail(ErrCut)
		return
	}
	in.Data = data[:begin+int(size)]
	if p.read += int(size); p.read > len(data) {
		in.Fail(ErrForged)
	}
}

// event reads the pools of one checkpoint event. before is the distance to the event before it, 0 for the first one.
func (p *Constants) event(in *Decoder) (before int64) {
	for range 3 { // type, start, duration
		in.Number()
	}
	before = int64(in.Number())
	in.Number() // what kind of checkpoint
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		t := p.chunk.Types[TypeID(in.Number())]
		switch {
		case t == nil:
			in.Fail(errNoSuchType)
		case t.Name == NameOfHeader:
			in.Take(HeaderSize)
		default:
			p.pool(in, t)
		}
	}
	return before
}

func (p *Constants) pool(in *Decoder, t *Type) {
	wanted := p.at[t.ID]
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		key := in.Number()
		if wanted != nil {
			p.enter(in, wanted, key)
		}
		if t.Kind == String {
			in.Text()
			continue
		}
		in.Object(t, nil)
	}
}

// enter keeps where a constant is. The first entry for a key is kept: events are read from the last to the first, so it
// is the latest value.
func (p *Constants) enter(in *Decoder, at map[uint64]int, key uint64) {
	if _, known := at[key]; known {
		return
	}
	if p.cost += entrySize; p.cost > maxConstants {
		in.Fail(ErrForged)
		return
	}
	at[key] = in.At
}

// find returns a decoder at a constant.
func (p *Constants) find(of TypeID, key uint64) (in Decoder, ok bool) {
	at, ok := p.at[of][key]
	return Decoder{Data: p.chunk.Data, At: at}, ok
}

// Find returns a decoder at a constant of a type. The constant is a text or the fields of an object.
func (p *Constants) Find(of *Type, key uint64) (in Decoder, ok bool) {
	if of == nil {
		return Decoder{}, false
	}
	return p.find(of.ID, key)
}

// Visit visits the fields of a constant of a type. It reports whether the constant exists and could be read.
func (p *Constants) Visit(of *Type, key uint64, visit Visitor) bool {
	if of == nil {
		return false
	}
	in, ok := p.find(of.ID, key)
	if !ok {
		return false
	}
	in.Object(of, visit)
	return in.Err == nil
}

// Text is the constant text with a key, empty if there is none.
func (p *Constants) Text(key uint64) string {
	for _, t := range p.chunk.Types.Named(NameOfText) {
		if in, ok := p.find(t.ID, key); ok {
			text, _, _ := in.Text()
			return text
		}
	}
	return ""
}
