package redact

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// open is the name of a secret whose value is on the following lines.
type open struct {
	kind string
	form openForm
	// indent is the number of blanks before the name's line.
	indent int
	// left is how many more lines may come before the value, or belong to it.
	left int
	// until is the line that ends the value of a hereDocument.
	until string
	// columns are the columns of the table, for the form inColumns.
	columns columns
}

type openForm int

const (
	// blockScalar: "password: |" of YAML, with the value in lines that are indented more.
	blockScalar openForm = iota
	// continued: "password=x\", with the value in the next line, and so on.
	continued
	// inElement: "<password>" with the value up to the next tag.
	inElement
	// scalar: "password:" of YAML with the value, or a list of values, in lines that are indented more.
	scalar
	// argument: "--password" alone, with the value alone in the next line.
	argument
	// pair: "name: DB_PASSWORD" with "value: x" in one of the next lines.
	pair
	// hereDocument: "password = <<EOF", with the value in the lines up to the word.
	hereDocument
	// inColumns: "user | password" above "ann | x".
	inColumns
)

const (
	// mostOpen bounds how many lines a value may have.
	mostOpen = 64
	// mostApart is how many lines after its name the value of a pair may be.
	mostApart = 3
)

// opens recognise by the text after a name in a line that its value is in the next lines. They are tried in this order.
var opens = []struct {
	form openForm
	// before and behind match the whole line before the name, and after it. nil matches everything.
	before, behind func() *regexp.Regexp
}{
	{blockScalar, nil, wholly(`["']?\s*:\s*(?:![\w!/.-]*\s+)?[|>][-+0-9]{0,2}\s*(?:#.*)?`)},
	{continued, nil, wholly(`["']?\s*[=:]?\s*\\`)},
	{hereDocument, nil, wholly(`["']?\s*[=:]\s*(?:\$\(cat\s+)?(?:"{3}|'{3}|<<[-~]?\s*["']?\w+["']?)\s*`)},
	{pair, wholly(`.*<[\w:.-]+(?:\s[^<>]*)?>[\w.$-]*`), wholly(`</[\w:.-]+>\s*`)},
	{pair, wholly(`.*<[^<>]*\b(?:name|key|id)\s*=\s*["'][\w.$-]*`), wholly(`["']\s*`)},
	{inElement, wholly(`.*<(?:[^<>/][^<>]*)?`), wholly(`[^<>]*[^<>/]>\s*(?:<!\[CDATA\[)?\s*|>\s*(?:<!\[CDATA\[)?\s*`)},
	{pair, wholly(`[\s{,-]*["']?(?:name|key|id|field|property|variable)["']?\s*[:=]\s*["']?[\w.$-]*`),
		wholly(`["']?\s*,?\s*`)},
	{scalar, wholly(`\s*(?:-\s+)?["']?[\w.$-]*`), wholly(`["']?\s*[:=]\s*[\[]?\s*`)},
	{argument, wholly(`[\s\[,]*(?:-\s+)?["']?--?[\w.-]*`), wholly(`["']?\s*,?\s*`)},
}

func wholly(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expression + `)\z`) })
}

// openedBy returns what a name at a place in a line opens, nil for nothing.
func openedBy(kind string, line []byte, begin, end int) *open {
	line = bytes.TrimRight(line, "\r")
	if end > len(line) || len(line)-end > nearby || begin > nearby {
		return nil
	}
	for _, o := range opens {
		if o.behind().Match(line[end:]) && (o.before == nil || o.before().Match(line[:begin])) {
			left := mostOpen
			if o.form == pair {
				left = mostApart
			}
			opened := &open{kind: kind, form: o.form, indent: indentOf(line), left: left}
			if o.form == hereDocument {
				opened.until = string(untilWord().Find(line[end:]))
			}
			return opened
		}
	}
	return nil
}

// untilWord is the word that ends a hereDocument.
var untilWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:"{3}|'{3}|\w+)["']?\s*$`) })

