package plaintext

import "bytes"

// Plain tells a text that a Reader would pass as it is.
func Plain(text []byte) bool {
	for _, c := range []byte{escape, '&', 0} {
		if bytes.IndexByte(text, c) >= 0 {
			return false
		}
	}
	if !isASCII(text) || isDoubled(text) || isCRLF(text[:min(len(text), blockSize)]) {
		return false
	}
	var r Reader
	for len(text) > 0 {
		line := text
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			line, text = text[:end], text[end+1:]
		} else {
			text = nil
		}
		if isFrame(line) {
			continue
		}
		if unfinished(line) != whole || len(line) <= maxLine && r.isHTML(line) {
			return false
		}
	}
	return true
}

// isFrame tells most of the lines of a dump, which need no closer look: a frame with one pair of brackets and no tag.
func isFrame(line []byte) bool {
	if len(line) > maxLine || !bytes.HasPrefix(line, []byte("\tat ")) || line[len(line)-1] != ')' {
		return false
	}
	open := bytes.IndexByte(line, '(')
	return open > 0 && bytes.IndexByte(line[open+1:], '(') < 0 && bytes.IndexByte(line, '<') < 0
}
