package rows

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// Column describes the values of one column.
type Column struct {
	Name string
	// Type is "timestamp", "boolean", "integer", "number", "text", "object" (of lists only), or a "list of" these.
	Type string
	// Unit is "ns", "bytes", "bits", "bytes/s", "Hz", "fraction" (1 is 100 %), or empty.
	Unit               string
	Label, Description string
	// Contextual is true for a field of context, which belongs to the events that happen meanwhile too (JDK 25).
	Contextual bool
}

// Table describes the rows of one type of events, in one chunk.
type Table struct {
	Event, Label, Description string
	// Columns begin with the name of the event.
	Columns []Column

	fields []*node
	keys   [][]byte // what precedes each value in a JSON object
	name   Cell     // of the event
}

// eventColumn is the name of the first column.
const eventColumn = "event"

// Bounds of forged descriptions: how deep objects are in objects, and how many columns the tables of a chunk have.
const (
	maxPath    = 8
	maxColumns = 1 << 16
)

// tableOf plans the table of a type; left is how many columns there may be yet.
func tableOf(of *jfr.Type, left *int) (*Table, error) {
	p := &planner{left: left, taken: map[string]bool{}}
	p.column(Column{Name: eventColumn, Type: "text", Label: "Event Type"})
	t := &Table{Event: of.Name, Label: of.Label(), Description: of.Annotations.Value("jdk.jfr.Description")}
	for i := range of.Fields {
		f := &of.Fields[i]
		t.fields = append(t.fields, p.field(f, Column{Name: f.Name, Label: f.Label(),
			Description: f.Annotations.Value("jdk.jfr.Description"), Contextual: f.Has("jdk.jfr.Contextual")}))
	}
	t.Columns = p.columns
	t.keys = keysOf(t.Columns)
	t.name = Cell{Kind: Text, Plain: []byte(t.Event), JSON: appendQuoted(nil, []byte(t.Event))}
	if *left < 0 {
		return nil, jfr.ErrForged
	}
	return t, nil
}

// keysOf are the beginnings of the members of a JSON object.
func keysOf(columns []Column) [][]byte {
	var keys [][]byte
	for i, c := range columns {
		key := []byte{"{,"[min(i, 1)]}
		keys = append(keys, append(appendQuoted(key, []byte(c.Name)), ':'))
	}
	return keys
}

// form is how a field is written.
type form byte

const (
	skipped form = iota
	number
	text
	object
	class
	loader
	method
	stack
	group
)

// specialForms are those of constants, by the names of their types.
func specialForm(t *jfr.Type) (special form, suffixes []string) {
	switch t.Name {
	case jfr.NameOfClass:
		return class, []string{""}
	case jfr.NameOfLoader:
		return loader, []string{""}
	case jfr.NameOfGroup:
		return group, []string{""}
	case jfr.NameOfMethod:
		return method, []string{"", ".descriptor"}
	case jfr.NameOfStack:
		return stack, []string{".top", ".frames", ".truncated"}
	}
	return skipped, nil
}

// node is a field in the plan of a table.
type node struct {
	field  *jfr.Field
	form   form
	number quantity
	// offset is its first column after that of the object that it is in, width how many it has.
	offset, width int
	children      []*node // of an object
	// element is that of an array, whose columns are members of a JSON object.
	element *node
	keys    [][]byte // of an element
	known   map[uint64][]Cell
}

// planner makes the columns of a table.
type planner struct {
	columns []Column
	taken   map[string]bool // in small letters
	path    []*jfr.Type
	left    *int
}

// column adds one. A name that is taken gets a number.
func (p *planner) column(c Column) {
	if *p.left--; *p.left < 0 {
		return
	}
	name := c.Name
	for i := 2; p.taken[strings.ToLower(c.Name)]; i++ {
		c.Name = name + "_" + strconv.Itoa(i)
	}
	p.taken[strings.ToLower(c.Name)] = true
	p.columns = append(p.columns, c)
}

// field plans one with its columns, which c describes as far as they do not depend on its type.
func (p *planner) field(f *jfr.Field, c Column) *node {
	if f.Array {
		return p.array(f, c)
	}
	first := len(p.columns)
	n := p.value(f, c)
	n.offset, n.width = first, len(p.columns)-first
	return n
}

func (p *planner) array(f *jfr.Field, c Column) *node {
	n := &node{field: f, offset: len(p.columns)}
	inner := &planner{taken: map[string]bool{}, path: p.path, left: p.left}
	n.element = inner.value(f, Column{})
	n.element.width = len(inner.columns)
	for i := range inner.columns { // the path of an element begins in itself
		inner.columns[i].Name = strings.TrimPrefix(inner.columns[i].Name, ".")
	}
	n.keys = keysOf(inner.columns)
	c.Type = "list of object"
	if n.element.width == 1 {
		c.Type, c.Unit = "list of "+inner.columns[0].Type, inner.columns[0].Unit
	}
	if n.element.width > 0 {
		p.column(c)
		n.width = 1
	}
	return n
}

// value plans a field as if it were no array.
func (p *planner) value(f *jfr.Field, c Column) *node {
	n := &node{field: f}
	t := f.Type
	switch {
	case t == nil || *p.left < 0:
		return n
	case t.Kind == jfr.String:
		n.form, c.Type = text, "text"
		p.column(c)
		return n
	case t.Kind != jfr.Object:
		n.form, n.number = number, quantityOf(f)
		c.Type, c.Unit = n.number.describe(f)
		p.column(c)
		return n
	}
	if special, suffixes := specialForm(t); f.Pooled && special != skipped {
		n.form = special
		for _, suffix := range suffixes {
			p.column(special.column(c, suffix))
		}
		return n
	}
	p.object(n, c)
	return n
}

// column is one of a constant with a special notation.
func (f form) column(c Column, suffix string) Column {
	c.Name += suffix
	c.Type = "text"
	switch suffix {
	case ".frames":
		c.Type = "list of text"
	case ".truncated":
		c.Type = "boolean"
	}
	return c
}

// object plans the fields of an object, unless it is within itself.
func (p *planner) object(n *node, c Column) {
	t := n.field.Type
	for _, outer := range p.path {
		if outer == t {
			return
		}
	}
	if len(p.path) == maxPath || len(t.Fields) == 0 {
		return
	}
	n.form = object
	p.path = append(p.path, t)
	defer func() { p.path = p.path[:len(p.path)-1] }()
	first := len(p.columns)
	for i := range t.Fields {
		f := &t.Fields[i]
		inner := c
		if len(t.Fields) > 1 {
			inner.Name += "." + f.Name
			inner.Label = strings.TrimPrefix(c.Label+": "+f.Label(), ": ")
			inner.Description = cmp.Or(f.Annotations.Value("jdk.jfr.Description"), c.Description)
		}
		child := p.field(f, inner)
		child.offset -= first
		n.children = append(n.children, child)
	}
}
