package redact

import (
	"bytes"
	"regexp"
	"sync"
)

// link says how a value follows its name.
type link struct {
	pattern func() *regexp.Regexp
	// fits reports whether the form is possible for the name in a line.
	fits func(line []byte, begin, end int) bool
	// inTag is true if the value ends with the next tag.
	inTag bool
}

func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expression + `)`) })
}

// links are the ways in which a value follows its name, with an example each, tried in this order.
var links = []link{
	// name="password" value="x"; {"name":"DB_PASSWORD","value":"x"}
	{pattern: lazily(`(?i)["'](?:\s+[\w:-]+\s*=\s*"[^"<>]*")*?[\s,]*["']?(?:value|val|content)["']?\s*[=:]\s*`)},
	// password=x; "password": "x"; password => x; password\=x; password[0]=x
	{pattern: lazily(`(?:\[\d*\])?["'\x60]?[\])]?\s*\\?(?:[?+]=|:{0,3}={1,3}>?|::?|->)\s*`)},
	// setPassword("x"); new PasswordAuthentication("user", "x")
	{pattern: lazily(`\((?:\s*"[^"]*"\s*,|\s*'[^']*'\s*,)*\s*`), fits: isCall},
	// <name>password</name><value>x</value>
	{pattern: lazily(`</[\w:.-]+>\s*<[\w:.-]+>\s*(?:<!\[CDATA\[)?`), inTag: true},
	// <password>x</password>; <entry key="password">x</entry>
	{pattern: lazily(`[^<>]*[^<>/]>\s*(?:<!\[CDATA\[)?|>\s*(?:<!\[CDATA\[)?`), fits: withinTag, inTag: true},
	// [--password, x]
	{pattern: lazily(`\s*,\s*`), fits: isListedOption},
	// | password | x |
	{pattern: lazily(`\s*\|\s*`), fits: isInTable},
	// password<tab>x
	{pattern: lazily(`\t+`), fits: isInColumn},
	// ["--password", "x"]
	{pattern: lazily(`["']\s*,\s*`), fits: quotedNext},
	// --password x
	{pattern: lazily(`["']?\s+`), fits: isOption},
	// PASSWORD 'x'
	{pattern: lazily(`\s+`), fits: quotedNext},
}

// namedValue returns the place of the value of a name in a line: up to its delimiter, without its quotes and brackets.
// It is empty if no value follows.
func namedValue(line []byte, begin, end int, words bool) (from, to int) {
	for _, l := range links {
		if l.fits != nil && !l.fits(line, begin, end) {
			continue
		}
		m := l.pattern().FindIndex(line[end:min(len(line), end+nearby)])
		if m == nil {
			continue
		}
		from = end + m[1]
		if l.inTag {
			return from, from + textLength(line[from:])
		}
		return valueAt(line, from, words)
	}
	return end, end
}

// nearby is how many bytes of a line before and after a name show its context. The bound keeps the time for a long line
// with many names proportional to its length.
const nearby = 4 << 10

// before is the text before a place in a line, up to nearby bytes.
func before(line []byte, at int) []byte { return line[max(0, at-nearby):at] }

// withinTag reports whether a name is part of an XML tag.
func withinTag(line []byte, begin, _ int) bool {
	near := before(line, begin)
	open := bytes.LastIndexByte(near, '<')
	return open >= 0 && bytes.IndexByte(near[open:], '>') < 0
}

// quotedNext reports whether the next word after a name is in quotes.
func quotedNext(line []byte, _, end int) bool {
	rest := line[end:]
	if len(rest) > 0 && isQuote(rest[0]) { // the name's own
		rest = bytes.TrimLeft(rest[1:], " \t")
		if len(rest) == 0 || rest[0] != ',' {
			return false
		}
		rest = rest[1:]
	}
	rest = bytes.TrimLeft(rest, " \t")
	return len(rest) > 1 && isQuote(rest[0])
}

// isCall reports whether a name is called with a text.
func isCall(line []byte, _, end int) bool {
	inside, called := bytes.CutPrefix(line[end:], []byte("("))
	inside = bytes.TrimLeft(inside, " ")
	return called && len(inside) > 0 && isQuote(inside[0])
}

// isListedOption reports whether a name begins with a dash, and has a value after a comma.
func isListedOption(line []byte, begin, end int) bool {
	value := bytes.TrimLeft(line[end:], " \t")
	return len(value) > 1 && value[0] == ',' && isOption(line, begin, end) &&
		!bytes.HasPrefix(bytes.TrimLeft(value[1:], " \t"), []byte("-"))
}

// nameBegin is the beginning of the name that ends at a place in a line.
func nameBegin(line []byte, at int) int {
	for at > 0 && (isWordByte(line[at-1]) || line[at-1] == '-' || line[at-1] == '.') {
		at--
	}
	return at
}

// isInTable reports whether a name is alone in a cell of a table.
func isInTable(line []byte, begin, end int) bool {
	begin = nameBegin(line, begin)
	near := bytes.TrimRight(before(line, begin), " \t")
	return len(near) > 0 && near[len(near)-1] == '|' && bytes.HasPrefix(bytes.TrimLeft(line[end:], " \t"), []byte("|"))
}

// isInColumn reports whether a name is alone between tabs.
func isInColumn(line []byte, begin, end int) bool {
	begin = nameBegin(line, begin)
	alone := begin == 0 || line[begin-1] == '\t' || len(bytes.TrimLeft(before(line, begin), " \t")) == 0
	return alone && end < len(line)-1 && line[end] == '\t'
}

// isOption reports whether a name begins with a dash, and no other option follows it.
func isOption(line []byte, begin, end int) bool {
	begin = nameBegin(line, begin)
	rest := bytes.TrimLeft(line[end:], " \t\"'")
	return line[begin] == '-' && len(rest) > 0 && rest[0] != '-'
}
