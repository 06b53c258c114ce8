package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// maxMarks is how many combining marks may follow one another. More marks are an attack on the neighbouring lines.
const maxMarks = 2

// escape makes s harmless to print on one line of a terminal and shows what it
// did: \n, \x1b, \u202e. It covers control characters, escape sequences, line
// separators, characters that turn the direction of writing, invisible ones, and
// bytes that are not UTF-8. Escaping twice changes nothing more.
func escape(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for marks := maxMarks; s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		marks = countMarks(r, marks)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unicode.IsPrint(r) && marks <= maxMarks:
			b.WriteRune(r)
		default:
			b.WriteString(escapeRune(r))
		}
		s = s[size:]
	}
	return b.String()
}

// Escape applies the escapes of the text views, for messages that are not part of a view.
func Escape(s string) string { return escape(s) }

// isPlain recognises the common case, printable ASCII, without decoding.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// countMarks counts combining marks in a row. A text starts as if it had too many, as a mark with nothing before it
// would join the text to its left.
func countMarks(r rune, marks int) int {
	if !unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	return marks + 1
}

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// cells is the number of terminal columns that escaped text takes.
func cells(s string) int {
	if isPlain(s) {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// shorten cuts the middle out of escaped text so that it takes at most limit columns: both ends of a name or frame say
// more than its middle. A limit below 1 means no limit.
func shorten(s string, limit int) string {
	if limit < 1 || cells(s) <= limit {
		return s
	}
	tail := max((limit-1)/2, min(numberAtEnd(s), limit-2))
	return prefixOf(s, limit-1-tail) + "…" + suffixOf(s, tail)
}

// numberAtEnd is how many columns the number at the end of a name takes, with the quote after it. It distinguishes the
// threads of a pool.
func numberAtEnd(s string) int {
	digits := strings.TrimRight(strings.TrimSuffix(s, `"`), "0123456789")
	if n := len(s) - len(digits); n > 1 || !strings.HasSuffix(s, `"`) {
		return n
	}
	return 0
}

// isQualified recognises the name of a class with its package.
func isQualified(s string) bool {
	at := strings.LastIndexByte(s, '.') + 1
	return at > 1 && at < len(s) && s[at] >= 'A' && s[at] <= 'Z' && !strings.ContainsAny(s, ` "/:(`)
}

// shortenFrame is shorten for text that names classes. It shortens the packages first, in part and then whole, and then
// the file: "c.a.shop.Db.query(Db.java:77)", "Db.query(Db.java:77)", "Db.query:77".
func shortenFrame(s string, limit int) string {
	if limit < 1 {
		return s
	}
	for _, keep := range []int{1, 0} {
		for from := 0; cells(s) > limit; {
			start, end := nextPackage(s, from)
			if start == end {
				break
			}
			short := s[start:min(start+keep, end)]
			if short != "" {
				short += "."
			}
			s = s[:start] + short + s[end+1:]
			from = start + len(short)
		}
	}
	if cells(s) > limit {
		s = withoutFile(s)
	}
	return shorten(s, limit)
}

// isNameByte recognises the bytes of package names.
func isNameByte(c byte) bool { return isSmall(c) || c == '_' || c >= '0' && c <= '9' }

// nextPackage finds a part of a package's name: an identifier with a small first letter, a dot behind it, and a dot,
// bracket or nothing before it. An empty range means that there is no further part.
func nextPackage(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		ofArray := i > 1 && s[i-2:i] == "[L"
		if !isSmall(s[i]) || i > 0 && !ofArray && strings.IndexByte(" .(", s[i-1]) < 0 {
			continue
		}
		end := i
		for end < len(s) && isNameByte(s[end]) {
			end++
		}
		if end+1 < len(s) && s[end] == '.' && s[end+1] != ' ' {
			return i, end
		}
	}
	return 0, 0
}

func isSmall(c byte) bool { return c >= 'a' && c <= 'z' }

// withoutFile keeps only the line of a frame's place: "Db.query:77".
func withoutFile(frame string) string {
	open, colon := strings.LastIndexByte(frame, '('), strings.LastIndexByte(frame, ':')
	if open < 0 || colon < open || !strings.HasSuffix(frame, ")") {
		return frame
	}
	return frame[:open] + frame[colon:len(frame)-1]
}

// prefixOf is the longest beginning of s in at most limit columns.
func prefixOf(s string, limit int) string {
	used := 0
	for i, r := range s {
		used += runeCells(r)
		if used > limit {
			return s[:i]
		}
	}
	return s
}

// suffixOf is the longest end of s in at most limit columns. It does not begin with a mark whose character is cut away.
func suffixOf(s string, limit int) string {
	used, start := 0, len(s)
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
		used += runeCells(r)
		if used > limit {
			break
		}
		if runeCells(r) > 0 {
			start = i
		}
	}
	return s[start:]
}

// threadCells is the longest thread name shown whole, nameCells that of a process or program.
const (
	threadCells = 80
	nameCells   = 48
)

// quote formats a thread name in quotes, escaped and shortened.
func quote(name string) string { return `"` + shorten(escapeName(name), threadCells) + `"` }

// escapeName escapes a name for quotes.
func escapeName(name string) string { return strings.ReplaceAll(escape(name), `"`, `\"`) }
