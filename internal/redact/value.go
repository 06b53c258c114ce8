package redact

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// link tells how a value follows its name.
type link struct {
	pattern func() *regexp.Regexp
	// fits tells whether the form is possible for the name in a line.
	fits func(line []byte, begin, end int) bool
	// inTag tells that the value ends with the next tag.
	inTag bool
}

func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expression + `)`) })
}

// links are the ways in which a value follows its name, with an example each, tried in this order.
var links = []link{
	// name="password" value="x"; {"name":"DB_PASSWORD","value":"x"}
	{pattern: lazily(`["'](?:\s+[\w:-]+\s*=\s*"[^"<>]*")*?[\s,]*["']?(?:value|val|content)["']?\s*[=:]\s*`)},
	// password=x; "password": "x"; password => x; password\=x; password[0]=x
	{pattern: lazily(`(?:\[\d*\])?["'\x60]?[\])]?\s*\\?(?::{0,3}={1,3}>?|::?|->)\s*`)},
	// <name>password</name><value>x</value>
	{pattern: lazily(`</[\w:.-]+>\s*<[\w:.-]+>\s*(?:<!\[CDATA\[)?`), inTag: true},
	// <password>x</password>; <entry key="password">x</entry>
	{pattern: lazily(`[^<>]*[^<>/]>\s*(?:<!\[CDATA\[)?|>\s*(?:<!\[CDATA\[)?`), fits: withinTag, inTag: true},
	// ["--password", "x"]
	{pattern: lazily(`["']\s*,\s*`), fits: quotedNext},
	// --password x
	{pattern: lazily(`["']?\s+`), fits: isOption},
	// PASSWORD 'x'
	{pattern: lazily(`\s+`), fits: quotedNext},
}

// namedValue is the place of the value of the name that is at a place in a line: up to its
// delimiter, without its quotes and brackets. It is empty if no value follows.
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

// nearby is how much of a line before and behind a name tells what it stands in. It keeps the time
// that a long line of many names takes in proportion to its length.
const nearby = 4 << 10

// before is what stands before a place in a line, as far as it is near.
func before(line []byte, at int) []byte { return line[max(0, at-nearby):at] }

// withinTag tells a name that is part of an XML tag.
func withinTag(line []byte, begin, _ int) bool {
	near := before(line, begin)
	open := bytes.LastIndexByte(near, '<')
	return open >= 0 && bytes.IndexByte(near[open:], '>') < 0
}

// quotedNext tells that the next word behind a name is in quotes.
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

// isOption tells a name that begins with a dash, and has no other option behind it.
func isOption(line []byte, begin, end int) bool {
	for begin > 0 && (isLetter(line[begin-1]) || line[begin-1] == '-' || line[begin-1] == '.') {
		begin--
	}
	rest := bytes.TrimLeft(line[end:], " \t\"'")
	return line[begin] == '-' && len(rest) > 0 && rest[0] != '-'
}

// textLength is the length of text up to the next tag, without blanks at its end.
func textLength(text []byte) int {
	if i := bytes.Index(text, []byte("]]>")); i >= 0 {
		return i
	}
	if i := bytes.IndexByte(text, '<'); i >= 0 {
		text = text[:i]
	}
	return len(bytes.TrimRight(text, " \t\r"))
}

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// valueAt is the place of the value that begins at a place in a line.
func valueAt(line []byte, from int, words bool) (int, int) {
	for from < len(line) && line[from] == ' ' {
		from++
	}
	if from == len(line) {
		return from, from
	}
	switch c := line[from]; {
	case isQuote(c) || c == '`':
		return from + 1, from + 1 + quotedLength(line[from+1:], c)
	case closers[c] != 0:
		if n := bracketedLength(line[from+1:], c); n > 0 {
			return from + 1, from + 1 + n
		}
		from++
	}
	v := value{line: line, from: from, words: words}
	return from, v.end()
}

// quotedLength is the length of text up to its closing quote, or all if there is none. A quote
// within a word is none that closes if another follows.
func quotedLength(text []byte, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			within := i+1 < len(text) && isLetter(text[i+1]) && bytes.IndexByte(text[i+1:], quote) >= 0
			if !within {
				return i
			}
		}
	}
	return len(text)
}

