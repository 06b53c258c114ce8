package redact

import "bytes"

// isFrame tells a frame of a stack, which is code: "\tat java.base@17/a.B$C.d(B.java:7)". What
// only begins like one is text.
func isFrame(line []byte) bool {
	code, found := bytes.CutPrefix(line, []byte("\tat "))
	open := bytes.IndexByte(code, '(')
	if !found || open <= 0 {
		return false
	}
	source, closed := bytes.CutSuffix(bytes.TrimRight(code[open+1:], "\r"), []byte(")"))
	return closed && isCode(code[:open]) && isSource(source)
}

// isSource tells where a frame is: "B.java:7", "java.base@17/B.java:7", "Native Method".
func isSource(source []byte) bool {
	if i := bytes.LastIndexByte(source, '/'); i >= 0 && isCode(source[:i]) {
		source = source[i+1:]
	}
	switch string(source) {
	case "Native Method", "Unknown Source":
		return true
	}
	file, line, _ := bytes.Cut(source, []byte(":"))
	for _, c := range line {
		if c < '0' || c > '9' {
			return false
		}
	}
	return isCode(file)
}

func isCode(text []byte) bool {
	for _, c := range text {
		if !inCode[c] {
			return false
		}
	}
	return true
}

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

// isKeyText tells a line within a private key: base 64, a header, the end, or nothing.
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
