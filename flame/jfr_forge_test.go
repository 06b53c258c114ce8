package flame

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"testing"
)

// forgedClass is a class of a forged chunk.
type forgedClass struct {
	id     int
	name   string
	fields []forgedField
}

type forgedField struct {
	name          string
	class         int
	pooled, array bool
}

// Numbers of forgedClasses.
const (
	forgedStack  = 10
	forgedMethod = 12
	forgedOwner  = 13
	forgedSymbol = 14
	forgedThread = 15
	forgedByte   = 16
	forgedSample = 20
	forgedNative = 21
	forgedOnCPU  = 22
	forgedInTLAB = 23
	forgedAlloc  = 24
	forgedChoice = 25
)

// forgedClasses are what samples need, and settings.
func forgedClasses() []forgedClass {
	sampled := func(id int, name string, more ...forgedField) forgedClass {
		return forgedClass{id, name, append([]forgedField{
			{name: "startTime", class: 1}, {name: "sampledThread", class: forgedThread, pooled: true},
			{name: "stackTrace", class: forgedStack, pooled: true},
		}, more...)}
	}
	return []forgedClass{
		{
			id: 1, name: "long",
		}, {id: 2, name: "int"}, {id: 3, name: nameOfText}, {id: 4, name: "boolean"}, {id: 5, name: "byte"},
		{
			forgedStack, nameOfStack,
			[]forgedField{{name: "truncated", class: 4}, {name: "frames", class: 11, array: true}},
		},
		{
			11, "jdk.types.StackFrame",
			[]forgedField{{name: "method", class: forgedMethod, pooled: true}, {name: "lineNumber", class: 2}},
		},
		{
			forgedMethod,
			nameOfMethod,
			[]forgedField{
				{name: "type", class: forgedOwner, pooled: true}, {name: "name", class: forgedSymbol, pooled: true},
			},
		},
		{forgedOwner, nameOfClass, []forgedField{{name: "name", class: forgedSymbol, pooled: true}}},
		{forgedSymbol, nameOfSymbol, []forgedField{{name: "string", class: 3}}},
		{forgedThread, nameOfThread, []forgedField{{name: "javaName", class: 3}}},
		{forgedByte, "a.Byte", []forgedField{{name: "b", class: 5}}},
		sampled(forgedSample, executionSample), sampled(forgedNative, nativeSample),
		sampled(forgedOnCPU, cpuTimeSample, forgedField{name: "samplingPeriod", class: 1},
			forgedField{name: "biased", class: 1}),
		sampled(forgedInTLAB, allocInTLAB, forgedField{name: "tlabSize", class: 1}),
		sampled(forgedAlloc, allocSample, forgedField{name: "weight", class: 1}),
		{
			forgedChoice, activeSetting,
			[]forgedField{{name: "id", class: 1}, {name: "name", class: 3}, {name: "value", class: 3}},
		},
	}
}

// numberBytes writes a whole number as recordings do.
func numberBytes(v uint64) (b []byte) {
	for range 8 {
		if v < 0x80 {
			return append(b, byte(v))
		}
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func textBytes(s string) []byte {
	return append(append([]byte{3}, numberBytes(uint64(len(s)))...), s...)
}

// numbersBytes writes several, one after the other.
func numbersBytes(all ...uint64) (b []byte) {
	for _, v := range all {
		b = append(b, numberBytes(v)...)
	}
	return b
}

// sized puts the size of an event in front of it, in four bytes as JVMs do.
func sized(event []byte) []byte {
	n := len(event) + 4
	return append([]byte{byte(n) | 0x80, byte(n>>7) | 0x80, byte(n>>14) | 0x80, byte(n>>21) & 0x7f}, event...)
}

// forgedDescription describes the classes of a chunk.
type forgedDescription struct {
	strings []byte
	numbers map[string]uint64
}

func (d *forgedDescription) number(s string) []byte {
	n, known := d.numbers[s]
	if !known {
		n = uint64(len(d.numbers))
		d.numbers[s] = n
		d.strings = append(d.strings, textBytes(s)...)
	}
	return numberBytes(n)
}

func (d *forgedDescription) element(name string, attributes []string, children ...[]byte) []byte {
	b := append(d.number(name), numberBytes(uint64(len(attributes)/2))...)
	for _, s := range attributes {
		b = append(b, d.number(s)...)
	}
	b = append(b, numberBytes(uint64(len(children)))...)
	return append(b, bytes.Join(children, nil)...)
}

func (d *forgedDescription) class(c forgedClass) []byte {
	var fields [][]byte
	for _, f := range c.fields {
		attributes := []string{"name", f.name, "class", strconv.Itoa(f.class)}
		if f.pooled {
			attributes = append(attributes, "constantPool", "true")
		}
		if f.array {
			attributes = append(attributes, "dimension", "1")
		}
		fields = append(fields, d.element("field", attributes))
	}
	return d.element("class", []string{"id", strconv.Itoa(c.id), "name", c.name}, fields...)
}

func describe(classes []forgedClass) []byte {
	d := &forgedDescription{numbers: map[string]uint64{}}
	var all [][]byte
	for _, c := range classes {
		all = append(all, d.class(c))
	}
	root := d.element("root", nil, d.element("metadata", nil, all...))
	b := append([]byte{0, 0, 0, 0}, numberBytes(uint64(len(d.numbers)))...)
	return sized(append(append(b, d.strings...), root...))
}

// forgedChunk is one of classes, events and the places of constants.
func forgedChunk(classes []forgedClass, events, pools []byte) []byte {
	b := append(make([]byte, chunkHeader), events...)
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

// forgedEvent is one of numbers only.
func forgedEvent(kind uint64, fields ...uint64) []byte {
	return sized(append(numberBytes(kind), numbersBytes(fields...)...))
}

// forgedSetting sets something of a kind of event.
func forgedSetting(kind uint64, name, value string) []byte {
	b := numbersBytes(forgedChoice, kind)
	return sized(append(append(b, textBytes(name)...), textBytes(value)...))
}

// onePlace has pools of constants, each begun by its class and their number.
func onePlace(pools ...[]byte) []byte {
	b := numbersBytes(1, 0, 0, 0, 1, uint64(len(pools)))
	return sized(append(b, bytes.Join(pools, nil)...))
}

// forgedPools have thread 1, "main", and stack 1 of one frame, the method A.a.
func forgedPools() []byte {
	symbols := append(append(numbersBytes(forgedSymbol, 2, 1), textBytes("A")...), 2)
	return onePlace(
		append(symbols, textBytes("a")...),
		numbersBytes(forgedOwner, 1, 1, 1), numbersBytes(forgedMethod, 1, 1, 1, 2),
		numbersBytes(forgedStack, 1, 1, 0, 1, 1, 7),
		append(numbersBytes(forgedThread, 1, 1), textBytes("main")...),
	)
}

// readForged reads what is forged well.
func readForged(t *testing.T, event Event, o Options, chunks ...[]byte) map[string][]int64 {
	t.Helper()
	p, err := ReadJFR(bytes.NewReader(bytes.Join(chunks, nil)), event, o)
	if err != nil {
		t.Fatal(err)
	}
	return valuesOf(p)
}
