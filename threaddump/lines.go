package threaddump

import "bytes"

// lines delivers the lines of a dump, freed from what wraps them: carriage
// returns, a prefix that a logger or container runtime put in front, or a JSON
// object around each.
type lines struct {
	src  *source
	crlf bool // the dump's lines end in CR LF; elsewhere a CR is part of a name
	wrap *wrapping
	// raw is the line as it is in the input; bare is true if the wrapping
	// did not fit it and that it was delivered as it is.
	raw  []byte
	bare bool

	decoded []byte // the value of a JSON line, its lines still to come in rest
	rest    []byte
	sub     int // how many lines of decoded were delivered
	start   mark
}

// wrapping is what is around each line of a dump.
type wrapping struct {
	key    string // of the JSON string that holds the text, empty for none
	prefix *prefix
	cri    bool // CRI marks the parts of a long line with P
}

// mark is a place to return to.
type mark struct {
	offset int64
	line   int
	skip   int
}

// atEnd reports whether all of the input was read.
func (l *lines) atEnd() bool { return l.src.pos == len(l.src.buf) && len(l.rest) == 0 }

func (l *lines) lineNo() int { return l.src.line }

func (l *lines) next() ([]byte, bool) {
	if l.wrap != nil {
		return l.nextWrapped()
	}
	line, ok := l.src.next()
	l.raw = line
	if l.crlf && len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line, ok
}

// skip passes over the next line if it is begin and text.
func (l *lines) skip(begin, text string) bool {
	return l.wrap == nil && !l.crlf && l.src.skip(begin, text)
}

// skipAll passes over the next lines if they are text, which is n lines.
func (l *lines) skipAll(text string, n int) bool {
	return l.wrap == nil && !l.crlf && l.src.skipAll(text, n)
}

// mark is the place of the next line.
func (l *lines) mark() mark {
	if len(l.rest) > 0 {
		return mark{l.start.offset, l.start.line, l.sub}
	}
	return mark{offset: l.src.offset(), line: l.src.line}
}

// here is the place of the line delivered last.
func (l *lines) here() mark {
	if l.wrap != nil {
		return mark{l.start.offset, l.start.line, l.sub - 1}
	}
	return l.rawStart()
}

// rawStart is the place of the input's line read last.
func (l *lines) rawStart() mark {
	n := int64(len(l.raw))
	if !l.src.unended {
		n++
	}
	return mark{offset: l.src.offset() - n, line: l.src.line - 1}
}

// rewind returns to a mark if its bytes are still there.
func (l *lines) rewind(m mark) bool {
	if !l.src.has(m.offset) {
		return false
	}
	l.src.seek(m.offset, m.line)
	l.rest = nil
	for range m.skip {
		l.next()
	}
	return true
}

func (l *lines) nextWrapped() ([]byte, bool) {
	if len(l.rest) == 0 {
		if !l.nextRaw() {
			return nil, false
		}
	}
	line := l.rest
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line, l.rest = line[:i], line[i+1:]
	} else {
		l.rest = nil
	}
	l.sub++
	return l.strip(line), true
}

// strip takes the prefix from a line. One that does not fit is left alone: some
// loggers prefix only the first line of a message.
func (l *lines) strip(line []byte) []byte {
	if n := len(line); l.crlf && n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if l.wrap.prefix == nil {
		return line
	}
	stripped, ok := l.wrap.prefix.cut(line)
	l.bare = l.bare || !ok
	return stripped
}

// nextRaw reads one line of the input into rest, with the parts that the
// container runtime made of a long one.
func (l *lines) nextRaw() bool {
	l.start = mark{offset: l.src.offset(), line: l.src.line}
	l.sub, l.bare = 0, false
	raw, ok := l.src.next()
	l.raw, l.rest = raw, raw
	if !ok {
		return false
	}
	switch {
	case l.wrap.key != "":
		l.decodeJSON(raw)
	case l.wrap.cri:
		l.joinCRI(raw)
	}
	return true
}

// decodeJSON takes the text out of {"log":"…\n","stream":"stdout"}. Docker cuts
// lines at 16 KB: a part of its log without \n goes on in the next object.
func (l *lines) decodeJSON(raw []byte) {
	value, ok := jsonValue(raw, l.wrap.key)
	if !ok {
		l.bare = true
		return
	}
	l.decoded = append(l.decoded[:0], value...)
	for l.wrap.key == dockerKey && !bytes.HasSuffix(l.decoded, []byte("\n")) && len(l.decoded) < maxLine {
		offset, line := l.src.offset(), l.src.line
		more, _ := l.src.next()
		value, ok := jsonValue(more, l.wrap.key)
		if !ok {
			l.src.seek(offset, line)
			break
		}
		l.decoded = append(l.decoded, value...)
	}
	l.rest = l.decoded
	if n := len(l.rest); n > 1 {
		l.rest = bytes.TrimSuffix(l.rest, []byte("\n"))
	}
}

func (l *lines) joinCRI(raw []byte) {
	if !criPart(raw) {
		return
	}
	// A partial line fits the prefix of a full one but for its flag.
	l.decoded = append(l.decoded[:0], raw...)
	if i := bytes.Index(l.decoded, []byte(" P ")); i >= 0 {
		l.decoded[i+1] = 'F'
	}
	for len(l.decoded) < maxLine {
		more, ok := l.src.next()
		if !ok {
			break
		}
		l.decoded = append(l.decoded, criText(more)...)
		if !criPart(more) {
			break
		}
	}
	l.rest = l.decoded
}

const dockerKey = "log"

// jsonValue is the string under a key of a JSON object on one line.
func jsonValue(raw []byte, key string) (value []byte, ok bool) {
	eachJSONString(raw, func(k string, v []byte) bool {
		if k == key {
			value, ok = v, true
		}
		return !ok
	})
	return value, ok
}

// eachJSONString goes through the strings of a JSON object until one is enough.
func eachJSONString(raw []byte, each func(key string, value []byte) (more bool)) {
	j := jsonReader{line: asObject(raw)}
	if j.next() != '{' {
		return
	}
	more := true
	j.members(func(key string) {
		t := j.next()
		if more && t == jsonString {
			more = each(key, j.text)
		}
		if !more {
			j.bad = true // the rest does not matter
			return
		}
		j.skipFrom(t)
	})
}

// asObject makes an object of a member on a separate line: `"result": "…",`.
func asObject(raw []byte) []byte {
	line := bytes.TrimSpace(raw)
	if len(line) == 0 || line[0] != '"' {
		return raw
	}
	return append(append([]byte{'{'}, bytes.TrimRight(line, ", ")...), '}')
}

// criPart and criText read "2026-11-20T15:00:18.2Z stdout P text".
func criPart(raw []byte) bool { return criFlag(raw) == 'P' }

func criText(raw []byte) []byte {
	if criFlag(raw) == 0 {
		return raw
	}
	_, rest, _ := bytes.Cut(raw, []byte(" "))
	return rest[len("stdout P "):]
}

func criFlag(raw []byte) byte {
	_, rest, _ := bytes.Cut(raw, []byte(" "))
	const n = len("stdout P ")
	if len(rest) < n || rest[6] != ' ' || rest[8] != ' ' {
		return 0
	}
	if s := string(rest[:6]); s != "stdout" && s != "stderr" {
		return 0
	}
	if rest[7] != 'P' && rest[7] != 'F' {
		return 0
	}
	return rest[7]
}
