// Package classfile reads compiled Java classes, as far as the diagnosis asks: what a class
// refers to, what its methods call and put down, and what a loop around a line does. It is
// pure: bytes to facts. The form is that of chapter 4 of the Java Virtual Machine
// Specification, for versions 45 to 72; names are as in a thread dump, "shop.Cart$Line".
package classfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Class is what one class file says.
type Class struct {
	Name string
	// Refers are the other classes that it mentions, in the order of the file.
	Refers  []string
	Methods []Method
}

// Method is one that has code.
type Method struct {
	Name  string
	code  []instruction
	lines []lineStart
}

// lineStart tells that the instructions from PC on are those of a line of the source.
type lineStart struct{ pc, line int }

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
	c.Refers = pool.classes(c.Name)
	r.skip(2)          // superclass
	r.skip(2 * r.u2()) // interfaces
	for range r.u2() { // fields
		r.skip(6)
		r.attributes(nil)
	}
	for range r.u2() {
		r.skip(2)
		m := Method{Name: pool.text(r.u2())}
		r.skip(2)
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
	if r.attributes(nil); r.short {
		return nil, errShort
	}
	return c, nil
}

// read takes the body of a Code attribute.
func (m *Method) read(r *reader, pool constants) error {
	r.skip(4) // stack and locals
	text := r.take(r.u4())
	code, err := decode(text, pool)
	if err != nil {
		return err
	}
	m.code = code
	r.skip(8 * r.u2()) // exception table
	r.attributes(func(name int, body *reader) {
		if pool.text(name) != "LineNumberTable" {
			return
		}
		for range body.u2() {
			m.lines = append(m.lines, lineStart{pc: body.u2(), line: body.u2()})
		}
	})
	return nil
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
}

type constants []constant

// Tags of constants, by the specification's table 4.4-A.
const (
	tagUTF8               = 1
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
var sizes = map[int]int{3: 4, 4: 4, tagLong: 8, tagDouble: 8, 8: 2, tagHandle: 3, 16: 2, 19: 2, 20: 2}

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
	return pool
}

func (p constants) at(i int) constant {
	if i < 0 || i >= len(p) {
		return constant{}
	}
	return p[i]
}

func (p constants) text(i int) string { return p.at(i).text }

func (p constants) class(i int) string { return dotted(p.text(p.at(i).a)) }

// member is the class, name and descriptor that a field or method constant refers to.
func (p constants) member(i int) (class, name, descriptor string) {
	c := p.at(i)
	nameAndType := p.at(c.b)
	return p.class(c.a), p.text(nameAndType.a), p.text(nameAndType.b)
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
