package redact

import "slices"

// ascii is the number of ASCII characters.
const ascii = 128

func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isAlphanumeric(c byte) bool { return c != '_' && isWordByte(c) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= ascii })
}

var lowerCase = func() (lower [256]byte) {
	for c := range lower {
		lower[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			lower[c] += 'a' - 'A'
		}
	}
	return lower
}()

// appendLower appends a text with the letters of ASCII in lower case.
func appendLower(to, text []byte) []byte {
	for _, c := range text {
		to = append(to, lowerCase[c])
	}
	return to
}
