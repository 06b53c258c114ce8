package redact

import "bytes"

// mostJoined bounds how many lines are joined to one.
const mostJoined = 64

// goesOn reports whether a line continues in the next one: it ends with a backslash.
func goesOn(line []byte) bool {
	n := len(line)
	return n > 0 && line[n-1] == '\\' || n > 1 && line[n-1] == '\r' && line[n-2] == '\\'
}

// lineEnd returns the end of the line that begins at a place in a text, including the lines in which it continues.
func lineEnd(text []byte, at int) (end int, joined bool) {
	begin := at
	for n := 0; ; n++ {
		i := bytes.IndexByte(text[begin:], '\n')
		if i < 0 {
			return len(text), n > 0
		}
		end = begin + i
		if n == mostJoined || !goesOn(text[begin:end]) || end+1 == len(text) {
			return end, n > 0
		}
		begin = end + 1
	}
}

// findJoined finds the secrets of a line that continues in others: in each line, and in all of them as one line.
func (p *pass) findJoined(lines []byte, escapes bool) []edit {
	var edits []edit
	one := decoded{at: make([]int, 0, len(lines)+1)}
	at := 0
	for line := range bytes.Lines(lines) {
		text := bytes.TrimSuffix(line, []byte("\n"))
		for _, e := range p.find(text, escapes) {
			e.from, e.to = at+e.from, at+e.to
			edits = append(edits, e)
		}
		if goesOn(text) {
			text = bytes.TrimRight(text, "\\\r")
			text = append(text[:len(text):len(text)], ' ')
		}
		for i := range text {
			one.at = append(one.at, at+i)
		}
		one.text = append(one.text, text...)
		at += len(line)
	}
	open := p.open
	all := p.findPlain(one.text, false)
	if escapes {
		all = append(all, p.findEscaped(one.text, deepest)...)
	}
	p.open = open
	for _, e := range all {
		e.from, e.to, e.order = one.at[e.from], one.at[e.to-1]+1, e.order+len(lines)
		edits = append(edits, e)
	}
	return merge(lines, edits)
}
