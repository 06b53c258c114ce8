package redact

import "bytes"

var pemBegin, pemEnd = []byte("-----BEGIN "), []byte("-----END ")

// keyParts finds what a line holds of private keys: between their first and last lines, or what stands for these in a
// line that holds all of a key. What is before and behind it is text as any other.
func (p *pass) keyParts(line []byte) []edit {
	p.inKey = p.inKey && isKeyText(line)
	var edits []edit
	for at := 0; ; {
		if !p.inKey {
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

// untilKey is the length of a text up to what is behind the first "BEGIN PRIVATE KEY" in it, -1 if there is none.
func untilKey(text []byte) int {
	for at := 0; ; {
		begin := bytes.Index(text[at:], pemBegin)
		if begin < 0 {
			return -1
		}
		at += begin + len(pemBegin)
		label, _, ended := bytes.Cut(text[at:], []byte("-----"))
		if ended && bytes.Contains(label, []byte("PRIVATE KEY")) {
			return at + len(label) + len("-----")
		}
	}
}

// without is a line in which some secrets are overwritten.
func without(line []byte, edits []edit) []byte {
	line = bytes.Clone(line)
	for _, e := range edits {
		for i := e.from; i < e.to; i++ {
			line[i] = found
		}
	}
	return line
}

// isKeyText recognises a line within a private key: base 64, a header, the end, or nothing.
func isKeyText(line []byte) bool {
	if bytes.Contains(line, pemEnd) {
		return true
	}
	text := bytes.Trim(line, " \t\r\"'+,\\>|")
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
