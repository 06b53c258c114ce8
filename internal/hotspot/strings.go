package hotspot

import (
	"encoding/binary"
	"unicode/utf16"
)

// maxString bounds a string, in characters. A name of a thread may have 70,000 and more.
const maxString = 1 << 20

// characters are UTF-16, as Java has them.
type characters []uint16

func (c characters) String() string { return string(utf16.Decode(c)) }

// javaString reads a java.lang.String: value is a char[] up to 8, a byte[] with a coder from 9 on.
// It is false if there is no string at the address.
func (r *objectReader) javaString(oop uint64) (characters, bool) {
	c := r.classOf(oop)
	if c == nil {
		return nil, false
	}
	if c.name == "[C" {
		return r.chars(oop) // the name of a thread, on early builds of 8
	}
	value, ok := r.fieldOf(c, "value")
	if c.name != "java.lang.String" || !ok {
		return nil, false
	}
	array := r.reference(oop + value)
	coder, hasCoder := r.fieldOf(c, "coder")
	if !hasCoder || r.Objects.U8(oop+coder) != 0 {
		return r.chars(array)
	}
	latin1, ok := r.elements(array, 1)
	units := make(characters, len(latin1))
	for i, c := range latin1 {
		units[i] = uint16(c)
	}
	return units, ok
}

// chars reads an array of UTF-16 characters: a char[], or a byte[] of twice the length.
func (r *objectReader) chars(array uint64) (characters, bool) {
	size := uint64(1)
	if c := r.classOf(array); c != nil && c.name == "[C" {
		size = 2
	}
	b, ok := r.elements(array, size)
	units := make(characters, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return units, ok
}

// elements reads an array of bytes or chars. The class tells where the elements begin
// (Klass::layout_helper, bits 16 to 23), the length is before them.
func (r *objectReader) elements(array, size uint64) ([]byte, bool) {
	if c := r.classOf(array); c == nil || c.name != "[B" && c.name != "[C" {
		return nil, false
	}
	helper := r.U32(r.klassOf(array) + r.Encoding.LayoutHelper)
	first := uint64(helper >> 16 & 0xff)
	length := uint64(r.Objects.U32(array + r.lengthOffset()))
	if length == 0 {
		return nil, true
	}
	b := r.Objects.Bytes(array+first, length*size, 2*maxString)
	return b, b != nil
}

// modifiedUTF8 encodes each UTF-16 character by itself, and zero in two bytes, as the JVM does
// (utilities/utf8.cpp).
func (c characters) modifiedUTF8() string {
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
