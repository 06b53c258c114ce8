package object

import (
	"encoding/binary"
	"unicode/utf16"
)

// maxString bounds a string, in characters. A name of a thread may have 70,000 and more.
const maxString = 1 << 20

// Characters are UTF-16, as Java has them.
type Characters []uint16

func (c Characters) String() string { return string(utf16.Decode(c)) }

// JavaString reads a java.lang.String: value is a char[] up to 8, a byte[] with a coder from 9 on.
// It is false if there is no string at the address.
func (r *Reader) JavaString(oop uint64) (Characters, bool) {
	c := r.ClassOf(oop)
	if c == nil {
		return nil, false
	}
	if c.Name == "[C" {
		return r.chars(oop) // the name of a thread, on early builds of 8
	}
	value, ok := r.FieldOf(c, "value")
	if c.Name != "java.lang.String" || !ok {
		return nil, false
	}
	array := r.Reference(oop + value)
	coder, hasCoder := r.FieldOf(c, "coder")
	if !hasCoder || r.Objects.U8(oop+coder) != 0 {
		return r.chars(array)
	}
	latin1, ok := r.elements(array, 1)
	units := make(Characters, len(latin1))
	for i, c := range latin1 {
		units[i] = uint16(c)
	}
	return units, ok
}

// chars reads an array of UTF-16 characters: a char[], or a byte[] of twice the length.
func (r *Reader) chars(array uint64) (Characters, bool) {
	size := uint64(1)
	if c := r.ClassOf(array); c != nil && c.Name == "[C" {
		size = 2
	}
	b, ok := r.elements(array, size)
	units := make(Characters, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return units, ok
}

// elements reads an array of bytes or chars. The class has where the elements begin
// (Klass::layout_helper, bits 16 to 23), the length is before them.
func (r *Reader) elements(array, size uint64) ([]byte, bool) {
	if c := r.ClassOf(array); c == nil || c.Name != "[B" && c.Name != "[C" {
		return nil, false
	}
	helper := r.U32(r.klassOf(array) + r.Encoding.LayoutHelper)
	first := uint64(helper >> 16 & 0xff)
	length := uint64(r.Objects.U32(array + r.LengthOffset()))
	if length == 0 {
		return nil, true
	}
	b := r.Objects.Bytes(array+first, length*size, 2*maxString)
	return b, b != nil
}

// ModifiedUTF8 encodes each UTF-16 character by itself, and zero in two bytes, as the JVM does
// (utilities/utf8.cpp).
func (c Characters) ModifiedUTF8() string {
	b := make([]byte, 0, len(c))
	for _, u := range c {
		switch {
		case u != 0 && u < 0x80:
			b = append(b, byte(u))
		case u < 0x800:
			b = append(b, 0xc0|byte(u>>6), 0x80|byte(u&0x3f))
		default:
			b = append(b, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
		}
	}
	return string(b)
}