func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// next returns the place of the value, or of a part of it, in a line after the name; empty for none. after is what is
// still open after that line, nil for nothing.
func (o *open) next(line []byte) (from, to int, after *open) {
	if o.left--; o.left < 0 || isFrame(line) {
		return 0, 0, nil
	}
	line = bytes.TrimRight(line, " \t\r")
	from, to = indentOf(line), len(line)
	deeper := from > o.indent
	switch o.form {
	case blockScalar:
		if from < to && !deeper {
			return 0, 0, nil
		}
		return from, to, o
	case continued:
		if text, more := bytes.CutSuffix(line, []byte(`\`)); more {
			return from, len(text), o
		}
		return from, to, nil
	case hereDocument:
		if string(bytes.Trim(line, " \t\"'")) == strings.Trim(o.until, " \t\"'") {
			return 0, 0, nil
		}
		return from, to, o
	case inElement:
		return o.inElement(line)
	case scalar:
		return o.scalar(line)
	case argument:
		from, to = bare(line)
		if from < to && line[from] == '-' {
			return 0, 0, nil
		}
		return from, to, nil
	}
	return o.pair(line)
}

// inElement returns the text of an element up to the next tag.
func (o *open) inElement(line []byte) (from, to int, after *open) {
	from = indentOf(line)
	if bytes.HasPrefix(line[from:], []byte("<![CDATA[")) {
		from += len("<![CDATA[")
	}
	to = from + textLength(line[from:])
	if to < len(line) {
		return from, to, nil
	}
	return from, to, o
}

// scalar returns the value of a key of YAML that is not in the key's line.
func (o *open) scalar(line []byte) (from, to int, after *open) {
	from, to = bare(line)
	listed := bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("- "))
	indent := indentOf(line)
	switch {
	case len(line) == 0:
		return 0, 0, o
	case indent < o.indent, indent == o.indent && !listed:
		return 0, 0, nil
	case mapping().Match(line):
		return o.pair(line)
	case listed:
		return from, to, o
	}
	return from, to, nil
}

// mapping recognises a key with its value.
var mapping = lazily(`[\s-]*["']?[\w.$/-]+["']?\s*(?::\s|:\z|=[^=\s])`)

// valueOfPair matches the text before the value of a pair.
var valueOfPair = lazily(`[\s{,-]*["']?(?:value|val|content|text|data)["']?\s*[:=]\s*|` +
	`.*<[\w:.-]*(?:value|string|val)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?|` + `.*\b(?:value|val|content)\s*=\s*`)

// pair returns the value of a pair whose name was in an earlier line.
func (o *open) pair(line []byte) (from, to int, after *open) {
	m := valueOfPair().FindIndex(line[:min(len(line), nearby)])
	switch {
	case m == nil && o.left > 0 && o.form == pair:
		return 0, 0, o
	case m == nil:
		return 0, 0, nil
	case line[m[1]-1] == '>' || line[m[1]-1] == '[':
		return m[1], m[1] + textLength(line[m[1]:]), nil
	}
	from, to = valueAt(line, m[1], false)
	if isBlockMark(line[from:]) {
		return 0, 0, &open{kind: o.kind, form: blockScalar, indent: indentOf(line), left: mostOpen}
	}
	return from, to, nil
}

// bare returns a line without the mark of a list, quotes and a comma at its end.
func bare(line []byte) (from, to int) {
	from, to = indentOf(line), len(line)
	if bytes.HasPrefix(line[from:], []byte("- ")) {
		from += 2 + indentOf(line[from+2:])
	}
	if to > from && line[to-1] == ',' {
		to--
	}
	if to > from+1 && isQuote(line[from]) && line[to-1] == line[from] {
		return from + 1, to - 1
	}
	return from, to
}

// isBlockMark reports whether an apparent value is the mark of a block of YAML, or of a continued line.
func isBlockMark(rest []byte) bool { return blockMark().Match(bytes.TrimRight(rest, " \t\r")) }

var blockMark = wholly(`[|>][-+0-9]{0,2}(?:\s+#.*)?|\\|(?:\$\(cat\s+)?<<[-~]?\s*["']?\w+["']?`)
