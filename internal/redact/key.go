package redact

import "bytes"

var pemBegin, pemEnd = []byte("-----BEGIN"), []byte("-----END")

// puttyBegin precedes the private lines of a key of PuTTY.
var puttyBegin = []byte("Private-Lines:")

// holdsKey reports whether a private key may begin in a text.
func holdsKey(text []byte) bool {
	return bytes.Contains(text, pemBegin) || bytes.Contains(text, puttyBegin)
}

// keyParts finds the parts of private keys in a line: between their first and last lines, or between the marks of these
// in a line with a whole key. The text before and after a key is treated like any other.
func (p *pass) keyParts(line []byte) []edit {
	from := 0
	if p.inKey && !isKeyText(line) {
		from = min(p.keyIndent, len(line))
		p.inKey = from > 0 && from < len(line) && isKeyText(line[from:])
	}
	var edits []edit
	for at := from; ; {
		if !p.inKey {
			if bytes.HasPrefix(bytes.TrimLeft(line[at:], " \t"), puttyBegin) {
				p.inKey, p.keyIndent = true, 0
				return edits
			}
			p.keyIndent = max(0, bytes.Index(line, pemBegin))
			length := untilKey(line[at:])
			if length < 0 {
				return edits
			}
			at, p.inKey = at+length, true
		}
		to := len(line)
		end := bytes.Index(line[at:], pemEnd)
		if end >= 0 {
			to, p.inKey = at+end, false
		}
		if len(bytes.TrimSpace(line[at:to])) > 0 {
			edits = append(edits, edit{from: at, to: to, kind: "private-key", value: line[at:to]})
		}
		if end < 0 {
			return edits
		}
		at = to + len(pemEnd)
	}
}

// untilKey is the length of a text up to the end of the first "BEGIN PRIVATE KEY" in it, -1 without one.
func untilKey(text []byte) int {
	for at := 0; ; {
		begin := bytes.Index(text[at:], pemBegin)
		if begin < 0 {
			return -1
		}
		at += begin + len(pemBegin)
		label, _, ended := bytes.Cut(text[at:], []byte("-----"))
		if ended && isPrivate(label) {
			return at + len(label) + len("-----")
		}
	}
}

// isPrivate recognises the text between the dashes of the line before a private key, whatever separates its words.
func isPrivate(label []byte) bool {
	const longest = 64
	return len(label) < longest && bytes.Contains(label, []byte("PRIVATE")) && bytes.Contains(label, []byte("KEY"))
}

// isKeyText recognises a line within a private key: base 64, a header, the end, or an empty line.
func isKeyText(line []byte) bool {
	if bytes.Contains(line, pemEnd) {
		return true
	}
	text := bytes.Trim(withoutColours(line), " \t\r\"'+,\\>|")
	if bytes.HasPrefix(text, []byte("Proc-Type:")) || bytes.HasPrefix(text, []byte("DEK-Info:")) {
		return true
	}
	for _, c := range text {
		if !isAlphanumeric(c) && c != '+' && c != '/' && c != '=' && c != '\\' {
			return false
		}
	}
	return true
}

// withoutColours is a line without the colours of a terminal.
func withoutColours(line []byte) []byte {
	if bytes.IndexByte(line, escapeKey) < 0 {
		return line
	}
	var out []byte
	for i := 0; i < len(line); {
		n := 1
		if line[i] == escapeKey {
			n = colourLength(line[i:])
		}
		if n == 1 {
			out = append(out, line[i])
		}
		i += n
	}
	return out
}
