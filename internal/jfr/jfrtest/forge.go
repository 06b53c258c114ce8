// Package jfrtest forges chunks of flight recordings for tests, byte by byte, also such as no JVM writes.
package jfrtest

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// headerSize is how long the header of a chunk is.
const headerSize = 68

// Class is a type of a forged chunk.
type Class struct {
	ID     int
	Name   string
	Super  string // empty for none
	Fields []Field
}

// Field is one of a forged type.
type Field struct {
	Name          string
	Class         int
	Pooled, Array bool
}

// number writes a whole number as recordings do.
func number(v uint64) (b []byte) {
	for range 8 {
		if v < 0x80 {
			return append(b, byte(v))
		}
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// Text writes a text in UTF-8.
func Text(s string) []byte {
	return append(append([]byte{3}, number(uint64(len(s)))...), s...)
}

// Numbers writes several, one after the other.
func Numbers(all ...uint64) (b []byte) {
	for _, v := range all {
		b = append(b, number(v)...)
	}
	return b
}

// Sized puts the size of an event in front of it, in four bytes as JVMs do.
func Sized(event []byte) []byte {
	n := len(event) + 4
	return append([]byte{byte(n) | 0x80, byte(n>>7) | 0x80, byte(n>>14) | 0x80, byte(n>>21) & 0x7f}, event...)
}

// description describes the classes of a chunk.
type description struct {
	strings []byte
	numbers map[string]uint64
}

func (d *description) number(s string) []byte {
	n, known := d.numbers[s]
	if !known {
		n = uint64(len(d.numbers))
		d.numbers[s] = n
		d.strings = append(d.strings, Text(s)...)
	}
	return number(n)
}

func (d *description) element(name string, attributes []string, children ...[]byte) []byte {
	b := append(d.number(name), number(uint64(len(attributes)/2))...)
	for _, s := range attributes {
		b = append(b, d.number(s)...)
	}
	b = append(b, number(uint64(len(children)))...)
	return append(b, bytes.Join(children, nil)...)
}

func (d *description) class(c Class) []byte {
	var fields [][]byte
	for _, f := range c.Fields {
		attributes := []string{"name", f.Name, "class", strconv.Itoa(f.Class)}
		if f.Pooled {
			attributes = append(attributes, "constantPool", "true")
		}
		if f.Array {
			attributes = append(attributes, "dimension", "1")
		}
		fields = append(fields, d.element("field", attributes))
	}
	attributes := []string{"id", strconv.Itoa(c.ID), "name", c.Name}
	if c.Super != "" {
		attributes = append(attributes, "superType", c.Super)
	}
	return d.element("class", attributes, fields...)
}

func describe(classes []Class) []byte {
	d := &description{numbers: map[string]uint64{}}
	var all [][]byte
	for _, c := range classes {
		all = append(all, d.class(c))
	}
	root := d.element("root", nil, d.element("metadata", nil, all...))
	b := append([]byte{0, 0, 0, 0}, number(uint64(len(d.numbers)))...)
	return Sized(append(append(b, d.strings...), root...))
}

// Chunk is a chunk of classes, events and the places of constants.
func Chunk(classes []Class, events, pools []byte) []byte {
	b := append(make([]byte, headerSize), events...)
	copy(b, "FLR\x00\x00\x02\x00\x01")
	binary.BigEndian.PutUint64(b[24:], uint64(len(b)))
	b = append(b, describe(classes)...)
	binary.BigEndian.PutUint64(b[16:], uint64(len(b)))
	b = append(b, pools...)
	binary.BigEndian.PutUint64(b[8:], uint64(len(b)))
	binary.BigEndian.PutUint64(b[56:], 1e9)
	b[67] = 1
	return b
}

// Event is an event of numbers only.
func Event(kind uint64, fields ...uint64) []byte {
	return Sized(append(number(kind), Numbers(fields...)...))
}

// Place has pools of constants, each begun by its class and their number.
func Place(pools ...[]byte) []byte {
	b := Numbers(1, 0, 0, 0, 1, uint64(len(pools)))
	return Sized(append(b, bytes.Join(pools, nil)...))
}

// Fit makes the header of a chunk fit, so that what is behind it is read: its size, the places of constants and of the
// description, and a format that can be read. It is nil of what is shorter than a header. The chunk is a copy.
func Fit(data []byte, constants, metadata uint16) []byte {
	if len(data) < headerSize {
		return nil
	}
	chunk := bytes.Clone(data)
	copy(chunk, "FLR\x00\x00\x02\x00\x01")
	binary.BigEndian.PutUint64(chunk[8:], uint64(len(chunk)))
	binary.BigEndian.PutUint64(chunk[16:], uint64(constants))
	binary.BigEndian.PutUint64(chunk[24:], uint64(metadata))
	chunk[67] |= 1
	return chunk
}
