package threaddump

import "bytes"

// unwrapped takes note of what was before a dump's text and after it.
func (l *lines) unwrapped(text, before []byte) []byte {
	if text == nil {
		return nil
	}
	if len(before) > 0 {
		if l.wrap == nil {
			l.start = l.rawStart()
			l.wrap = &wrapping{cri: criFlag(before) != 0}
			l.sub = 1
		}
		l.wrap.prefix = newPrefix(before)
	}
	if n := len(text); text[n-1] == '\r' {
		l.crlf = true
		return text[:n-1]
	}
	return text
}

// unwrapForm learns from the first line of a form's dump what the lines are wrapped in, and
// returns the line without it.
func (l *lines) unwrapForm(line []byte, cut func([]byte) int) []byte {
	if l.wrap != nil && !l.bare && cut(line) == 0 {
		return line
	}
	i := cut(l.raw)
	if i < 0 {
		return line
	}
	l.wrap, l.crlf, l.bare = nil, false, false
	if text, ok := l.unwrapDocker(); ok && cut(text) >= 0 {
		i = cut(text)
		return l.unwrapped(text[i:], text[:i])
	}
	return l.unwrapped(l.raw[i:], l.raw[:i])
}

// unwrapDocker learns that lines are in the JSON of docker's log, and returns the text of the line read last.
func (l *lines) unwrapDocker() (text []byte, ok bool) {
	if len(l.raw) == 0 || l.raw[0] != '{' {
		return nil, false
	}
	if text, ok = jsonValue(l.raw, dockerKey); ok {
		l.start, l.sub, l.wrap = l.rawStart(), 1, &wrapping{key: dockerKey}
		text = bytes.TrimRight(bytes.Clone(text), "\n")
	}
	return text, ok
}

// unwrapQuoted learns what is before each line of a log from a frame below the message read last, and returns the
// message without it. It is false if no stack is below a claim (see claimOf), or that of an exception.
func (r *input) unwrapQuoted(line []byte) ([]byte, bool) {
	const near = 5 // blank lines, an exception that holds the stack, a line with its state
	after, raw, first, bare := r.mark(), bytes.Clone(r.raw), r.here(), r.bare
	r.src.keep = after.offset
	at, exception := -1, false
	var below []byte
	for range near {
		var ok bool
		if below, ok = r.lines.next(); !ok {
			break
		}
		if at = cutFrame(below); at >= 0 {
			break
		}
		exception = exception || isException(below)
	}
	p := prefixAt(below, at)
	r.rewind(after)
	r.src.keep, r.raw, r.bare = -1, raw, bare
	if cutWarning(line) < 0 && (at < 0 || exception) {
		return nil, false
	}
	if p == nil || r.wrap != nil && r.wrap.key != "" {
		return line, true
	}
	text, ok := p.cut(raw)
	if !ok {
		return line, true
	}
	r.start, r.sub, r.wrap = first, 1, &wrapping{prefix: p, cri: criFlag(raw) != 0}
	return bytes.Clone(text), true
}
