package query

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"
)

// Kind is what a Value is.
type Kind uint8

// The kinds of values. A missing one is of a field that an event lacks, or that is null.
const (
	Missing Kind = iota
	Whole
	Real
	Truth
	Text
	Thread // of the thread in Num
	Stack  // Text has a frame a line, the innermost first
)

// Value is a cell. Its unit is that of its column. Equal values are equal in every chunk of a recording.
type Value struct {
	Kind Kind
	// Num is a whole number, the bits of a real one, or what distinguishes threads of one name.
	Num  int64
	Text string
}

// Forever is the duration without an end.
const Forever = math.MaxInt64

func whole(n int64) Value  { return Value{Kind: Whole, Num: n} }
func real(f float64) Value { return Value{Kind: Real, Num: int64(math.Float64bits(f))} }
func text(s string) Value  { return Value{Kind: Text, Text: s} }

func truth(t bool) Value {
	if t {
		return Value{Kind: Truth, Num: 1}
	}
	return Value{Kind: Truth}
}

// IsNumber reports whether the value can be added up.
func (v Value) IsNumber() bool { return v.Kind == Whole || v.Kind == Real }

// Float is a number.
func (v Value) Float() float64 {
	if v.Kind == Real {
		return math.Float64frombits(uint64(v.Num))
	}
	return float64(v.Num)
}

// appendKey appends what distinguishes the value from all others.
func (v Value) appendKey(key []byte) []byte {
	key = append(key, byte(v.Kind))
	key = binary.LittleEndian.AppendUint64(key, uint64(v.Num))
	key = binary.LittleEndian.AppendUint32(key, uint32(len(v.Text)))
	return append(key, v.Text...)
}

// compare orders values: numbers by size, texts by their characters, what is missing first.
func compare(a, b Value) int {
	switch {
	case a.Kind == Whole && b.Kind == Whole:
		return cmp.Compare(a.Num, b.Num)
	case a.IsNumber() && b.IsNumber():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind != b.Kind:
		return cmp.Compare(a.Kind, b.Kind)
	case a.Kind == Truth:
		return cmp.Compare(a.Num, b.Num)
	}
	return strings.Compare(a.Text, b.Text)
}

// Unit is what the numbers of a column are.
type Unit string

// The units. Times are in nanoseconds since 1970, durations in nanoseconds, shares of 1.
const (
	NoUnit    Unit = ""
	Time      Unit = "time"
	Duration  Unit = "nanoseconds"
	Bytes     Unit = "bytes"
	Bits      Unit = "bits"
	ByteRate  Unit = "bytes per second"
	BitRate   Unit = "bits per second"
	Share     Unit = "share"
	Hertz     Unit = "hertz"
	Address   Unit = "address"
	PlainText Unit = "text"
)
