package jfr

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// maxMetadata is how many strings and elements describe the types of events.
const maxMetadata = 1 << 18

// description is what describes the events of a chunk: the bytes, and what they say.
type description struct {
	bytes []byte
	types Types
	zone  int64
}

// describe reads what describes the events of a chunk, or takes what is known if the bytes are the same.
func (c *Chunk) describe(data []byte, known *description) error {
	m := metadataReader{in: Decoder{Data: data}, types: Types{}, names: map[string]bool{}}
	for range 5 { // size, type, start, duration, id
		m.in.Number()
	}
	begin := m.in.At
	if len(known.bytes) > 0 && bytes.HasPrefix(data[begin:], known.bytes) {
		c.Types, c.Zone = known.types, known.zone
		return nil
	}
	if m.read(); m.in.Err == nil {
		m.link()
	}
	if m.in.Err != nil {
		return fmt.Errorf("the description of its events: %w", m.in.Err)
	}
	c.Types, c.Zone = m.types, m.zone
	*known = description{append(known.bytes[:0], data[begin:m.in.At]...), m.types, m.zone}
	return nil
}

// metadataReader reads the types of a chunk's events and of what they refer to.
type metadataReader struct {
	in      Decoder
	strings []string
	types   Types
	names   map[string]bool
	zone    int64
	notes   []note
	count   int // of strings and elements
}

// note is an annotation whose type is not known yet.
type note struct {
	of     TypeID
	values []string
	on     Annotations
}

// element is the head of an element; its children follow it.
type element struct {
	name     string
	attr     map[string]string
	children uint64
}

func (m *metadataReader) read() {
	for n := m.in.Count(); n > 0 && m.ok(); n-- {
		text, _, _ := m.in.Text()
		m.strings = append(m.strings, text)
	}
	root := m.element()
	for n := root.children; n > 0 && m.ok(); n-- {
		child := m.element()
		if child.name == "region" {
			m.zone, _ = strconv.ParseInt(child.attr["gmtOffset"], 10, 64)
		}
		for n := child.children; n > 0 && m.ok(); n-- {
			if child.name == "metadata" {
				m.class()
			} else {
				m.element()
			}
		}
	}
}

// ok counts what was read, and reports whether to go on.
func (m *metadataReader) ok() bool {
	if m.count++; m.count > maxMetadata {
		m.in.Fail(ErrForged)
	}
	return m.in.Err == nil
}

func (m *metadataReader) string() string {
	at := m.in.Number()
	if at >= uint64(len(m.strings)) {
		m.in.Fail(ErrForged)
		return ""
	}
	return m.strings[at]
}

func (m *metadataReader) element() element {
	e := element{name: m.string(), attr: map[string]string{}}
	for n := m.in.Count(); n > 0 && m.ok(); n-- {
		key := m.string()
		e.attr[key] = m.string()
	}
	e.children = m.in.Count()
	return e
}

func (m *metadataReader) class() {
	e := m.element()
	id, err := strconv.ParseUint(e.attr["id"], 10, 63)
	m.in.Fail(err)
	t := &Type{
		ID: TypeID(id), Name: e.attr["name"], Super: e.attr["superType"], Kind: kindOf(e.attr["name"]),
		Annotations: Annotations{},
	}
	for n := e.children; n > 0 && m.ok(); n-- {
		child := m.element()
		switch child.name {
		case "field":
			t.Fields = append(t.Fields, m.field(child))
		case "annotation":
			m.annotation(child, t.Annotations)
		default:
			m.skip(child.children)
		}
	}
	twice := m.names[t.Name] && isOfJVM(t.Name)
	if t.Name == "" || twice || m.types[t.ID] != nil || t.Kind != Object && len(t.Fields) > 0 {
		m.in.Fail(fmt.Errorf("%w: type %s", ErrUnusual, strconv.Quote(t.Name)))
	}
	m.names[t.Name], m.types[t.ID] = true, t
}

// skip reads elements that have no children.
func (m *metadataReader) skip(n uint64) {
	for ; n > 0 && m.ok(); n-- {
		m.element()
	}
}

// isOfJVM recognises the types that are there once. Events are classes of programs, and two class
// loaders may have one of the same name each.
func isOfJVM(name string) bool {
	return kindOf(name) != Object || strings.HasPrefix(name, "jdk.types.") || strings.HasPrefix(name, "java.lang.")
}

func (m *metadataReader) field(e element) Field {
	kind, err := strconv.ParseUint(e.attr["class"], 10, 63)
	m.in.Fail(err)
	dimension := e.attr["dimension"]
	if dimension != "" && dimension != "0" && dimension != "1" {
		m.in.Fail(fmt.Errorf("%w: a field of dimension %s", ErrUnusual, strconv.Quote(dimension)))
	}
	f := Field{
		Name: e.attr["name"], TypeID: TypeID(kind), Pooled: e.attr["constantPool"] == "true",
		Array: dimension == "1", Annotations: Annotations{},
	}
	for n := e.children; n > 0 && m.ok(); n-- {
		child := m.element()
		if child.name == "annotation" {
			m.annotation(child, f.Annotations)
		} else {
			m.skip(child.children)
		}
	}
	return f
}

// annotation keeps the values of one: "value", or "value-0" and so on.
func (m *metadataReader) annotation(e element, on Annotations) {
	id, err := strconv.ParseUint(e.attr["class"], 10, 63)
	m.in.Fail(err)
	n := note{of: TypeID(id), values: []string{}, on: on}
	if value, ok := e.attr["value"]; ok {
		n.values = append(n.values, value)
	}
	for i := 0; ; i++ {
		value, ok := e.attr["value-"+strconv.Itoa(i)]
		if !ok {
			break
		}
		n.values = append(n.values, value)
	}
	m.notes = append(m.notes, n)
	m.skip(e.children)
}

// link finds the types of fields and annotations, which may be described after them.
func (m *metadataReader) link() {
	for _, t := range m.types {
		for i := range t.Fields {
			t.Fields[i].Type = m.types[t.Fields[i].TypeID]
			if of := t.Fields[i].Type; of != nil && of.Kind == Object && len(of.Fields) == 0 && !t.Fields[i].Pooled {
				t.Fields[i].Type = nil
			}
		}
	}
	for _, n := range m.notes {
		if t := m.types[n.of]; t != nil {
			n.on[t.Name] = n.values
		}
	}
	for _, t := range m.types {
		for i := range t.Fields {
			t.Fields[i].settle()
		}
	}
}
