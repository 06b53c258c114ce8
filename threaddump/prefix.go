package threaddump

import "bytes"

// prefix is the shape of what a logger puts before each line, learned from one
// line: runs of letters and digits with a digit among them (times, counters,
// container ids) may change, everything else must be the same.
type prefix struct{ parts []prefixPart }

type prefixPart struct {
	kind partKind
	text []byte
}

type partKind uint8

const (
	partLiteral partKind = iota
	partVarying
	partSpaces
)

func newPrefix(text []byte) *prefix {
	p := &prefix{}
	for text = bytes.Clone(text); len(text) > 0; {
		n, kind := prefixRun(text)
		p.parts = append(p.parts, prefixPart{kind, text[:n]})
		text = text[n:]
	}
	return p
}

// prefixRun measures the run of bytes of one kind that text begins with.
func prefixRun(text []byte) (n int, kind partKind) {
	if n := spanOf(text, isSpace); n > 0 {
		return n, partSpaces
	}
	if n := spanOf(text, isAlnum); n > 0 {
		if bytes.ContainsAny(text[:n], "0123456789") {
			return n, partVarying
		}
		return n, partLiteral
	}
	return 1, partLiteral
}

func spanOf(text []byte, is func(byte) bool) int {
	for i, c := range text {
		if !is(c) {
			return i
		}
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// cut returns what follows the prefix, or the line itself if it has another.
func (p *prefix) cut(line []byte) ([]byte, bool) {
	rest := line
	for i, part := range p.parts {
		last := i == len(p.parts)-1
		if last && part.kind == partSpaces && len(rest) == 0 {
			return rest, true // an empty line whose trailing blanks were trimmed
		}
		n := part.match(rest, last)
		if n == 0 {
			return line, false
		}
		rest = rest[n:]
	}
	return rest, true
}

func (part prefixPart) match(rest []byte, last bool) int {
	switch {
	case part.kind == partVarying:
		return spanOf(rest, isAlnum)
	case part.kind == partSpaces && !last:
		return spanOf(rest, isSpace)
	case bytes.HasPrefix(rest, part.text):
		return len(part.text)
	}
	return 0
}
