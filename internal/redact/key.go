package redact

import "bytes"

var pemBegin, pemEnd = []byte("-----BEGIN "), []byte("-----END ")

// keyLine finds what a line holds of a private key. It reports false for a line that is of none.
func (p *pass) keyLine(line []byte) ([]edit, bool) {
	from := 0
	if begin := bytes.Index(line, pemBegin); begin >= 0 {
		label, rest, _ := bytes.Cut(line[begin+len(pemBegin):], []byte("-----"))
		if !bytes.Contains(label, []byte("PRIVATE KEY")) {
			return nil, false
		}
		p.inKey = true
		from = len(line) - len(rest)
	} else if !isKeyText(line) {
		p.inKey = false
		return nil, false
	}
	to := len(line)
	if end := bytes.Index(line[from:], pemEnd); end >= 0 {
		p.inKey = false
		to = from + end
	}
	if len(bytes.TrimSpace(line[from:to])) == 0 {
		return nil, true
	}
	if !p.inKey && from > 0 { // the whole key in one line, as in a property: what is behind it goes too
		to = len(line)
	}
	return []edit{{from: from, to: to, kind: "private-key", value: line[from:to]}}, true
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
