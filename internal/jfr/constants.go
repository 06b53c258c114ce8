package jfr

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Constants are what the events of a chunk refer to: where in the chunk each is, by its type and key. A JVM writes them
// in several places, each with those that are new.
type Constants struct {
	chunk *Chunk
	at    map[TypeID]map[uint64]int
	seen  map[int64]bool // the places
	// read are the bytes of the places, cost those that the entries take in memory.
	read, cost int
	values     map[constant]*Value
}

// constant names one.
type constant struct {
	of  TypeID
	key uint64
}

// Places claim how many constants they have, of which each takes about so much memory.
const (
	maxConstants = 64 << 20
	entrySize    = 64
)

var errNoSuchType = errors.New("a constant is of no known type")

// Constants finds the constants of the types with these names, of all types if there are no names. They are found once:
// names count in the first call only.
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

// all walks the places, each of which says where the one before it is.
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

// bound reads how long a place is. Together they are no longer than the chunk: were they to lie
// over one another, each byte would be read for each of them.
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

// event reads the pools at one place, and returns how far away the next place is.
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

// enter keeps where a constant is. The places are read from the last to the first: the
// later word counts.
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

// find is a decoder at a constant.
func (p *Constants) find(of TypeID, key uint64) (in Decoder, ok bool) {
	at, ok := p.at[of][key]
	return Decoder{Data: p.chunk.Data, At: at}, ok
}

// Find is a decoder at a constant of a type, which is a text or the fields of an object.
func (p *Constants) Find(of *Type, key uint64) (in Decoder, ok bool) {
	if of == nil {
		return Decoder{}, false
	}
	return p.find(of.ID, key)
}

// Visit visits the fields of a constant of the first type with that name, and reports whether there is one.
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

// Text is a constant text. There may be none.
func (p *Constants) Text(key uint64) string {
	for _, t := range p.chunk.Types.Named(NameOfText) {
		if in, ok := p.find(t.ID, key); ok {
			text, _, _ := in.Text()
			return text
		}
	}
	return ""
}
