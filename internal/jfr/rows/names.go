package rows

import (
	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
	jfrnames "github.com/jstall/jstall/internal/jfr/names"
)

// names are what the constants of a chunk are called, each made once.
type names struct {
	jfrnames.Names
	texts   map[uint64]string
	classes map[uint64]string
	methods map[uint64]methodName
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
	return &names{
		Names: jfrnames.Of(types, constants), texts: map[uint64]string{}, classes: map[uint64]string{},
		methods: map[uint64]methodName{},
	}
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
		known = n.Constants.Text(key)
		n.count(len(known))
		n.texts[key] = known
	}
	return known
}

// class is "java.lang.String[]", empty for none.
func (n *names) class(key uint64) string {
	known, ok := n.classes[key]
	if ok || n.err != nil {
		return known
	}
	known = javaname.Class(n.Text(jfr.NameOfClass, key, "name"))
	n.count(len(known))
	n.classes[key] = known
	return known
}

// loader is the name of a class loader, of one without a name that of its class.
func (n *names) loader(key uint64) string {
	if name := n.Text(jfr.NameOfLoader, key, "name"); name != "" {
		return name
	}
	return n.class(n.Number(jfr.NameOfLoader, key, "type"))
}

// method is that of a constant; one of native code has no class.
func (n *names) method(key uint64) methodName {
	known, ok := n.methods[key]
	if ok || n.err != nil {
		return known
	}
	name := n.Text(jfr.NameOfMethod, key, "name")
	known.descriptor = n.Text(jfr.NameOfMethod, key, "descriptor")
	of := n.class(n.Number(jfr.NameOfMethod, key, "type"))
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