// bracketedLength is the length of text up to the bracket that closes it, 0 if none does.
func bracketedLength(text []byte, open byte) int {
	depth := 1
	for i, c := range text[:min(len(text), nearby)] {
		switch c {
		case open:
			depth++
		case closers[open]:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// value is one without quotes.
type value struct {
	line  []byte
	from  int
	words bool
}

// end is where the value ends: before a blank, and before a delimiter that is none of its own
// characters.
// One scanner: the cases are the delimiters.
func (v value) end() int {
	depth := 0
	for at := v.from; at < len(v.line); at++ {
		switch c := v.line[at]; c {
		case ' ', '\t', '\r':
			if !v.goesOn(at) {
				return at
			}
		case '"', '\'', '`':
			if v.isOpen(c) || !v.words && !v.isLetterAt(at+1) {
				return at
			}
		case ',', ';', '&', '|':
			if !v.words && v.separates(at) {
				return at
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 && v.closesEarlier(c) && !v.isWithin(at) {
				return at
			}
		case '<':
			if at+1 < len(v.line) && (v.line[at+1] == '/' || v.isLetterAt(at+1)) {
				return at
			}
		case '>':
			if withinTag(v.line, v.from, 0) {
				return at
			}
		}
	}
	return len(v.line)
}

func (v value) isLetterAt(at int) bool { return at < len(v.line) && isLetter(v.line[at]) }

// isOpen tells that the value is within quotes.
func (v value) isOpen(quote byte) bool {
	return bytes.Count(before(v.line, v.from), []byte{quote})%2 == 1
}

// goesOn tells that a further word belongs to a value of words: behind the name of a scheme
// ("Bearer x"), and behind a separator ("a=b; c=d").
func (v value) goesOn(at int) bool {
	if !v.words || at == v.from || at+1 == len(v.line) {
		return false
	}
	last := v.line[at-1]
	return last == ',' || last == ';' || isScheme(v.line[v.from:at])
}

// isScheme tells the first word of credentials.
func isScheme(word []byte) bool {
	return len(word) <= 20 && !slices.ContainsFunc(word, func(c byte) bool { return c != '-' && !isLetter(c) })
}

// nextName is what is behind a separator that ends a value: nothing, or another name.
var nextName = lazily(
	`.$|.["'\x60(\[{<\s]|&(?:quot|apos|lt|gt|#x?[0-9a-fA-F]+);|.(?:amp;)?[\w.-]+(?: [A-Za-z][\w.-]*)?\s*[=:]`)

// separates tells that the character at a place is no part of the value.
func (v value) separates(at int) bool {
	return nextName().Match(v.line[at:min(len(v.line), at+nearby)])
}

// closesEarlier tells that a bracket closes one from before the value.
func (v value) closesEarlier(closer byte) bool {
	near := before(v.line, v.from)
	return bytes.Count(near, []byte{opener(closer)}) > bytes.Count(near, []byte{closer})
}

// isWithin tells a bracket that is within a word, and closed again by another in it: "p(x)y)".
func (v value) isWithin(at int) bool {
	if !v.isLetterAt(at + 1) {
		return false
	}
	word := v.line[at+1 : min(len(v.line), at+nearby)]
	if blank := bytes.IndexAny(word, " \t\"'"); blank >= 0 {
		word = word[:blank]
	}
	return bytes.Count(word, v.line[at:at+1]) > bytes.Count(word, []byte{opener(v.line[at])})
}

// opener is the bracket that a bracket closes.
func opener(closer byte) byte {
	for open, c := range closers {
		if c == closer {
			return open
		}
	}
	return 0
}

// tokenLength is how far a token goes on, up to a delimiter.
func tokenLength(rest []byte) int {
	for i, c := range rest {
		if c <= ' ' || bytes.IndexByte(delimiters, c) >= 0 {
			return i
		}
	}
	return len(rest)
}

var delimiters = []byte("\"'`,;&|<>()[]{}@\\")
