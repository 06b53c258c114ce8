package render

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

//go:embed schema.json
var schema []byte

// eachKind is the place in schema.json of the list of kinds.
const eachKind = `"(each of finding.Kinds)"`

// Schema is the JSON Schema (draft 2020-12) of everything that JSON and ListJSON
// write.
func Schema() []byte {
	var kinds []byte
	for i, k := range finding.Kinds {
		if i > 0 {
			kinds = append(kinds, ", "...)
		}
		kinds = strconv.AppendQuote(kinds, string(k))
	}
	return bytes.Replace(schema, []byte(eachKind), kinds, 1)
}

// JSON writes a report as one line, valid UTF-8, with a newline at its end. Lists are never null. Characters with an
// effect on a terminal are written as \u escapes, which changes no value.
func JSON(w io.Writer, r *analysis.Report) error {
	return writeJSON(w, complete(r))
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err := w.Write(escapeUnprintable(b.Bytes()))
	return err
}

// IndentedJSON writes any value on several lines, with the escapes of JSON.
func IndentedJSON(w io.Writer, v any) error {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	_, err = w.Write(append(escapeUnprintable(doc), '\n'))
	return err
}

// complete returns a copy of r in which no list is nil.
func complete(r *analysis.Report) *analysis.Report {
	c := *r
	c.Schema = analysis.SchemaVersion
	c.Capture.FilesLeft = list(r.Capture.FilesLeft)
	c.Warnings = list(r.Warnings)
	c.Findings = list(slices.Clone(r.Findings))
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Culprits, f.Victims, f.Evidence = list(f.Culprits), list(f.Victims), list(f.Evidence)
	}
	c.Threads = list(slices.Clone(r.Threads))
	for i := range c.Threads {
		t := &c.Threads[i]
		t.Stack, t.Locks = list(t.Stack), list(t.Locks)
	}
	return &c
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// PlainJSON replaces characters of a JSON document that do not print by escapes of JSON. No value changes.
func PlainJSON(doc []byte) []byte { return escapeUnprintable(doc) }

// escapeUnprintable replaces characters beyond ASCII that do not print (C1 controls, direction marks) by JSON escapes.
// They can only be inside strings, where both forms mean the same.
func escapeUnprintable(doc []byte) []byte {
	var out []byte
	start := 0
	for i := 0; i < len(doc); {
		if doc[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(doc[i:])
		if !unicode.IsPrint(r) {
			out = appendJSONEscape(append(out, doc[start:i]...), r)
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return doc
	}
	return append(out, doc[start:]...)
}

func appendJSONEscape(b []byte, r rune) []byte {
	if r < 0x10000 {
		return fmt.Appendf(b, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
