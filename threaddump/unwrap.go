package threaddump

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
	return l.unwrapped(l.raw[i:], l.raw[:i])
}
