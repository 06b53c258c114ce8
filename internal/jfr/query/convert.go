package query

import (
	"math"
	"strconv"

	"github.com/jstall/jstall/internal/jfr"
)

// converter makes cells of the values of a chunk.
type converter struct {
	chunk *jfr.Chunk
	// methods are names by the key of the method's constant.
	methods map[uint64]string
	// depth and made are how deep in a cell the value in hand is, and how many values the cell has so far.
	depth, made int
}

// Constants may refer to one another without end: what a cell shows has bounds.
const (
	maxDepth = 8
	maxMade  = 1 << 12
)

// value is a cell for a value of a recording.
func (c *converter) value(v jfr.Value) Value {
	if c.depth == 0 {
		c.made = 0
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.made++; c.depth > maxDepth || c.made > maxMade {
		return Value{}
	}
	if v.IsArray() {
		var all []Value
		for _, e := range v.Elements() {
			all = append(all, c.value(e))
		}
		return joined(all)
	}
	if v = v.Resolve(); v.Type == nil {
		return Value{}
	}
	switch v.Type.Kind {
	case jfr.Object:
		return c.object(v)
	case jfr.String:
		return text(v.Text())
	case jfr.Boolean:
		return truth(v.Int() != 0)
	case jfr.Char:
		return text(string(rune(v.Int())))
	case jfr.Float, jfr.Double:
		return number(v.Float())
	}
	return c.whole(v)
}

func number(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	return real(f)
}

// whole is a whole number in the unit of its column. The least one of a duration and of a time stands for none.
func (c *converter) whole(v jfr.Value) Value {
	n := v.Int()
	if v.Field == nil {
		return whole(n)
	}
	content, unit := v.Field.Content()
	switch content {
	case jfr.Timespan, jfr.Timestamp:
		switch {
		case n == math.MinInt64:
			return Value{}
		case content == jfr.Timespan && n == math.MaxInt64:
			return whole(Forever)
		case content == jfr.Timestamp && unit == "TICKS":
			return whole(c.chunk.Time(v.Bits()))
		case unit == "TICKS" && n < 0:
			return whole(-c.chunk.Nanos(uint64(-n)))
		case unit == "TICKS":
			return whole(c.chunk.Nanos(v.Bits()))
		}
		return whole(times(n, nanosOf(unit)))
	case jfr.Unsigned:
		return unsigned(v)
	}
	return whole(n)
}

// unsigned is a number without a sign. Above what 63 bits hold there is no amount of anything: all bits are one where
// the JVM has no limit, which is -1.
func unsigned(v jfr.Value) Value {
	n := v.Bits()
	switch v.Type.Kind {
	case jfr.Byte:
		n &= math.MaxUint8
	case jfr.Short:
		n &= math.MaxUint16
	case jfr.Int:
		n &= math.MaxUint32
	}
	return whole(int64(n))
}

// nanosOf is how many nanoseconds one of a unit of durations, or of times since 1970, is.
func nanosOf(unit string) int64 {
	switch unit {
	case "MICROSECONDS":
		return 1e3
	case "MILLISECONDS", "MILLISECONDS_SINCE_EPOCH":
		return 1e6
	case "SECONDS", "SECONDS_SINCE_EPOCH":
		return 1e9
	}
	return 1
}

// times multiplies without an overflow.
func times(n, factor int64) int64 {
	switch product := float64(n) * float64(factor); {
	case product >= math.MaxInt64:
		return Forever
	case product <= math.MinInt64:
		return math.MinInt64
	}
	return n * factor
}

// object is a cell for a thing with fields: what people call it by.
func (c *converter) object(v jfr.Value) Value {
	switch v.Type.Name {
	case jfr.NameOfClass:
		return named(classOf(v))
	case jfr.NameOfMethod:
		return named(methodName(v))
	case jfr.NameOfThread:
		return thread(v)
	case jfr.NameOfStack:
		return Value{Kind: Stack, Text: stackText(v, c.frameName)}
	case jfr.NameOfFrame:
		return named(c.frameName(v))
	case jfr.NameOfLoader:
		if class := classOf(v.Member("type")); class != "" {
			return text(class)
		}
	}
	for _, m := range v.Members() {
		if cell := c.value(m); cell.Kind != Missing {
			return cell
		}
	}
	return Value{}
}

// named is a text, or nothing if it is empty.
func named(s string) Value {
	if s == "" {
		return Value{}
	}
	return text(s)
}

// frameName is the method of a frame, found once for each method of the chunk.
func (c *converter) frameName(frame jfr.Value) string {
	method := frame.Member("method")
	key, _ := method.Key()
	name, known := c.methods[key]
	if !known {
		name = methodName(method)
		c.methods[key] = name
	}
	return name
}

// thread is a cell for a thread. Java's number distinguishes those of one name, of those without one the system's.
func thread(v jfr.Value) Value {
	name, id := v.Member("javaName").Text(), v.Member("javaThreadId").Int()
	if name == "" {
		name = v.Member("osName").Text()
	}
	if id <= 0 {
		id = -v.Member("osThreadId").Int()
	}
	if name == "" && id == 0 {
		return Value{}
	}
	return Value{Kind: Thread, Num: id, Text: name}
}

// unitOf is the unit of a field's numbers.
func unitOf(f *jfr.Field) Unit {
	content, unit := f.Content()
	rate := f.Has(string(jfr.Frequency))
	switch {
	case content == jfr.Timespan:
		return Duration
	case content == jfr.Timestamp:
		return Time
	case content == jfr.DataAmount:
		return amountOf(unit, rate)
	case content == jfr.Percentage:
		return Share
	case content == jfr.Address:
		return Address
	case rate:
		return Hertz
	case f.Type != nil && (f.Type.Kind == jfr.Object || f.Type.Kind == jfr.String):
		return PlainText
	}
	return NoUnit
}

// amountOf is the unit of an amount of data, or of one in a second.
func amountOf(unit string, rate bool) Unit {
	switch {
	case unit == "BITS" && rate:
		return BitRate
	case unit == "BITS":
		return Bits
	case rate:
		return ByteRate
	}
	return Bytes
}

// plain is the value as a text without its unit.
func (v Value) plain() string {
	switch v.Kind {
	case Missing:
		return ""
	case Whole:
		return strconv.FormatInt(v.Num, 10)
	case Real:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case Truth:
		return strconv.FormatBool(v.Num != 0)
	}
	return v.Text
}
