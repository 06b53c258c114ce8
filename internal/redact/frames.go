package redact

import (
	"bytes"
	"strings"
)

// isFrame recognises a frame of a stack, which is code: "\tat java.base@17/a.B$C.d(B.java:7)". A line that only begins
// like a frame is text.
func isFrame(line []byte) bool {
	code, found := bytes.CutPrefix(line, []byte("\tat "))
	open := bytes.IndexByte(code, '(')
	if !found || open <= 0 {
		return false
	}
	source, closed := bytes.CutSuffix(bytes.TrimRight(code[open+1:], "\r"), []byte(")"))
	return closed && isCode(code[:open]) && isSource(source)
}

// isSource reports whether a text is the source of a frame: "B.java:7", "java.base@17/B.java:7", "Native Method".
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

// inCode are the characters of a frame's module, class and method. A name may have letters of
// any script.
var inCode = func() (set [256]bool) {
	for c := range set {
		set[c] = isWordByte(byte(c)) || c >= 0x80 || strings.IndexByte("$./@-<>+", byte(c)) >= 0
	}
	return set
}()
