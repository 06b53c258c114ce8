package hotspot

import "strconv"

// method is a Java method, oops/method.hpp and constMethod.hpp.
type method struct {
	at     uint64
	source *source
	class  *class
	pool   uint64 // address of its ConstantPool
	name   string
	file   string
	native bool
	hidden bool // Java code does not show its frames
	// keepsSelf reports that the object is wanted of which a thread is inside this method.
	keepsSelf bool
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

// methodAt reads a Method; nil if there is none at the address.
func (r *codeReader) methodAt(at uint64) *method {
	m, known := r.methods[at]
	if !known {
		m = r.readMethod(at)
		r.methods[at] = m
	}
	return m
}

func (r *codeReader) readMethod(at uint64) *method {
	l := &r.method
	if at < lowestAddress || at&7 != 0 {
		return nil
	}
	constMethod := r.u64(at + l.constMethod)
	pool := r.u64(constMethod + l.constants)
	c := r.classAt(r.u64(pool + r.class.poolHolder))
	name := r.poolSymbol(pool, r.u16(constMethod+l.nameIndex))
	if c == nil || name == "" {
		return nil
	}
	m := &method{at: at, source: r.note(at+l.constMethod, wordSize), class: c, pool: pool, name: name}
	m.file = r.sourceFile(c, pool)
	m.native = r.u16(at+l.accessFlags)&accessNative != 0
	m.keepsSelf = !m.native && r.wantsSelf(c.name, name)
	m.hidden = r.major >= 21 && r.u32(constMethod+l.flags)&flagHidden != 0
	m.code, m.codeSize = constMethod+l.constMethodSize, uint64(r.u16(constMethod+l.codeSize))
	if !m.native && uint64(r.u8(constMethod+l.flags))&l.hasLineNumbers != 0 {
		m.lines = r.lineNumbers(m.code + m.codeSize)
	}
	return m
}

func (r *codeReader) sourceFile(c *class, pool uint64) string {
	if r.class.poolSourceFile.known {
		return r.poolSymbol(pool, uint16(r.class.poolSourceFile.of(r.view, pool)))
	}
	return r.poolSymbol(pool, uint16(r.class.sourceFile.of(r.view, c.klass)))
}

// lineNumbers reads the compressed table behind the bytecodes (CompressedLineNumberReadStream): a
// byte with both differences (5 bits of bytecode, 3 of lines), 0xff before two signed numbers, or
// 0 at the end.
func (r *codeReader) lineNumbers(at uint64) []lineNumber {
	const (
		end      = 0
		escape   = 0xff
		lineBits = 3
		margin   = 16 // more than one entry has
	)
	s := &stream{excludesZero: r.major >= 20}
	var lines []lineNumber
	var now lineNumber
	for more := true; !s.overrun(); {
		if more && len(s.bytes)-s.at < margin {
			more = r.more(s, at)
		}
		switch c := s.byte(); c {
		case end:
			return lines
		case escape:
			now.bci += int(s.signed())
			now.line += int(s.signed())
		default:
			now.bci += int(c >> lineBits)
			now.line += int(c & (1<<lineBits - 1))
		}
		lines = append(lines, now)
	}
	return nil
}

// more appends to a stream what follows it in memory, from at on.
func (r *codeReader) more(s *stream, at uint64) bool {
	if len(s.bytes) > maxLines {
		return false
	}
	from := at + uint64(len(s.bytes))
	chunk := make([]byte, lineChunk)
	// A page that cannot be read may follow the table's last one.
	for !r.read(from, chunk) {
		if r.failed--; len(chunk) == 1 {
			return false
		}
		chunk = chunk[:len(chunk)/2]
	}
	s.bytes = append(s.bytes, chunk...)
	return true
}

// line is the source line of a bytecode, as Method::line_number_from_bci tells it; -1: unknown.
func (m *method) line(bci int) int {
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

// frame is a line of a stack, without "at ". Threads share most of them.
func (r *codeReader) frame(m *method, bci int) string {
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
func (r *codeReader) frameText(m *method, bci int) string {
	text := m.class.name + "." + m.name + "(" + r.moduleOf(m.class)
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

// bciOf is the bytecode at an address of the method's code; a collection of 8 may have put the
// number of the bytecode in its place.
func (m *method) bciOf(bcp uint64) int {
	switch {
	case bcp >= m.code && bcp < m.code+m.codeSize:
		return int(bcp - m.code)
	case bcp < m.codeSize:
		return int(bcp)
	}
	return 0
}
