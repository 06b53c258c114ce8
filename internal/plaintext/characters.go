package plaintext

import (
	"bytes"
	"unicode/utf8"
)

// plainCharacters undoes the changes of editors and other encodings to the characters of a line. Bytes that are not
// UTF-8 are read as CP1252, which includes Latin-1; the modified UTF-8 of JVMs stays. It returns the line itself if
// nothing changes.
func plainCharacters(line []byte) []byte {
	at := firstOdd(line)
	if at < 0 {
		return line
	}
	out := append(make([]byte, 0, len(line)+8), line[:at]...)
	quotes := beginsWithQuote(line)
	for rest := line[at:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			if n := modifiedUTF8(rest); n > 0 {
				out, size = append(out, rest[:n]...), n
			} else {
				out = utf8.AppendRune(out, cp1252(rest[0]))
			}
		case isHardBlank(r):
			out = append(out, ' ')
		case isNothing(r):
		case quotes && isQuote(r):
			out = append(out, '"')
		case isDash(r) && len(bytes.TrimSpace(out)) == 0:
			out = append(out, '-')
		default:
			out = append(out, rest[:size]...)
		}
		rest = rest[size:]
	}
	return out
}

// firstOdd is the place of the first character that may have to change, -1 without one.
func firstOdd(line []byte) int {
	for i := 0; i < len(line); {
		if line[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && size == 1 || isHardBlank(r) || isNothing(r) || isQuote(r) || isDash(r) {
			return i
		}
		i += size
	}
	return -1
}

// modifiedUTF8 is the length of a sequence that only the JVM's encoding has: NUL as C0 80, or a surrogate in three
// bytes.
func modifiedUTF8(b []byte) int {
	switch {
	case len(b) > 1 && b[0] == 0xC0 && b[1] == 0x80:
		return 2
	case len(b) > 2 && b[0] == 0xED && b[1]&0xE0 == 0xA0 && b[2]&0xC0 == 0x80:
		return 3
	}
	return 0
}

// isHardBlank recognises blanks that mails and web pages use instead of plain ones.
func isHardBlank(r rune) bool { return r == '\u00a0' || r == '\u2007' || r == '\u202f' }

// isNothing recognises characters without width.
func isNothing(r rune) bool { return r == '\u200b' || r == '\u2060' || r == '\ufeff' }

func isQuote(r rune) bool {
	return r == '“' || r == '”' || r == '„' || r == '‟' || r == '«' || r == '»' || r == '＂'
}

func isDash(r rune) bool { return r == '–' || r == '—' || r == '‑' || r == '−' }

// beginsWithQuote recognises a line whose name is in typographic quotes. In other places they belong to a name, except
// after "held by" and "owned by".
func beginsWithQuote(line []byte) bool {
	text := bytes.TrimLeft(line, " \t>\u00a0")
	r, _ := utf8.DecodeRune(text)
	return isQuote(r) || bytes.Contains(line, []byte("held by ")) || bytes.Contains(line, []byte("owned by "))
}

// cp1252Marks are the characters of the bytes 80 to 9F, those of Latin-1 where CP1252 has none.
var cp1252Marks = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func cp1252(c byte) rune {
	if c >= 0x80 && c < 0xA0 {
		return cp1252Marks[c-0x80]
	}
	return rune(c)
}
