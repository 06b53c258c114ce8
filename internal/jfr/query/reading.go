package query

import (
	"slices"

	"github.com/jstall/jstall/internal/jfr"
)

// reading takes the value of a path from events of one type of a chunk.
type reading struct {
	// field is the index of the first field in its type.
	field int
	// constant is the value of a path that is the same for all events of the type.
	constant *Value
	// frame is the name of the frame that is taken of a stack, empty for none; rest are the fields in the value.
	frame string
	rest  Path
	// typeOf takes a number as the identity of an event type, of which rest is wanted.
	typeOf bool
	// memo are the values by the key of the field's constant, nil for a plain field.
	memo  map[uint64]Value
	unit  Unit
	label string
}

// compile finds how the path is read from events of a type; nil if they have no such field.
func compile(path Path, t *jfr.Type) *reading {
	if path[0] == "eventType" {
		return ofType(path, t)
	}
	index := slices.IndexFunc(t.Fields, func(f jfr.Field) bool { return f.Name == path[0] })
	if index < 0 {
		return nil
	}
	f := &t.Fields[index]
	r := &reading{field: index, rest: path[1:], unit: unitOf(f), label: f.Label()}
	if f.Pooled && !f.Array {
		r.memo = map[uint64]Value{}
	}
	if len(r.rest) == 0 {
		return r
	}
	switch {
	case r.rest[0] == "eventType":
		r.typeOf, r.rest, r.unit = true, r.rest[1:], PlainText
		return r
	case f.Type != nil && f.Type.Name == jfr.NameOfStack && isFrameName(r.rest[0]):
		r.frame, r.rest, r.unit, r.label = r.rest[0], r.rest[1:], PlainText, "Method"
		return r
	}
	return r.within(f.Type)
}

// within follows the rest of the path through the types of fields.
func (r *reading) within(t *jfr.Type) *reading {
	for _, name := range r.rest {
		if t == nil {
			return nil
		}
		f := t.Field(name)
		if f == nil {
			return nil
		}
		r.unit, r.label, t = unitOf(f), f.Label(), f.Type
	}
	return r
}

// ofType is a path to what is known of the type itself.
func ofType(path Path, t *jfr.Type) *reading {
	if len(path) != 2 {
		return nil
	}
	v, ok := typeValue(path[1], t)
	if !ok {
		return nil
	}
	return &reading{constant: &v, unit: PlainText, label: "Event Type"}
}

func typeValue(name string, t *jfr.Type) (Value, bool) {
	switch name {
	case "name":
		return text(t.Name), true
	case "label":
		return text(t.Label()), true
	case "id":
		return whole(int64(t.ID)), true
	}
	return Value{}, false
}

// of is the value for an event, of which the field has been picked.
func (r *reading) of(event jfr.Value, c *converter) Value {
	if r.constant != nil {
		return *r.constant
	}
	v := event.Members()[r.field]
	if r.memo == nil {
		return r.convert(v, c)
	}
	key, _ := v.Key()
	cell, known := r.memo[key]
	if !known {
		cell = r.convert(v, c)
		r.memo[key] = cell
	}
	return cell
}

func (r *reading) convert(v jfr.Value, c *converter) Value {
	switch {
	case r.typeOf:
		t := c.chunk.Types[jfr.TypeID(v.Int())]
		if t == nil || len(r.rest) != 1 {
			return Value{}
		}
		cell, _ := typeValue(r.rest[0], t)
		return cell
	case r.frame != "":
		frame, ok := chosenFrame(v, r.frame)
		if !ok {
			return Value{}
		}
		v = frame
	}
	for _, name := range r.rest {
		v = v.Member(name)
	}
	return c.value(v)
}
