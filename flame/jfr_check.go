package flame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/grafana/jfr-parser/parser/types/def"
)

// The parser makes room for as many things as a recording claims to have, before it reads
// them. Chunks are walked beforehand with these bounds, by claims that their bytes bear
// out; real ones stay far below.
const (
	// maxChunk is the size of one: the JVM begins a new one after 12 MB.
	maxChunk = 256 << 20
	// maxMetadata is how many strings and elements describe the kinds of events.
	maxMetadata = 1 << 20
	// maxPools is how much memory the constant pools of a chunk may take, of which an
	// entry, and a frame of a stack, take about so much.
	maxPools  = 256 << 20
	entrySize = 128
	frameSize = 32
	// maxText is the length of one string, the JVM's own bound being 65,535 bytes.
	maxText = 1 << 20
)

// parsed are the events that the parser reads whenever it comes upon them.
var parsed = []string{
	executionSample, wallClockSample, allocInTLAB, allocOutside, allocSample, monitorEnter, threadPark,
	"profiler.Malloc", "profiler.Free", "profiler.LiveObject", "jdk.ActiveSetting",
}

const (
	nameOfText   = "java.lang.String"
	nameOfFrames = "jdk.types.StackTrace"
	nameOfFrame  = "jdk.types.StackFrame"
	nameOfHeader = "jdk.types.ChunkHeader"
)

// checkChunk finds out whether the parser can be given a chunk.
func checkChunk(data []byte) error {
	pools, metadata := binary.BigEndian.Uint64(data[16:]), binary.BigEndian.Uint64(data[24:])
	if pools < chunkHeader || metadata < chunkHeader || pools >= uint64(len(data)) || metadata >= uint64(len(data)) {
		return errCut
	}
	m := metadataReader{in: eventReader{data: data[metadata:]}, kinds: def.TypeMap{IDMap: map[def.TypeID]*def.Class{}}, names: map[string]bool{}}
	if err := m.read(); err != nil {
		return fmt.Errorf("the description of its events: %w", err)
	}
	if err := checkEvents(data[chunkHeader:], &m.kinds); err != nil {
		return err
	}
	c := poolChecker{data: data, kinds: &m.kinds, seen: map[int64]bool{}}
	if err := c.all(int64(pools)); err != nil {
		return fmt.Errorf("its constant pools: %w", err)
	}
	return nil
}

var (
	errCut       = errors.New("it is cut")
	errForged    = errors.New("it claims more than it can hold")
	errUnusual   = errors.New("it has a shape that no JVM writes")
	errNoSuchFor = errors.New("a constant is of no known type")
)

// metadataReader reads the classes of a chunk's events and of what they refer to.
type metadataReader struct {
	in      eventReader
	strings []string
	kinds   def.TypeMap
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
	class, err := def.NewClass(e.attr, 0)
	if err != nil {
		m.in.fail(err)
		return
	}
	for n := e.children; n > 0 && m.ok(); n-- {
		child := m.element()
		if child.name == "field" {
			field, err := def.NewField(child.attr)
			m.in.fail(err)
			class.Fields = append(class.Fields, field)
		}
		for n := child.children; n > 0 && m.ok(); n-- {
			m.element()
		}
	}
	if m.names[class.Name] || m.kinds.IDMap[class.ID] != nil || class.ID < 0 || isPlain(class.Name) && len(class.Fields) > 0 {
		m.in.fail(fmt.Errorf("%w: type %s", errUnusual, strconv.Quote(class.Name)))
	}
	m.names[class.Name], m.kinds.IDMap[class.ID] = true, class
}

func isPlain(name string) bool { return name == nameOfText || !strings.Contains(name, ".") }

// checkShape tells a class whose values the parser takes for longer or shorter than they are.
func checkShape(class *def.Class, kinds *def.TypeMap) error {
	for _, f := range class.Fields {
		inner := kinds.IDMap[f.Type]
		if f.ConstantPool || inner == nil {
			continue
		}
		if f.Array && !isPlain(inner.Name) && !(class.Name == nameOfFrames && inner.Name == nameOfFrame) {
			return fmt.Errorf("%w: %s.%s", errUnusual, class.Name, f.Name)
		}
		for _, g := range inner.Fields {
			if g.Array {
				return fmt.Errorf("%w: %s.%s", errUnusual, inner.Name, g.Name)
			}
		}
	}
	return nil
}

// checkEvents walks all events and reads those that the parser reads.
func checkEvents(data []byte, kinds *def.TypeMap) error {
	read := map[def.TypeID]*def.Class{}
	for id, class := range kinds.IDMap {
		for _, name := range parsed {
			if class.Name == name {
				read[id] = class
			}
		}
	}
	for _, class := range read {
		if err := checkShape(class, kinds); err != nil {
			return err
		}
	}
	return walkEvents(data, kinds, func(kind def.TypeID, in *eventReader) {
		if class := read[kind]; class != nil {
			in.object(class, nil)
		}
	})
}

// poolChecker walks the constant pools of a chunk, each of which tells where the one
// before it is.
type poolChecker struct {
	data  []byte
	kinds *def.TypeMap
	seen  map[int64]bool
	cost  uint64
}

func (c *poolChecker) all(at int64) error {
	for {
		if at <= 0 || at >= int64(len(c.data)) {
			return errCut
		}
		if c.seen[at] {
			return errForged
		}
		c.seen[at] = true
		in := eventReader{data: c.data[at:], kinds: c.kinds}
		before := c.event(&in)
		if in.err != nil {
			return in.err
		}
		if before == 0 {
			return nil
		}
		at += before
	}
}

// event reads the pools at one place, and tells how far away the next place is.
func (c *poolChecker) event(in *eventReader) (before int64) {
	for range 4 { // size, type, start, duration
		in.number()
	}
	before = int64(in.number())
	in.number() // what kind of checkpoint
	for n := in.count(); n > 0 && in.err == nil; n-- {
		class := c.kinds.IDMap[def.TypeID(in.number())]
		switch {
		case class == nil:
			in.fail(errNoSuchFor)
		case class.Name == nameOfHeader:
			in.take(chunkHeader)
		default:
			in.fail(checkShape(class, c.kinds))
			c.pool(in, class)
		}
	}
	return before
}

func (c *poolChecker) pool(in *eventReader, class *def.Class) {
	n := in.count()
	if c.cost += n * entrySize; c.cost > maxPools {
		in.fail(errForged)
	}
	for ; n > 0 && in.err == nil; n-- {
		in.number() // the key
		if class.Name == nameOfText {
			in.text()
			continue
		}
		start := in.at
		in.object(class, nil)
		if class.Name == nameOfFrames {
			// a frame has four numbers at least
			if c.cost += uint64(in.at-start) / 4 * frameSize; c.cost > maxPools {
				in.fail(errForged)
			}
		}
	}
}
