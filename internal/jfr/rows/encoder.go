package rows

import (
	"slices"
	"strconv"

	"github.com/jstall/jstall/internal/jfr"
)

// Cell is a value of a row. Its bytes hold until the next row.
type Cell struct {
	Kind CellKind
	// Plain is a number, a boolean or a list as JSON, or a text as it is.
	Plain []byte
	// JSON is a text as JSON, if it is known already.
	JSON []byte
}

// CellKind is what a cell holds.
type CellKind byte

// The kinds of cells. The zero one is that of nothing.
const (
	Null CellKind = iota
	Bare          // a number, a boolean or a list
	Text
)

// encoder makes the rows of a chunk.
type encoder struct {
	chunk        *jfr.Chunk
	constants    *jfr.Constants
	names        *names
	ticksPerNano float64
	// buf holds the bytes of the cells of a row, or of a constant.
	buf []byte
	// frames is where those of a stack are put together.
	frames []byte
	// second is the one of the last time, since 1970, with its text.
	second     int64
	secondText []byte
	// kept are the nodes with known constants, of that many bytes.
	kept     []*node
	keptSize int
}

// Bounds in bytes: of a row, to which constants may give much more than the event has, and of constants that are kept.
const (
	maxRow  = 32 << 20
	maxKept = 16 << 20
)

func newEncoder(c *jfr.Chunk) (*encoder, error) {
	constants, err := c.Constants()
	if err != nil {
		return nil, err
	}
	e := &encoder{chunk: c, constants: constants, names: newNames(c.Types, constants), ticksPerNano: 1}
	if c.TicksPerSecond > 0 {
		e.ticksPerNano = float64(c.TicksPerSecond) / 1e9
	}
	return e, nil
}

// row reads an event into cells, as many as its table has columns.
func (e *encoder) row(t *Table, in *jfr.Decoder, cells []Cell) error {
	e.buf = e.buf[:0]
	clear(cells)
	cells[0] = t.name
	for _, n := range t.fields {
		e.field(n, in, cells[n.offset:][:n.width])
	}
	if len(e.buf) > maxRow {
		return jfr.ErrForged
	}
	if in.Err != nil {
		return in.Err
	}
	return e.names.err
}

func (e *encoder) field(n *node, in *jfr.Decoder, cells []Cell) {
	if n.element != nil {
		e.list(n, in, cells)
		return
	}
	e.value(n, in, cells)
}

// value reads a field that is no array, or one element.
func (e *encoder) value(n *node, in *jfr.Decoder, cells []Cell) {
	f := n.field
	switch {
	case n.form == skipped || len(cells) == 0:
		skip(f, in)
	case f.Pooled:
		key := in.Number()
		if in.Err == nil {
			copy(cells, e.constant(n, key))
		}
	case n.form == number:
		v := in.Item(f)
		cells[0] = e.quantity(n.number, v.Bits)
	case n.form == text:
		cells[0] = e.text(in.Item(f))
	case n.form == object:
		for _, c := range n.children {
			e.field(c, in, cells[c.offset:][:c.width])
		}
	}
}

// skip reads one value of a field without a column.
func skip(f *jfr.Field, in *jfr.Decoder) {
	if !f.Pooled && f.Type != nil && f.Type.Kind == jfr.Object && len(f.Type.Fields) > 0 {
		in.Object(f.Type, nil)
		return
	}
	in.Item(f)
}

// add puts bytes into the buffer and gives them back.
func (e *encoder) add(write func(b []byte) []byte) []byte {
	begin := len(e.buf)
	e.buf = write(e.buf)
	return e.buf[begin:len(e.buf):len(e.buf)]
}

func (e *encoder) quantity(q quantity, bits uint64) Cell {
	begin := len(e.buf)
	e.buf = q.append(e.buf, bits, e)
	made := e.buf[begin:len(e.buf):len(e.buf)]
	switch {
	case len(made) == 0:
		return Cell{}
	case q.isText():
		return Cell{Kind: Text, Plain: made}
	}
	return Cell{Kind: Bare, Plain: made}
}

func (e *encoder) text(v jfr.Item) Cell {
	switch v.How {
	case jfr.Null:
		return Cell{}
	case jfr.Constant:
		v.Text = e.names.text(v.Bits)
	}
	return e.plain(v.Text)
}

// plain is a cell with a text.
func (e *encoder) plain(s string) Cell {
	begin := len(e.buf)
	e.buf = append(e.buf, s...)
	return Cell{Kind: Text, Plain: e.buf[begin:len(e.buf):len(e.buf)]}
}

// named is a cell with a name, null for none.
func (e *encoder) named(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return e.plain(s)
}

// list reads an array.
func (e *encoder) list(n *node, in *jfr.Decoder, cells []Cell) {
	element := n.element
	inner := make([]Cell, element.width)
	made := []byte{'['}
	for count := in.Count(); count > 0 && in.Err == nil; count-- {
		clear(inner)
		begin := len(e.buf)
		e.value(element, in, inner)
		if len(made) > 1 {
			made = append(made, ',')
		}
		made = appendElement(made, n.keys, inner)
		e.buf = e.buf[:begin]
		if len(made) > maxRow {
			in.Fail(jfr.ErrForged)
		}
	}
	if len(cells) > 0 {
		made = append(made, ']')
		cells[0] = Cell{Kind: Bare, Plain: e.add(func(b []byte) []byte { return append(b, made...) })}
	}
}

