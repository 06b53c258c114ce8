// Package classfile reads compiled Java classes, as far as the diagnosis asks: what a class
// refers to, what its methods call and put down, and what a loop around a line does. It is
// pure: bytes to facts. The form is that of chapter 4 of the Java Virtual Machine
// Specification, for versions 45 to 72; names are as in a thread dump, "shop.Cart$Line".
package classfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Class is what one class file says.
type Class struct {
	Name       string
	super      string
	interfaces []string
	// Refers are the other classes that it mentions, in the order of the file.
	Refers  []string
	Methods []Method
	// handles are the methods that it refers to without calling them itself, as Map::remove.
	handles []string
	// bootstraps are the handles that each of its bootstrap methods is given: a lambda's is its body.
	bootstraps [][]target
}

// target is a method that is referred to.
type target struct{ member, descriptor string }

// Method is one that has code.
type Method struct {
	Name       string
	descriptor string
	static     bool
	code       []instruction
	handlers   []handler
}

// handler is where the code goes on if it throws something from an instruction on, up to one before another.
type handler struct{ from, to, at int }

func (h handler) covers(pc int) bool { return h.from <= pc && pc < h.to }

// lineStart tells that the instructions from PC on are those of a line of the source.
type lineStart struct{ pc, line int }

// Bounds of what is read: the first is the JVM's own, names are as long, and interfaces as many,
// where somebody plays tricks only.
const mostCode, mostName, mostInterfaces = 65535, 1000, 200

// errShort is of bytes that end before the class does.
var errShort = errors.New("the class file is cut")

// magic begins every class file.
const magic = 0xCAFEBABE

