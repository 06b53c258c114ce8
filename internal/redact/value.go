package redact

import (
	"bytes"
	"slices"
)

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

// valueAt returns the place of the value that begins at a place in a line.
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

// quotedLength is the length of text up to its closing quote, or of the whole text. A quote within a word does not
// close it if another quote follows.
func quotedLength(text []byte, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			within := i+1 < len(text) && isWordByte(text[i+1]) && bytes.IndexByte(text[i+1:], quote) >= 0
			if !within {
				return i
			}
		}
	}
	return len(text)
}

// bracketedLength is the length of text up to the bracket that closes it, 0 if no bracket does.
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

// value is a value without quotes.
type value struct {
	line  []byte
	from  int
	words bool
}

// end is the end of the value: before a blank, and before a delimiter that does not belong to the value.
// One scanner: the cases are the delimiters.
//
//gocyclo:ignore
func (v value) end() int {
	depth := 0
	for at := v.from; at < len(v.line); at++ {
		switch c := v.line[at]; c {
		case ' ', '\t', '\r':
			if !v.goesOn(at) {
				return at
			}
		case '"', '\'', '`':
			if v.isOpen(c) || !v.words && !v.isWordByteAt(at+1) {
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
			if at+1 < len(v.line) && (v.line[at+1] == '/' || v.isWordByteAt(at+1)) {
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

func (v value) isWordByteAt(at int) bool { return at < len(v.line) && isWordByte(v.line[at]) }

// isOpen reports whether the value is within quotes.
func (v value) isOpen(quote byte) bool {
	return bytes.Count(before(v.line, v.from), []byte{quote})%2 == 1
}

// goesOn reports whether a further word belongs to a value of words: after the name of a scheme ("Bearer x"), and after
// a separator ("a=b; c=d").
func (v value) goesOn(at int) bool {
	if at == v.from || at+1 == len(v.line) {
		return false
	}
	if first := v.line[v.from]; first == '&' || first == '!' { // an anchor or a tag of YAML
		return bytes.IndexByte(v.line[v.from:at], ' ') < 0
	}
	if !v.words {
		return false
	}
	last := v.line[at-1]
	return last == ',' || last == ';' || isScheme(v.line[v.from:at])
}

// isScheme recognises the first word of credentials.
func isScheme(word []byte) bool {
	return len(word) <= 20 && !slices.ContainsFunc(word, func(c byte) bool { return c != '-' && !isWordByte(c) })
}

// nextName matches the text after a separator that ends a value: nothing, or another name.
var nextName = lazily(
	`.$|.["'\x60(\[{<\s]|&(?:quot|apos|lt|gt|#x?[0-9a-fA-F]+);|.(?:amp;)?[\w.-]+(?: [A-Za-z][\w.-]*)?\s*[=:]`)

// separates reports whether the character at a place does not belong to the value.
func (v value) separates(at int) bool {
	return nextName().Match(v.line[at:min(len(v.line), at+nearby)])
}

// closesEarlier reports whether a bracket closes one from before the value.
func (v value) closesEarlier(closer byte) bool {
	near := before(v.line, v.from)
	return bytes.Count(near, []byte{opener(closer)}) > bytes.Count(near, []byte{closer})
}

// isWithin reports whether a bracket is within a word, and another in the word closes it: "p(x)y)".
func (v value) isWithin(at int) bool {
	if !v.isWordByteAt(at + 1) {
		return false
	}
	word := v.line[at+1 : min(len(v.line), at+nearby)]
	if blank := bytes.IndexAny(word, " \t\"'"); blank >= 0 {
		word = word[:blank]
	}
	return bytes.Count(word, v.line[at:at+1]) > bytes.Count(word, []byte{opener(v.line[at])})
}

// opener is the opening bracket of a closing one.
func opener(closer byte) byte {
	for open, c := range closers {
		if c == closer {
			return open
		}
	}
	return 0
}

// tokenLength is the length of a token up to a delimiter.
func tokenLength(rest []byte) int {
	for i, c := range rest {
		if c <= ' ' || bytes.IndexByte(delimiters, c) >= 0 {
			return i
		}
	}
	return len(rest)
}

var delimiters = []byte("\"'`,;&|<>()[]{}@\\")
