package rows

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// appendQuoted writes a text as a JSON string of valid UTF-8. What a terminal could act on is written as an escape.
func appendQuoted(b, s []byte) []byte {
	b = append(b, '"')
	plain := 0 // from here on nothing is written yet
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		if c >= 0x80 && unicode.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		b = appendEscaped(append(b, s[plain:i]...), r)
		i += size
		plain = i
	}
	return append(append(b, s[plain:]...), '"')
}

func appendEscaped(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case r == '\n':
		return append(b, `\n`...)
	case r == '\t':
		return append(b, `\t`...)
	case r == '\r':
		return append(b, `\r`...)
	case r < 0x10000:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