// appendElement writes an element: a value, or an object if it has several.
func appendElement(b []byte, keys [][]byte, cells []Cell) []byte {
	if len(cells) == 1 {
		return appendCell(b, cells[0])
	}
	for i, c := range cells {
		b = appendCell(append(b, keys[i]...), c)
	}
	if len(cells) == 0 {
		return append(b, "null"...)
	}
	return append(b, '}')
}

// appendCell writes a cell as JSON.
func appendCell(b []byte, c Cell) []byte {
	switch {
	case c.Kind == Null:
		return append(b, "null"...)
	case c.Kind == Bare:
		return append(b, c.Plain...)
	case c.JSON != nil:
		return append(b, c.JSON...)
	}
	return appendQuoted(b, c.Plain)
}

// constant is the cells of one, which are made once.
func (e *encoder) constant(n *node, key uint64) []Cell {
	cells, ok := n.known[key]
	if ok {
		return cells
	}
	outer := e.buf
	e.buf = nil
	cells = e.make(n, key)
	size := len(e.buf)
	for i, c := range cells {
		if c.Kind == Text && c.JSON == nil {
			cells[i].JSON = appendQuoted(nil, c.Plain)
			size += len(cells[i].JSON)
		}
	}
	e.buf = outer
	e.keep(n, key, cells, size)
	return cells
}

// cellSize is about what a cell takes in memory.
const cellSize = 64

func (e *encoder) keep(n *node, key uint64, cells []Cell, size int) {
	if e.keptSize += size + cellSize*(1+len(cells)); e.keptSize > maxKept {
		for _, other := range e.kept {
			other.known = nil
		}
		e.kept, e.keptSize = e.kept[:0], 0
	}
	if n.known == nil {
		n.known = map[uint64][]Cell{}
		e.kept = append(e.kept, n)
	}
	n.known[key] = cells
}

// make makes the cells of a constant, null for what the chunk lacks.
func (e *encoder) make(n *node, key uint64) []Cell {
	cells := make([]Cell, n.width)
	switch n.form {
	case class:
		cells[0] = e.named(e.names.class(key))
	case loader:
		cells[0] = e.named(e.names.loader(key))
	case group:
		cells[0] = e.named(e.names.Text(jfr.NameOfGroup, key, "name"))
	case method:
		made := e.names.method(key)
		cells[0], cells[1] = e.named(string(made.plain)), e.named(made.descriptor)
	case stack:
		e.stack(n.field.Type, key, cells)
	default:
		in, ok := e.constants.Find(n.field.Type, key)
		if !ok {
			break
		}
		e.content(n, &in, cells)
		if in.Err != nil {
			clear(cells)
		}
	}
	return cells
}

// content reads a constant without a special notation.
func (e *encoder) content(n *node, in *jfr.Decoder, cells []Cell) {
	switch n.form {
	case text:
		s, key, how := in.Text()
		cells[0] = e.text(jfr.Item{Text: s, Bits: key, How: how})
	case object:
		for _, c := range n.children {
			e.field(c, in, cells[c.offset:][:c.width])
		}
	}
}

// stack makes the cells of a stack trace: its innermost frame, all frames, and whether it has more.
func (e *encoder) stack(of *jfr.Type, key uint64, cells []Cell) {
	s := stackReader{e: e, list: append(e.frames[:0], '[')}
	if !e.constants.Visit(of, key, s.visit) {
		return
	}
	s.end()
	if s.frames > 0 {
		cells[0] = Cell{Kind: Text, Plain: s.top}
	}
	e.frames = append(s.list, ']')
	e.buf = slices.Clone(e.frames)
	cells[1] = Cell{Kind: Bare, Plain: e.buf}
	cells[2] = Cell{Kind: Bare, Plain: strconv.AppendBool(nil, s.truncated)}
}

// stackReader reads the frames of a stack trace.
type stackReader struct {
	e         *encoder
	frames    int
	method    methodName
	line      int32
	top, list []byte
	truncated bool
}

func (s *stackReader) visit(depth int, f *jfr.Field, v jfr.Item) {
	switch {
	case depth == 1 && f.Name == "truncated":
		s.truncated = v.Bits != 0
	case f.Name == "method":
		s.end()
		s.frames++
		s.method, s.line = s.e.names.method(v.Bits), 0
	case f.Name == "lineNumber":
		s.line = int32(v.Bits)
	}
}

// end writes the frame in hand.
func (s *stackReader) end() {
	if s.frames == 0 {
		return
	}
	if len(s.list) > maxRow && s.e.names.err == nil {
		s.e.names.err = jfr.ErrForged
	}
	if s.e.names.err != nil {
		return
	}
	if s.frames == 1 {
		s.top = appendLine(append([]byte{}, s.method.plain...), s.line)
	} else {
		s.list = append(s.list, ',')
	}
	s.list = append(append(s.list, '"'), s.method.quoted...)
	s.list = append(appendLine(s.list, s.line), '"')
}

// appendLine writes the line of a frame, if there is one.
func appendLine(b []byte, line int32) []byte {
	if line <= 0 {
		return b
	}
	return strconv.AppendInt(append(b, ':'), int64(line), 10)
}
