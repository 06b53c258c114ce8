package facts

import (
	"math"
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/jfr"
)

// event is one event, its fields in the order of its type. It is used again for the next one.
type event struct {
	*names
	of     *jfr.Type
	fields []field
}

type field struct {
	of *jfr.Field
	jfr.Item
}

func (e *event) read(t *jfr.Type, in *jfr.Decoder) {
	e.of, e.fields = t, e.fields[:0]
	in.Object(t, e.keep)
}

func (e *event) keep(depth int, f *jfr.Field, v jfr.Item) {
	if depth == 1 {
		e.fields = append(e.fields, field{f, v})
	}
}

// field is the field of a name, nil for none.
func (e *event) field(name string) *field {
	for i := range e.fields {
		if e.fields[i].of.Name == name {
			return &e.fields[i]
		}
	}
	return nil
}

// number is a whole number, or the key of a constant; 0 without the field.
func (e *event) number(name string) uint64 {
	if f := e.field(name); f != nil {
		return f.Bits
	}
	return 0
}

// float is a fraction.
func (e *event) float(name string) float64 {
	f := e.field(name)
	if f == nil || f.of.Type == nil {
		return 0
	}
	value := float64(math.Float32frombits(uint32(f.Bits)))
	if f.of.Type.Kind == jfr.Double {
		value = math.Float64frombits(f.Bits)
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	return value
}

// text is a text, be it a constant or that of an enumeration.
func (e *event) text(name string) string {
	f := e.field(name)
	switch {
	case f == nil || f.of.Type == nil:
		return ""
	case f.of.Pooled:
		return e.constant(f.of.Type, f.Bits)
	}
	return e.Value(f.of, f.Item)
}

// at is a time in ticks.
func (e *event) at(name string) flight.Moment {
	return flight.Moment(min(max(0, e.chunk.Time(e.number(name))), maxTime))
}

// took is how long the event lasted.
func (e *event) took() time.Duration { return e.ticks("duration") }

func (e *event) ticks(name string) time.Duration { return time.Duration(e.chunk.Nanos(e.number(name))) }

func (e *event) calls() *calls { return e.stack(e.number("stackTrace")) }

func (e *event) who() flight.Thread { return e.thread(e.number("eventThread")) }
