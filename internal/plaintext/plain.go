package plaintext

import "bytes"

// Plain reports whether a Reader would pass a text unchanged.
func Plain(text []byte) bool {
	if isDoubled(text) || isCRLF(text[:min(len(text), blockSize)]) {
		return false
	}
	var r Reader
	for len(text) > 0 {
		block := wholeLines(text)
		if !isPlainBlock(block) {
			return false
		}
		text = text[len(block):]
		for len(block) > 0 {
			line := block
			if end := bytes.IndexByte(block, '\n'); end >= 0 {
				line, block = block[:end], block[end+1:]
			} else {
				block = nil
			}
			if !isWhole(line) && unfinished(line) != whole || len(line) <= maxLine && r.isHTML(line) {
				return false
			}
		}
	}
	return true
}

// wholeLines returns the beginning of a text that is long enough for a block, up to the end of a line.
func wholeLines(text []byte) []byte {
	if len(text) <= blockSize {
		return text
	}
	end := bytes.IndexByte(text[blockSize:], '\n')
	if end < 0 {
		return text
	}
	return text[:blockSize+end+1]
}

// isPlainBlock reports whether a part of a text has only ASCII characters, and none that begins an entity or a control
// sequence.
func isPlainBlock(block []byte) bool {
	return !hasEscapes(block) && bytes.IndexByte(block, 0) < 0 && isASCII(block)
}

// hasEscapes reports whether a text has a character that begins an entity or a control sequence.
func hasEscapes(text []byte) bool {
	return bytes.IndexByte(text, escape) >= 0 || bytes.IndexByte(text, '&') >= 0
}

// isWhole recognises most of the complete lines at little cost: frames and locks with their last bracket.
func isWhole(line []byte) bool {
	n := len(line)
	return n > 2 && line[n-1] == ')' && line[0] == '\t' && (line[1] == 'a' || line[1] == '-')
}