// Parse reads a class file. It fails on bytes that are none, or cut.
func Parse(text []byte) (*Class, error) {
	r := &reader{rest: text}
	if r.u4() != magic {
		return nil, errors.New("no class file")
	}
	r.skip(4) // version
	pool := r.pool()
	r.skip(2) // access flags
	c := &Class{Name: pool.class(r.u2())}
	c.Refers, c.handles = pool.classes(c.Name), pool.handles()
	if slices.ContainsFunc(pool, func(c constant) bool { return len(c.text) > mostName && c.refersByName }) {
		return nil, errors.New("a name in the class file is too long")
	}
	c.super = pool.class(r.u2())
	for range r.u2() {
		if name := pool.class(r.u2()); len(c.interfaces) < mostInterfaces {
			c.interfaces = append(c.interfaces, name)
		}
	}
	for range r.u2() { // fields
		r.skip(6)
		r.attributes(nil)
	}
	for range r.u2() {
		const static = 0x8
		m := Method{static: r.u2()&static != 0, Name: pool.text(r.u2()), descriptor: pool.text(r.u2())}
		var err error
		r.attributes(func(name int, body *reader) {
			if pool.text(name) == "Code" {
				err = m.read(body, pool)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", c.Name, m.Name, err)
		}
		if m.code != nil {
			c.Methods = append(c.Methods, m)
		}
		if r.short {
			break
		}
	}
	r.attributes(func(name int, body *reader) {
		if pool.text(name) == "BootstrapMethods" {
			c.bootstraps = body.bootstraps(pool)
		}
	})
	if r.short {
		return nil, errShort
	}
	return c, nil
}

// bootstraps takes the body of a BootstrapMethods attribute.
func (r *reader) bootstraps(pool constants) (all [][]target) {
	for n := r.u2(); n > 0 && !r.short; n-- {
		r.skip(2) // the bootstrap method itself
		var handles []target
		for k := r.u2(); k > 0 && !r.short; k-- {
			if c := pool.at(r.u2()); c.tag == tagHandle {
				member, descriptor := pool.member(c.a)
				handles = append(handles, target{member, descriptor})
			}
		}
		all = append(all, handles)
	}
	return all
}

// read takes the body of a Code attribute.
func (m *Method) read(r *reader, pool constants) error {
	r.skip(4) // stack and locals
	text := r.take(r.u4())
	if len(text) > mostCode {
		return errCode
	}
	code, err := decode(text, pool)
	if err != nil {
		return err
	}
	m.code = code
	for n := r.u2(); n > 0 && !r.short; n-- { // exception table
		h := handler{from: r.u2(), to: r.u2(), at: r.u2()}
		m.handlers = append(m.handlers, h)
		at, caught := h.at, pool.at(r.u2())
		if caught.tag == tagClass && pool.text(caught.a) == "java/lang/InterruptedException" {
			i, there := slices.BinarySearchFunc(m.code, at, func(in instruction, pc int) int { return in.pc - pc })
			if there {
				m.code[i].interrupted = true
			}
		}
	}
	var lines []lineStart
	r.attributes(func(name int, body *reader) {
		if pool.text(name) != "LineNumberTable" {
			return
		}
		for range body.u2() {
			lines = append(lines, lineStart{pc: body.u2(), line: body.u2()})
		}
	})
	m.number(lines)
	return nil
}

// number gives each instruction its line.
func (m *Method) number(lines []lineStart) {
	slices.SortStableFunc(lines, func(a, b lineStart) int { return a.pc - b.pc })
	line := 0
	for i := range m.code {
		for len(lines) > 0 && lines[0].pc <= m.code[i].pc {
			line, lines = lines[0].line, lines[1:]
		}
		m.code[i].line = line
	}
}

// reader takes big-endian numbers off bytes; short tells that there were too few.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) skip(n int) { r.take(n) }

func (r *reader) u1() int {
	if b := r.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (r *reader) u2() int {
	if b := r.take(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) u4() int {
	if b := r.take(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// attributes hands each attribute to a function, nil to skip them.
func (r *reader) attributes(each func(name int, body *reader)) {
	for range r.u2() {
		name := r.u2()
		body := &reader{rest: r.take(r.u4())}
		if r.short {
			return
		}
		if each != nil {
			each(name, body)
			r.short = r.short || body.short
		}
	}
}

// constant is an entry of the constant pool: its text, or the indices that it refers to.
type constant struct {
	tag  int
	text string
	a, b int
	// number is an int's or a long's.
	number int64
	// refersByName marks the texts that are names of classes and members.
	refersByName bool
}

type constants []constant

// Tags of constants, by the specification's table 4.4-A.
const (
	tagUTF8               = 1
	tagInteger            = 3
	tagLong, tagDouble    = 5, 6
	tagClass              = 7
	tagField              = 9
	tagMethod             = 10
	tagInterfaceMethod    = 11
	tagNameAndType        = 12
	tagHandle             = 15
	tagDynamic, tagInvoke = 17, 18
)

// sizes are how many bytes follow each other tag.
var sizes = map[int]int{4: 4, tagDouble: 8, 8: 2, 16: 2, 19: 2, 20: 2}

func (r *reader) pool() constants {
	n := r.u2()
	pool := make(constants, max(1, n))
	for i := 1; i < n && !r.short; i++ {
		c := constant{tag: r.u1()}
		switch c.tag {
		case tagUTF8:
			c.text = string(r.take(r.u2()))
		case tagClass:
			c.a = r.u2()
		case tagHandle:
			r.skip(1)
			c.a = r.u2()
		case tagInteger:
			c.number = int64(int32(r.u4()))
		case tagLong:
			c.number = int64(r.u4())<<32 | int64(r.u4())
		case tagField, tagMethod, tagInterfaceMethod, tagNameAndType, tagDynamic, tagInvoke:
			c.a, c.b = r.u2(), r.u2()
		default:
			size, known := sizes[c.tag]
			r.short = r.short || !known
			r.skip(size)
		}
		pool[i] = c
		if c.tag == tagLong || c.tag == tagDouble {
			i++ // takes two entries
		}
	}
	return pool.resolved()
}

// resolved marks names, and gives each method and field the text "java.util.Map.put", or the
// name alone where it has no class.
func (p constants) resolved() constants {
	for i := range p {
		switch c := p[i]; c.tag {
		case tagClass:
			p.mark(c.a)
		case tagNameAndType:
			p.mark(c.a)
		}
	}
	for i := range p {
		if c := &p[i]; c.tag == tagField || c.tag == tagMethod || c.tag == tagInterfaceMethod {
			class, name := p.class(c.a), p.text(p.at(c.b).a)
			if len(class)+len(name) <= mostName {
				c.text = class + "." + name
			}
		}
		if c := &p[i]; c.tag == tagInvoke || c.tag == tagDynamic {
			c.text = p.text(p.at(c.b).a) // of no class
		}
	}
	return p
}

func (p constants) mark(i int) {
	if i > 0 && i < len(p) {
		p[i].refersByName = true
	}
}

func (p constants) at(i int) constant {
	if i < 0 || i >= len(p) {
		return constant{}
	}
	return p[i]
}

func (p constants) text(i int) string { return p.at(i).text }

func (p constants) class(i int) string { return dotted(p.text(p.at(i).a)) }

// member is the name of a field or method, with its class, and its descriptor.
func (p constants) member(i int) (name, descriptor string) {
	c := p.at(i)
	return c.text, p.text(p.at(c.b).b)
}

// handles are the methods that handles refer to.
func (p constants) handles() []string {
	var all []string
	for _, c := range p {
		if c.tag == tagHandle && p.at(c.a).tag != tagField { // records ask for their fields by such
			all = append(all, p.text(c.a))
		}
	}
	return all
}

// classes are those that the pool names but for one, arrays aside.
func (p constants) classes(but string) []string {
	var all []string
	for i := range p {
		if name := p.class(i); p[i].tag == tagClass && name != but && name != "" && name[0] != '[' {
			all = append(all, name)
		}
	}
	return all
}

func dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }
