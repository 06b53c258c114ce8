package flame

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// class is a kind of event, or of what events refer to, as a chunk describes it.
type class struct {
	name   string
	fields []field
}

// field is one of a class. What is pooled is a key of the constants of its kind.
type field struct {
	name          string
	kind          kindID
	pooled, array bool
}

// kindID is a class within its chunk.
type kindID uint64

// kinds are the classes of a chunk.
type kinds map[kindID]*class

// named are the classes with one of these names.
func (k kinds) named(names ...string) map[kindID]*class {
	found := maps.Clone(k)
	maps.DeleteFunc(found, func(_ kindID, c *class) bool { return !slices.Contains(names, c.name) })
	return found
}

// maxMetadata is how many strings and elements describe the kinds of events.
const maxMetadata = 1 << 18

var (
	errCut     = errors.New("it is cut")
	errForged  = errors.New("it claims more than it can hold")
	errUnusual = errors.New("it has a shape that no JVM writes")
)

// readKinds reads what describes the events of a chunk.
func readKinds(data []byte) (kinds, error) {
	m := metadataReader{in: eventReader{data: data}, kinds: kinds{}, names: map[string]bool{}}
	if err := m.read(); err != nil {
		return nil, fmt.Errorf("the description of its events: %w", err)
	}
	return m.kinds, nil
}

// metadataReader reads the classes of a chunk's events and of what they refer to.
type metadataReader struct {
	in      eventReader
	strings []string
	kinds   kinds
	names   map[string]bool
	count   int // of strings and elements
}

// element is the head of an element; its children follow it.
type element struct {
	name     string
	attr     map[string]string
	children uint64
}

func (m *metadataReader) read() error {
	for range 5 { // size, type, start, duration, id
		m.in.number()
	}
	for n := m.in.count(); n > 0 && m.ok(); n-- {
		m.strings = append(m.strings, m.in.text())
	}
	root := m.element()
	for n := root.children; n > 0 && m.ok(); n-- {
		child := m.element()
		for n := child.children; child.name == "metadata" && n > 0 && m.ok(); n-- {
			m.class()
		}
	}
	return m.in.err
}

// ok counts what was read, and tells whether to go on.
func (m *metadataReader) ok() bool {
	if m.count++; m.count > maxMetadata {
		m.in.fail(errForged)
	}
	return m.in.err == nil
}

func (m *metadataReader) string() string {
	at := m.in.number()
	if at >= uint64(len(m.strings)) {
		m.in.fail(errForged)
		return ""
	}
	return m.strings[at]
}

func (m *metadataReader) element() element {
	e := element{name: m.string(), attr: map[string]string{}}
	for n := m.in.count(); n > 0 && m.ok(); n-- {
		key := m.string()
		e.attr[key] = m.string()
	}
	e.children = m.in.count()
	return e
}

func (m *metadataReader) class() {
	e := m.element()
	id, err := strconv.ParseUint(e.attr["id"], 10, 63)
	m.in.fail(err)
	c := &class{name: e.attr["name"]}
	for n := e.children; n > 0 && m.ok(); n-- {
		child := m.element()
		if child.name == "field" {
			c.fields = append(c.fields, m.field(child.attr))
		}
		for n := child.children; n > 0 && m.ok(); n-- {
			m.element()
		}
	}
	twice := m.names[c.name] && isOfJVM(c.name)
	if c.name == "" || twice || m.kinds[kindID(id)] != nil || isPlain(c.name) && len(c.fields) > 0 {
		m.in.fail(fmt.Errorf("%w: type %s", errUnusual, strconv.Quote(c.name)))
	}
	m.names[c.name], m.kinds[kindID(id)] = true, c
}

// isOfJVM recognises the types that are there once. Events are classes of programs, and two class
// loaders may have one of the same name each.
func isOfJVM(name string) bool {
	return isPlain(name) || strings.HasPrefix(name, "jdk.types.") || strings.HasPrefix(name, "java.lang.")
}

func (m *metadataReader) field(attr map[string]string) field {
	kind, err := strconv.ParseUint(attr["class"], 10, 63)
	m.in.fail(err)
	dimension := attr["dimension"]
	if dimension != "" && dimension != "0" && dimension != "1" {
		m.in.fail(fmt.Errorf("%w: a field of dimension %s", errUnusual, strconv.Quote(dimension)))
	}
	return field{
		name: attr["name"], kind: kindID(kind), pooled: attr["constantPool"] == "true", array: dimension == "1",
	}
}

// isPlain recognises the types of plain values. An event has a name without a dot too, if its class
// is in no package.
func isPlain(name string) bool {
	switch name {
	case "boolean", "byte", "char", "short", "int", "long", "float", "double", nameOfText:
		return true
	}
	return false
}
