// Package names looks up what the constants in a chunk of a flight recording are called. It keeps no text: callers keep
// what they use again, and bound it.
package names

import "github.com/jstall/jstall/internal/jfr"

// Names are the constants of a chunk, by the names of their types.
type Names struct {
	*jfr.Constants
	types map[string]*jfr.Type
}

// Of looks names up in constants of these types.
func Of(types jfr.Types, constants *jfr.Constants) Names {
	n := Names{constants, make(map[string]*jfr.Type, len(types))}
	for _, t := range types {
		n.types[t.Name] = t
	}
	return n
}

// Type is the type of a name, nil if the chunk has none.
func (n Names) Type(name string) *jfr.Type { return n.types[name] }

// Number is a field of a constant that holds a number or the key of a constant, 0 if there is none.
func (n Names) Number(of string, key uint64, name string) (number uint64) {
	n.fields(of, key, func(f *jfr.Field, v jfr.Item) {
		if f.Name == name {
			number = v.Bits
		}
	})
	return number
}

// Text is a field of a constant that holds a text, empty if there is none.
func (n Names) Text(of string, key uint64, name string) (text string) {
	n.fields(of, key, func(f *jfr.Field, v jfr.Item) {
		if f.Name == name {
			text = n.Value(f, v)
		}
	})
	return text
}

// fields visits the fields of a constant, without those of the objects in it.
func (n Names) fields(of string, key uint64, visit func(f *jfr.Field, v jfr.Item)) {
	n.Visit(n.types[of], key, func(depth int, f *jfr.Field, v jfr.Item) {
		if depth == 1 {
			visit(f, v)
		}
	})
}

// Value is the text in a field: that itself, or that of the constant which the field refers to.
func (n Names) Value(f *jfr.Field, v jfr.Item) string {
	switch {
	case f.Pooled:
		return n.Constant(f.Type, v.Bits)
	case v.How == jfr.Constant:
		return n.Constants.Text(v.Bits)
	}
	return v.Text
}

// Constant is a text, or the first text in the fields of an object.
func (n Names) Constant(of *jfr.Type, key uint64) (text string) {
	if of != nil && of.Kind == jfr.String {
		return n.Constants.Text(key)
	}
	n.Visit(of, key, func(depth int, f *jfr.Field, v jfr.Item) {
		if text == "" && depth == 1 && !f.Pooled && f.Type != nil && f.Type.Kind == jfr.String {
			text = n.Value(f, v)
		}
	})
	return text
}

// Thread is a thread as a recording describes it. What is unknown is empty.
type Thread struct {
	JavaName, OSName string
	JavaID, OSID     int64
	Group            uint64 // the key of a constant
	Virtual          bool
}

// Thread is the thread with a key.
func (n Names) Thread(key uint64) (t Thread) {
	n.fields(jfr.NameOfThread, key, func(f *jfr.Field, v jfr.Item) {
		switch f.Name {
		case "javaName":
			t.JavaName = n.Value(f, v)
		case "osName":
			t.OSName = n.Value(f, v)
		case "javaThreadId":
			t.JavaID = int64(v.Bits)
		case "osThreadId":
			t.OSID = int64(v.Bits)
		case "virtual":
			t.Virtual = v.Bits != 0
		case "group":
			t.Group = v.Bits
		}
	})
	return t
}
