package redact

import (
	"bytes"
	"strconv"
)

// deepest is how many layers of escapes are decoded, such as JSON within a URL.
const deepest = 3

// decoded is a line without its escapes, and the places of its bytes in the original line. The last place is the line's
// end.
type decoded struct {
	text []byte
	at   []int
	// changed reports that there were escapes.
	changed bool
	// isQuery reports percent encoding, or a query, in which "+" may be a blank.
	isQuery bool
}

// escapeMarks begin the escapes that decode knows: percent encoding, the backslashes of JSON and
// of Java's properties, XML's entities, the zero bytes of UTF-16, and colours of terminals. "?" begins a query.
var escapeMarks = []byte("%\\&\x00?\x1b")

// escapeKey begins the sequences that set the colours of a terminal.
const escapeKey = 0x1b

// colourLength is the length of the sequence at the beginning of a text, 1 for other text: ESC [ 1 ; 31 m.
func colourLength(text []byte) int {
	if len(text) < 2 || text[1] != '[' {
		return 1
	}
	for i, c := range text[2:min(len(text), 32)] {
		if c == 'm' || c == 'K' {
			return i + 3
		}
		if c != ';' && (c < '0' || c > '9') {
			break
		}
	}
	return 1
}

func holdsEscape(text []byte) bool {
	for _, c := range escapeMarks {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return false
}

// decode removes one layer of escapes. It returns false if there is none.
func decode(line []byte) (decoded, bool) {
	if !holdsEscape(line) {
		return decoded{}, false
	}
	d := decoded{text: make([]byte, 0, len(line)), at: make([]int, 0, len(line)+1)}
	if query := bytes.IndexByte(line, '?'); query >= 0 {
		d.isQuery = bytes.IndexByte(line[query:], '+') >= 0
	}
	for i := 0; i < len(line); {
		c, n := unescape(line, i)
		d.isQuery = d.isQuery || line[i] == '%' && n > 1
		d.changed = d.changed || n > 1 || c != line[i]
		isColour := line[i] == escapeKey && n > 1
		if !isColour && !isWide(line, i) {
			d.text, d.at = append(d.text, c), append(d.at, i)
		}
		i += n
	}
	d.at = append(d.at, len(line))
	return d, d.changed || d.isQuery
}

// isWide reports whether a zero byte belongs to a character of UTF-16: two such bytes are two apart.
func isWide(line []byte, at int) bool {
	return line[at] == 0 && (at >= 2 && line[at-2] == 0 || at+2 < len(line) && line[at+2] == 0)
}

// unescape returns the character at a place in a line, and how many bytes its escape has. A zero byte separates words,
// as in /proc/PID/cmdline.
func unescape(line []byte, at int) (c byte, length int) {
	rest := line[at:]
	switch rest[0] {
	case 0:
		return ' ', 1
	case '%':
		if c, ok := number(rest, 1, 3, 16); ok {
			return c, 3
		}
	case '\\':
		return unescapeBackslash(rest)
	case '&':
		return unescapeEntity(rest)
	case escapeKey:
		return found, colourLength(rest)
	}
	return rest[0], 1
}

// number parses the number of a printable character between two places.
func number(text []byte, from, to, base int) (byte, bool) {
	if to > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[from:to]), base, 32)
	return byte(n), err == nil && n >= ' ' && n < 0x7f
}

func unescapeBackslash(text []byte) (byte, int) {
	if len(text) < 2 {
		return text[0], 1
	}
	switch c := text[1]; c {
	case 'u':
		if c, ok := number(text, 2, 6, 16); ok {
			return c, 6
		}
	case 'x':
		if c, ok := number(text, 2, 4, 16); ok {
			return c, 4
		}
	case 'n', 'r', 't':
		return ' ', 2
	case '"', '\'', '\\', '/', '=', ':', ' ', '#', '!':
		return c, 2
	}
	return text[0], 1
}

var entities = []struct {
	name string
	c    byte
}{{"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}}

func unescapeEntity(text []byte) (byte, int) {
	for _, e := range entities {
		if bytes.HasPrefix(text, []byte(e.name)) {
			return e.c, len(e.name)
		}
	}
	end := bytes.IndexByte(text[:min(len(text), 9)], ';')
	if !bytes.HasPrefix(text, []byte("&#")) || end < 3 {
		return text[0], 1
	}
	from, base := 2, 10
	if text[2] == 'x' || text[2] == 'X' {
		from, base = 3, 16
	}
	if c, ok := number(text, from, end, base); ok {
		return c, end + 1
	}
	return text[0], 1
}
