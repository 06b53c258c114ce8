package plaintext

import "bytes"

const escape = 0x1b

// withoutColours removes the sequences that colour a terminal, after one of them begins or ends a line. Sequences only
// within names belong to the names.
func (r *Reader) withoutColours(line []byte) []byte {
	at := bytes.IndexByte(line, escape)
	if at < 0 {
		return line
	}
	if !r.colours {
		text := bytes.TrimSpace(line)
		last := bytes.LastIndexByte(text, escape)
		r.colours = text[0] == escape || last+sequence(text[last:]) == len(text)
	}
	if !r.colours {
		return line
	}
	out := make([]byte, 0, len(line))
	for at >= 0 {
		n := sequence(line[at:])
		out = append(out, line[:at]...)
		if n == 0 {
			out = append(out, escape)
			n = 1
		}
		line = line[at+n:]
		at = bytes.IndexByte(line, escape)
	}
	return append(out, line...)
}

// sequence is the length of the control sequence at the beginning, zero without one.
func sequence(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[': // ESC [ parameters letter
		for i, c := range b[2:] {
			if c >= 0x40 && c <= 0x7e {
				return i + 3
			}
			if c < 0x20 || c > 0x3f {
				return 0
			}
		}
	case ']': // ESC ] text BEL
		const longest = 512
		if i := bytes.IndexByte(b[:min(len(b), longest)], 7); i > 0 {
			return i + 1
		}
	case '(', ')':
		return min(3, len(b))
	}
	return 0
}
