package plaintext

import "bytes"

// Plain tells a text that a Reader would pass as it is.
func Plain(text []byte) bool {
	for i := range text {
		if c := text[i]; c >= 0x80 || c == escape || c == '&' || c == 0 {
			return false
		}
	}
	if isDoubled(text) {
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
		if unfinished(line) != whole || len(line) <= maxLine && r.isHTML(line) {
			return false
		}
	}
	return true
}
