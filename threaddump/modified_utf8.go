package threaddump

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded is b where there is nothing to decode, as in most names.
func decoded(b []byte) []byte {
	if !hasModifiedUTF8(b) {
		return b
	}
	return decodeModifiedUTF8(b)
}

// decodeModifiedUTF8 turns the JVM's encoding into UTF-8: NUL is C0 80, and what
// lies beyond the 16-bit range is two surrogates of three bytes each. Bytes that
// are neither stay as they are.
func decodeModifiedUTF8(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		n := 1
		switch {
		case len(b) > 1 && b[0] == 0xC0 && b[1] == 0x80:
			out, n = append(out, 0), 2
		case isSurrogate(b) && len(b) >= 6 && isSurrogate(b[3:]):
			if r := utf16.DecodeRune(surrogate(b), surrogate(b[3:])); r != utf8.RuneError {
				out, n = utf8.AppendRune(out, r), 6
				break
			}
			fallthrough
		default:
			out = append(out, b[0])
		}
		b = b[n:]
	}
	return out
}

// hasModifiedUTF8 reports whether there can be anything to decode.
func hasModifiedUTF8(b []byte) bool {
	return bytes.IndexByte(b, 0xC0) >= 0 || bytes.IndexByte(b, 0xED) >= 0
}

func isSurrogate(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xED && b[1]&0xE0 == 0xA0 && b[2]&0xC0 == 0x80
}

func surrogate(b []byte) rune {
	return rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
}
