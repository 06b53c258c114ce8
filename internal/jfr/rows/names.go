package rows

import (
	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
)

// names are what the constants of a chunk are called, each made once.
type names struct {
	constants *jfr.Constants
	types     map[string]*jfr.Type
	texts     map[uint64]string
	classes   map[uint64]string
	methods   map[uint64]methodName
	// size is that of all names, in bytes. Two symbols make the name of a method, any number of which may be of the
	// same class: together they may take much more than the chunk.
	size int
	err  error
}

// methodName is a method with its class, as it is and within a JSON string, and its descriptor.
type methodName struct {
	plain, quoted []byte
	descriptor    string
}

// maxNames is the size of all names of a chunk, in bytes.
const maxNames = 64 << 20

func newNames(types jfr.Types, constants *jfr.Constants) *names {
	n := &names{
		constants: constants, types: map[string]*jfr.Type{}, texts: map[uint64]string{},
		classes: map[uint64]string{}, methods: map[uint64]methodName{},
	}
	for _, name := range []string{jfr.NameOfClass, jfr.NameOfLoader, jfr.NameOfMethod, jfr.NameOfGroup} {
		for _, t := range types.Named(name) {
			n.types[name] = t
		}
	}
	return n
}

// count adds to the size.
func (n *names) count(size int) {
	if n.size += size; n.size > maxNames && n.err == nil {
		n.err = jfr.ErrForged
	}
}

// text is a constant text.
func (n *names) text(key uint64) string {
	known, ok := n.texts[key]
	if !ok && n.err == nil {
		known = n.constants.Text(key)
		n.count(len(known))
		n.texts[key] = known
	}
	return known
}

// textOf is the text in a field: its own, or that in its constant.
func (n *names) textOf(f *jfr.Field, v jfr.Item) (found string) {
	switch {
	case !f.Pooled && v.How == jfr.Constant:
		return n.text(v.Bits)
	case !f.Pooled:
		return v.Text
	case f.Type != nil && f.Type.Kind == jfr.String:
		return n.text(v.Bits)
	}
	n.constants.Visit(f.Type, v.Bits, func(depth int, inner *jfr.Field, v jfr.Item) {
		if depth == 1 && !inner.Pooled && inner.Type != nil && inner.Type.Kind == jfr.String {
			found = n.textOf(inner, v)
		}
	})
	return found
}

// class is "java.lang.String[]", empty for none.
func (n *names) class(key uint64) string {
	known, ok := n.classes[key]
	if ok || n.err != nil {
		return known
	}
	n.constants.Visit(n.types[jfr.NameOfClass], key, func(depth int, f *jfr.Field, v jfr.Item) {
		if depth == 1 && f.Name == "name" {
			known = javaname.Class(n.textOf(f, v))
		}
	})
	n.count(len(known))
	n.classes[key] = known
	return known
}

// loader is the name of a class loader, of one without a name that of its class.
func (n *names) loader(key uint64) (name string) {
	of := ""
	n.constants.Visit(n.types[jfr.NameOfLoader], key, func(depth int, f *jfr.Field, v jfr.Item) {
		switch {
		case depth == 1 && f.Name == "name":
			name = n.textOf(f, v)
		case depth == 1 && f.Name == "type":
			of = n.class(v.Bits)
		}
	})
	if name == "" {
		return of
	}
	return name
}

// group is the name of a group of threads.
func (n *names) group(key uint64) (name string) {
	n.constants.Visit(n.types[jfr.NameOfGroup], key, func(depth int, f *jfr.Field, v jfr.Item) {
		if depth == 1 && f.Name == "name" {
			name = n.textOf(f, v)
		}
	})
	return name
}

// method is that of a constant; one of native code has no class.
func (n *names) method(key uint64) methodName {
	known, ok := n.methods[key]
	if ok || n.err != nil {
		return known
	}
	of, name := "", ""
	n.constants.Visit(n.types[jfr.NameOfMethod], key, func(depth int, f *jfr.Field, v jfr.Item) {
		switch {
		case depth != 1:
		case f.Name == "type":
			of = n.class(v.Bits)
		case f.Name == "name":
			name = n.textOf(f, v)
		case f.Name == "descriptor":
			known.descriptor = n.textOf(f, v)
		}
	})
	if of != "" {
		name = of + "." + name
	}
	known.plain = []byte(name)
	quoted := appendQuoted(nil, known.plain)
	known.quoted = quoted[1 : len(quoted)-1]
	n.count(2*len(name) + len(known.descriptor))
	n.methods[key] = known
	return known
}
