package stack

import (
	"strconv"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Method is a Java method, oops/method.hpp and constMethod.hpp.
type Method struct {
	At     uint64
	Source *Source
	Class  *object.Class
	pool   uint64 // address of its ConstantPool
	Name   string
	file   string
	native bool
	Hidden bool // Java code does not show its frames
	// KeepsSelf reports that the object is wanted of which a thread is inside this method.
	KeepsSelf bool
	code      uint64 // address of its bytecodes
	codeSize  uint64
	lines     []lineNumber
	texts     map[int]string // by bytecode, see frame
}

// lineNumber is where the code of a source line begins, in bytes of bytecode.
type lineNumber struct{ bci, line int }

const (
	accessNative = 0x100
	// flagHidden is a bit of ConstMethodFlags that no table has (oops/constMethodFlags.hpp, 21 and newer).
	flagHidden = 1 << 12
	// maxLines bounds the table of line numbers of a method, in bytes.
	maxLines = 1 << 18
	// lineChunk is how many of these bytes are read at a time: the table does not tell its length.
	lineChunk = 512
)

// MethodAt reads a Method; nil if there is no method at the address.
func (r *Reader) MethodAt(at uint64) *Method {
	m, known := r.Methods[at]
	if !known {
		m = r.readMethod(at)
		r.Methods[at] = m
	}
	return m
}

func (r *Reader) readMethod(at uint64) *Method {
	l := &r.Method
	if at < vm.LowestAddress || at&7 != 0 {
		return nil
	}
	constMethod := r.U64(at + l.ConstMethod)
	pool := r.U64(constMethod + l.Constants)
	c := r.ClassAt(r.U64(pool + r.Class.PoolHolder))
	name := r.PoolSymbol(pool, r.U16(constMethod+l.NameIndex))
	if c == nil || name == "" {
		return nil
	}
	m := &Method{At: at, Source: r.note(at+l.ConstMethod, vm.WordSize), Class: c, pool: pool, Name: name}
	m.file = r.sourceFile(c, pool)
	m.native = r.U16(at+l.AccessFlags)&accessNative != 0
	m.KeepsSelf = !m.native && r.wantsSelf(c.Name, name)
	m.Hidden = r.Major >= 21 && r.U32(constMethod+l.Flags)&flagHidden != 0
	m.code, m.codeSize = constMethod+l.ConstMethodSize, uint64(r.U16(constMethod+l.CodeSize))
	if !m.native && uint64(r.U8(constMethod+l.Flags))&l.HasLineNumbers != 0 {
		m.lines = r.lineNumbers(m.code + m.codeSize)
	}
	return m
}

func (r *Reader) sourceFile(c *object.Class, pool uint64) string {
	if r.Class.PoolSourceFile.Known {
		return r.PoolSymbol(pool, uint16(r.Class.PoolSourceFile.Of(r.View, pool)))
	}
	return r.PoolSymbol(pool, uint16(r.Class.SourceFile.Of(r.View, c.Klass)))
}

// lineNumbers reads the compressed table behind the bytecodes (CompressedLineNumberReadStream): a
// byte with both differences (5 bits of bytecode, 3 of lines), 0xff before two signed numbers, or
// 0 at the end.
func (r *Reader) lineNumbers(at uint64) []lineNumber {
	const (
		end      = 0
		escape   = 0xff
		lineBits = 3
		margin   = 16 // more than one entry has
	)
	s := &vm.Stream{ExcludesZero: r.Major >= 20}
	var lines []lineNumber
	var now lineNumber
	for more := true; !s.Overrun(); {
		if more && len(s.Bytes)-s.At < margin {
			more = r.more(s, at)
		}
		switch c := s.Byte(); c {
		case end:
			return lines
		case escape:
			now.bci += int(s.Signed())
			now.line += int(s.Signed())
		default:
			now.bci += int(c >> lineBits)
			now.line += int(c & (1<<lineBits - 1))
		}
		lines = append(lines, now)
	}
	return nil
}

// more appends to a stream what follows it in memory, from at on.
func (r *Reader) more(s *vm.Stream, at uint64) bool {
	if len(s.Bytes) > maxLines {
		return false
	}
	from := at + uint64(len(s.Bytes))
	chunk := make([]byte, lineChunk)
	// A page that cannot be read may follow the table's last one.
	for !r.Read(from, chunk) {
		if r.Failed--; len(chunk) == 1 {
			return false
		}
		chunk = chunk[:len(chunk)/2]
	}
	s.Bytes = append(s.Bytes, chunk...)
	return true
}

// line is the source line of a bytecode, as Method::line_number_from_bci finds it; -1: unknown.
func (m *Method) line(bci int) int {
	best := lineNumber{0, -1}
	for _, l := range m.lines {
		if l.bci == bci {
			return l.line
		}
		if l.bci < bci && l.bci >= best.bci {
			best = l
		}
	}
	return best.line
}

// Frame is a line of a stack, without "at ". Threads share most of them.
func (r *Reader) Frame(m *Method, bci int) string {
	text, known := m.texts[bci]
	if !known {
		if text = r.frameText(m, bci); m.texts == nil {
			m.texts = map[int]string{}
		}
		m.texts[bci] = text
	}
	return text
}

// frameText is a frame as java_lang_StackTraceElement prints it.
func (r *Reader) frameText(m *Method, bci int) string {
	text := m.Class.Name + "." + m.Name + "(" + r.ModuleOf(m.Class)
	line := -1
	if !m.native && bci != unknownBCI {
		line = m.line(max(bci, 0))
	}
	switch {
	case m.native:
		return text + "Native Method)"
	case m.file == "":
		return text + "Unknown Source)"
	case line < 0:
		return text + m.file + ")"
	}
	return text + m.file + ":" + strconv.Itoa(line) + ")"
}

// unknownBCI is the place in a method that is not known. HotSpot itself has numbers from -1 on.
const unknownBCI = -2

// BCIOf is the bytecode at an address of the method's code; a collection of 8 may have put the
// number of the bytecode in its place.
func (m *Method) BCIOf(bcp uint64) int {
	switch {
	case bcp >= m.code && bcp < m.code+m.codeSize:
		return int(bcp - m.code)
	case bcp < m.codeSize:
		return int(bcp)
	}
	return 0
}
