package jfr

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Decoder reads the fields of one event, or of one constant.
type Decoder struct {
	Data []byte
	At   int
	// Err is the first error. After it nothing is read.
	Err   error
	depth int // of objects in objects
	begin int // where the event begins
}

// Size is how many bytes the event takes, of a decoder that [Chunk.Events] hands out.
func (d *Decoder) Size() int { return len(d.Data) - d.begin }

// maxDepth is deeper than any event is.
const maxDepth = 10

var (
	errCutEvent  = errors.New("an event is cut")
	errEventSize = errors.New("an event has a size that it cannot have")
	errNoType    = errors.New("an event has a field of no known type")
	errSelf      = errors.New("an event has itself as a field")
)

// Fail keeps the first error.
func (d *Decoder) Fail(err error) {
	if d.Err == nil {
		d.Err = err
	}
}

// left is how many bytes are left.
func (d *Decoder) left() uint64 { return uint64(max(0, len(d.Data)-d.At)) }

// Count reads how many things follow: each takes a byte at least.
func (d *Decoder) Count() uint64 {
	n := d.Number()
	if n > d.left() {
		d.Fail(ErrForged)
		return 0
	}
	return n
}

// Number reads a whole number, 7 bits a byte, the ninth byte with 8.
func (d *Decoder) Number() (v uint64) {
	if d.Err == nil && d.At < len(d.Data) && d.Data[d.At] < 0x80 { // most have one byte
		d.At++
		return uint64(d.Data[d.At-1])
	}
	for shift := uint(0); ; shift += 7 {
		if d.Err != nil || d.At >= len(d.Data) {
			d.Fail(errCutEvent)
			return 0
		}
		b := d.Data[d.At]
		d.At++
		if shift == 56 {
			return v | uint64(b)<<shift
		}
		if v |= uint64(b&0x7f) << shift; b < 0x80 {
			return v
		}
	}
}

// Take reads so many bytes.
func (d *Decoder) Take(n uint64) []byte {
	if d.Err != nil || n > d.left() {
		d.Fail(errCutEvent)
		return nil
	}
	b := d.Data[d.At : d.At+int(n)]
	d.At += int(n)
	return b
}

// Encoding is how a text is written.
type Encoding byte

// The encodings of texts: none at all, the empty one, the key of a constant, and three of characters.
const (
	Null     Encoding = 0
	Empty    Encoding = 1
	Constant Encoding = 2
	UTF8     Encoding = 3
	UTF16    Encoding = 4
	Latin1   Encoding = 5
)

// Text reads a text. Of a [Constant] it is the key that is read.
func (d *Decoder) Text() (text string, key uint64, how Encoding) {
	b := d.Take(1)
	if d.Err != nil {
		return "", 0, Null
	}
	switch how = Encoding(b[0]); how {
	case Null, Empty:
	case Constant:
		key = d.Number()
	case UTF8:
		text = string(d.Take(d.Count()))
	case Latin1:
		text = latin1(d.Take(d.Count()))
	case UTF16:
		text = d.utf16()
	default:
		d.Fail(ErrUnusual)
	}
	return text, key, how
}

func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// maxText is the length of one string, the JVM's own bound being 65,535 bytes.
const maxText = 1 << 20

func (d *Decoder) utf16() string {
	n := d.Count()
	if n > maxText {
		d.Fail(ErrForged)
	}
	var b strings.Builder
	if d.Err == nil {
		b.Grow(int(n))
	}
	high := rune(-1) // the first half of a pair
	for ; n > 0 && d.Err == nil; n-- {
		unit := rune(uint16(d.Number()))
		switch pair := utf16.DecodeRune(high, unit); {
		case pair != unicode.ReplacementChar:
			b.WriteRune(pair)
			high = -1
			continue
		case high >= 0:
			b.WriteRune(unicode.ReplacementChar)
		}
		if high = -1; unit >= 0xd800 && unit < 0xdc00 {
			high = unit
			continue
		}
		b.WriteRune(unit)
	}
	if high >= 0 {
		b.WriteRune(unicode.ReplacementChar)
	}
	return b.String()
}

// Item is what one field holds, or one element of it if it is an array: a number, the key of a constant, the bits of a
// float or double, or a text.
type Item struct {
	Bits uint64
	Text string
	// How is the encoding of a text. Bits is its key if that is [Constant].
	How Encoding
	// From is where the item begins in the data of the decoder.
	From int
}

// Visitor is called for each field with a plain value or the key of a constant, and how deep in objects it is, from 1.
type Visitor func(depth int, f *Field, v Item)

// Object reads the fields of a type, which may be visited.
func (d *Decoder) Object(t *Type, visit Visitor) {
	if d.depth++; d.depth > maxDepth {
		d.Fail(errSelf)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		count := uint64(1)
		if f.Array {
			count = d.Count()
		}
		for ; count > 0 && d.Err == nil; count-- {
			d.field(f, visit)
		}
	}
	d.depth--
}

func (d *Decoder) field(f *Field, visit Visitor) {
	if !f.Pooled && f.Type != nil && f.Type.isObject() {
		d.Object(f.Type, visit)
		return
	}
	v := d.Item(f)
	if visit != nil && d.Err == nil {
		visit(d.depth, f, v)
	}
}

// Item reads one value of a field that is no object within the event.
func (d *Decoder) Item(f *Field) (v Item) {
	v.From = d.At
	switch {
	case f.Pooled:
		v.Bits = d.Number()
	case f.Type == nil:
		d.Fail(errNoType)
	case f.Type.Kind == String:
		v.Text, v.Bits, v.How = d.Text()
	default:
		v.Bits = d.plain(f.Type.Kind)
	}
	return v
}

// plain reads a number. A double and a float are as their bits; what is signed and less than a long is extended.
func (d *Decoder) plain(kind Kind) uint64 {
	switch kind {
	case Boolean, Byte:
		if b := d.Take(1); b != nil {
			return uint64(b[0])
		}
	case Float:
		if b := d.Take(4); b != nil {
			return uint64(binary.BigEndian.Uint32(b))
		}
	case Double:
		if b := d.Take(8); b != nil {
			return binary.BigEndian.Uint64(b)
		}
	case Char, Short, Int, Long:
		return d.Number()
	default:
		d.Fail(errNoType)
	}
	return 0
}
