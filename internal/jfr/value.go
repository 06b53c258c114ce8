package jfr

import "math"

// Value is what a field of an event holds, or one element of it if that is an array. The value of a field that is a key
// is that of its constant, which is looked up when it is asked for. The zero Value is that of nothing.
type Value struct {
	// Field is how the value is declared; nil for an event as a whole.
	Field *Field
	// Type is nil for nothing, for a constant that the chunk lacks, and for null.
	Type *Type
	item Item
	// list are the elements of an array, or the members of an object in the order of the fields of its type.
	list    []Value
	isArray bool
	pooled  bool
	chunk   *Chunk
}

// Event reads all fields of an event: their values are the members of the result.
func (c *Chunk) Event(t *Type, in *Decoder) Value {
	return c.object(nil, t, in, nil)
}

// Pick reads the fields of an event that are wanted, by their index in the fields of its type; the other members are
// nothing. The members are written over those of the event before it, if that is handed in.
func (c *Chunk) Pick(t *Type, in *Decoder, wanted []bool, over Value) Value {
	list := over.list[:0]
	last := -1
	for i := range wanted {
		if wanted[i] {
			last = i
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if i > last {
			list = append(list, Value{})
			continue
		}
		if !wanted[i] {
			c.skip(f, in)
			list = append(list, Value{})
			continue
		}
		list = append(list, c.value(f, in))
	}
	return Value{Type: t, list: list, chunk: c}
}

func (c *Chunk) skip(f *Field, in *Decoder) {
	count := uint64(1)
	if f.Array {
		count = in.Count()
	}
	for ; count > 0 && in.Err == nil; count-- {
		in.field(f, nil)
	}
}

func (c *Chunk) object(f *Field, t *Type, in *Decoder, list []Value) Value {
	if in.depth++; in.depth > maxDepth {
		in.Fail(errSelf)
	}
	for i := range t.Fields {
		if in.Err != nil {
			break
		}
		list = append(list, c.value(&t.Fields[i], in))
	}
	in.depth--
	return Value{Field: f, Type: t, list: list, chunk: c}
}

// value reads a field, all of it if it is an array.
func (c *Chunk) value(f *Field, in *Decoder) Value {
	if !f.Array {
		return c.one(f, in)
	}
	array := Value{Field: f, Type: f.Type, isArray: true, chunk: c}
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		array.list = append(array.list, c.one(f, in))
	}
	return array
}

func (c *Chunk) one(f *Field, in *Decoder) Value {
	if !f.Pooled && f.Type != nil && f.Type.isObject() {
		return c.object(f, f.Type, in, nil)
	}
	v := Value{Field: f, Type: f.Type, item: in.Item(f), pooled: f.Pooled, chunk: c}
	if v.Type != nil && v.Type.Kind == String && !v.pooled {
		if v.item.How == Null {
			v.Type = nil
		}
		v.pooled = v.item.How == Constant
	}
	return v
}

// Key is the key of a constant within its chunk, and whether the value is one.
func (v Value) Key() (key uint64, ok bool) { return v.item.Bits, v.pooled }

// Resolve is the value itself, looked up if it is a constant.
func (v Value) Resolve() Value {
	if !v.pooled || v.Type == nil || v.chunk == nil {
		return v
	}
	p, err := v.chunk.Constants()
	if err != nil {
		return Value{Field: v.Field}
	}
	known := p.value(v.Type, v.item.Bits)
	known.Field = v.Field
	return known
}

// maxValues bounds how many constants are kept as values.
const maxValues = 1 << 17

// value is the value of a constant. A type without fields has no constants.
func (p *Constants) value(t *Type, key uint64) Value {
	c := constant{t.ID, key}
	if known := p.values[c]; known != nil {
		return *known
	}
	in, ok := p.find(t.ID, key)
	made := Value{}
	switch {
	case !ok:
	case t.Kind == String:
		var text Item
		text.Text, _, text.How = in.Text()
		made = Value{Type: t, item: text, chunk: p.chunk}
	default:
		made = p.chunk.object(nil, t, &in, nil)
	}
	if in.Err != nil {
		made = Value{}
	}
	if len(p.values) < maxValues {
		p.values[c] = &made
	}
	return made
}

// IsNull reports whether there is no value: null, or a constant that the chunk lacks.
func (v Value) IsNull() bool { return v.Resolve().Type == nil }

// IsArray reports whether the value is an array.
func (v Value) IsArray() bool { return v.isArray }

// Elements are those of an array.
func (v Value) Elements() []Value {
	if !v.isArray {
		return nil
	}
	return v.list
}

// Members are the values of the fields of an object, in the order of its type.
func (v Value) Members() []Value {
	if v = v.Resolve(); v.isArray {
		return nil
	}
	return v.list
}

// Member is the value of the field of an object with that name, nothing if it has none.
func (v Value) Member(name string) Value {
	if v = v.Resolve(); v.isArray || v.Type == nil {
		return Value{}
	}
	for i := range v.list {
		if v.Type.Fields[i].Name == name {
			return v.list[i]
		}
	}
	return Value{}
}

// First is the first element of an array that is a member of a constant object: the other elements are not read.
func (v Value) First(name string) (first Value, ok bool) {
	if !v.pooled || v.Type == nil || v.chunk == nil {
		elements := v.Member(name).Elements()
		if len(elements) == 0 {
			return Value{}, false
		}
		return elements[0], true
	}
	p, err := v.chunk.Constants()
	if err != nil {
		return Value{}, false
	}
	in, found := p.find(v.Type.ID, v.item.Bits)
	for i := range v.Type.Fields {
		f := &v.Type.Fields[i]
		switch {
		case !found || in.Err != nil:
			return Value{}, false
		case f.Name != name:
			v.chunk.skip(f, &in)
		case !f.Array || in.Count() == 0:
			return Value{}, false
		default:
			first = v.chunk.one(f, &in)
			return first, in.Err == nil
		}
	}
	return Value{}, false
}

// Text is a text, empty for all else.
func (v Value) Text() string { return v.Resolve().item.Text }

// Bits is a number as it was written, a double and a float as its bits.
func (v Value) Bits() uint64 { return v.item.Bits }

// Int is a whole number, of a double or float its whole part.
func (v Value) Int() int64 {
	if v.Type == nil {
		return 0
	}
	switch v.Type.Kind {
	case Boolean, Char:
		return int64(uint16(v.item.Bits))
	case Byte:
		return int64(int8(v.item.Bits))
	case Short:
		return int64(int16(v.item.Bits))
	case Int:
		return int64(int32(v.item.Bits))
	case Float, Double:
		return int64(v.Float())
	}
	return int64(v.item.Bits)
}

// Float is a number.
func (v Value) Float() float64 {
	if v.Type == nil {
		return 0
	}
	switch v.Type.Kind {
	case Float:
		return float64(math.Float32frombits(uint32(v.item.Bits)))
	case Double:
		return math.Float64frombits(v.item.Bits)
	}
	return float64(v.Int())
}
