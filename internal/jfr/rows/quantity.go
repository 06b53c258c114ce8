package rows

import (
	"math"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/jfr"
)

// quantity is how a field with a number is written.
type quantity struct {
	kind     jfr.Kind
	content  jfr.Content // Timespan, Timestamp, Address, or empty for the number itself
	unsigned bool
	// ticks is true if the number is in ticks of the chunk. Else nanos is what 1 of a timespan is in nanoseconds.
	ticks bool
	nanos int64
}

// quantityOf is how the numbers of a field are written. An unknown unit of time makes it a mere number.
func quantityOf(f *jfr.Field) quantity {
	q := quantity{kind: f.Type.Kind, unsigned: f.Has(string(jfr.Unsigned))}
	switch content, unit := f.Content(); content {
	case jfr.Timespan:
		q.ticks, q.nanos = unit == "TICKS", nanosPer[unit]
		if q.ticks || q.nanos > 0 {
			q.content = content
		}
	case jfr.Timestamp:
		q.ticks = unit == "TICKS"
		if q.ticks || unit == "MILLISECONDS_SINCE_EPOCH" {
			q.content = content
		}
	case jfr.Address:
		q.content = content
	}
	if q.kind == jfr.Boolean || q.kind == jfr.Char || q.isFloat() && q.content != jfr.Timespan {
		q.content = ""
	}
	return q
}

var nanosPer = map[string]int64{
	"NANOSECONDS": 1, "MICROSECONDS": 1e3, "MILLISECONDS": 1e6, "SECONDS": 1e9,
}

func (q quantity) isFloat() bool { return q.kind == jfr.Float || q.kind == jfr.Double }

// describe is the type of a column of such numbers, and its unit.
func (q quantity) describe(f *jfr.Field) (kind, unit string) {
	content, of := f.Content()
	switch {
	case q.content == jfr.Timestamp:
		return "timestamp", ""
	case q.content == jfr.Timespan:
		return "integer", "ns"
	case q.content == jfr.Address, q.kind == jfr.Char:
		return "text", ""
	case q.kind == jfr.Boolean:
		return "boolean", ""
	}
	kind = "integer"
	if q.isFloat() {
		kind = "number"
	}
	perSecond := f.Has(string(jfr.Frequency))
	switch {
	case content == jfr.DataAmount:
		unit = map[string]string{"BITS": "bits"}[of]
		if unit == "" {
			unit = "bytes"
		}
		if perSecond {
			unit += "/s"
		}
	case content == jfr.Percentage:
		unit = "fraction"
	case perSecond:
		unit = "Hz"
	}
	return kind, unit
}

// signed is a whole number of less than a long, extended.
func (q quantity) signed(bits uint64) int64 {
	switch q.kind {
	case jfr.Byte:
		return int64(int8(bits))
	case jfr.Short:
		return int64(int16(bits))
	case jfr.Int:
		return int64(int32(bits))
	}
	return int64(bits)
}

// whole is a whole number without a sign.
func (q quantity) whole(bits uint64) uint64 {
	switch q.kind {
	case jfr.Byte:
		return uint64(uint8(bits))
	case jfr.Short:
		return uint64(uint16(bits))
	case jfr.Int:
		return uint64(uint32(bits))
	}
	return bits
}

// append writes a number. It writes nothing for null.
func (q quantity) append(b []byte, bits uint64, e *encoder) []byte {
	switch {
	case q.content == jfr.Timestamp:
		return e.appendTime(b, q, bits)
	case q.content == jfr.Timespan:
		return e.appendSpan(b, q, bits)
	case q.content == jfr.Address:
		return strconv.AppendUint(append(b, "0x"...), q.whole(bits), 16)
	case q.kind == jfr.Boolean:
		return strconv.AppendBool(b, bits != 0)
	case q.kind == jfr.Char:
		return append(b, string(rune(uint16(bits)))...)
	case q.kind == jfr.Float:
		return appendFloat(b, float64(math.Float32frombits(uint32(bits))), 32)
	case q.kind == jfr.Double:
		return appendFloat(b, math.Float64frombits(bits), 64)
	case q.unsigned:
		return strconv.AppendUint(b, q.whole(bits), 10)
	}
	return strconv.AppendInt(b, q.signed(bits), 10)
}

// isText reports whether what is written is a text in JSON.
func (q quantity) isText() bool {
	return q.content == jfr.Timestamp || q.content == jfr.Address || q.kind == jfr.Char
}

// appendFloat writes nothing for what is no number in JSON.
func appendFloat(b []byte, v float64, size int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b
	}
	form := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(b, v, form, -1, size)
}

// none is the long by which the JVM says that there is no time.
const none = math.MinInt64

// appendSpan writes a timespan in nanoseconds. What is longer than a long can say, as forever, is the largest long.
func (e *encoder) appendSpan(b []byte, q quantity, bits uint64) []byte {
	if q.isFloat() {
		return e.appendFloatSpan(b, q, bits)
	}
	v := q.signed(bits)
	if q.unsigned {
		v = int64(q.whole(bits))
	}
	switch {
	case v == none && q.kind == jfr.Long:
		return b
	case v == math.MaxInt64 && q.kind == jfr.Long:
	case q.ticks:
		v = clamp(float64(v) / e.ticksPerNano)
	case v > math.MaxInt64/q.nanos:
		v = math.MaxInt64
	case v < math.MinInt64/q.nanos:
		v = math.MinInt64
	default:
		v *= q.nanos
	}
	return strconv.AppendInt(b, v, 10)
}

func (e *encoder) appendFloatSpan(b []byte, q quantity, bits uint64) []byte {
	v := math.Float64frombits(bits)
	if q.kind == jfr.Float {
		v = float64(math.Float32frombits(uint32(bits)))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b
	}
	if q.ticks {
		return strconv.AppendInt(b, clamp(math.Round(v/e.ticksPerNano)), 10)
	}
	return strconv.AppendInt(b, clamp(math.Round(v*float64(q.nanos))), 10)
}

// clamp is the whole part of a number, as far as a long can say it.
func clamp(v float64) int64 {
	switch {
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}

// timeForm is RFC 3339 up to the second.
const timeForm = "2006-01-02T15:04:05"

// appendTime writes a time; nothing for none, and for one that no date can tell.
func (e *encoder) appendTime(b []byte, q quantity, bits uint64) []byte {
	v := q.signed(bits)
	if v == none && q.kind == jfr.Long {
		return b
	}
	var at time.Time
	if q.ticks {
		at = time.Unix(0, e.chunk.Time(bits))
	} else {
		at = time.UnixMilli(v)
	}
	if second := at.Unix(); second != e.second || e.secondText == nil {
		at = at.UTC()
		if at.Year() < 1 || at.Year() > 9999 {
			return b
		}
		e.second, e.secondText = second, at.AppendFormat(e.secondText[:0], timeForm)
	}
	b = append(append(b, e.secondText...), '.')
	nanos := at.Nanosecond()
	for unit := int(1e8); unit > 0; unit /= 10 {
		b = append(b, byte('0'+nanos/unit%10))
	}
	return append(b, 'Z')
}
