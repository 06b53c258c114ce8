package rewrite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// checkpoint changes the texts of a place of constants, and how far before it the last such place is.
func (w *chunkWriter) checkpoint(e *edits, in jfr.Decoder, at int) error {
	for range 2 { // start, duration
		in.Number()
	}
	from := in.At
	before := int64(in.Number())
	if in.Err == nil && before != 0 {
		place, ok := w.moved[at+int(before)]
		if !ok {
			return fmt.Errorf("%w: constants before those that refer to them", jfr.ErrUnusual)
		}
		if by := number(nil, uint64(int64(place-w.out.Len()))); string(by) != string(e.data[from:in.At]) {
			e.replace(from, in.At, by)
		}
	}
	in.Number() // what kind of checkpoint
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		t := w.chunk.Types[jfr.TypeID(in.Number())]
		switch {
		case t == nil:
			in.Fail(fmt.Errorf("%w: a constant of no known type", jfr.ErrUnusual))
		case t.Name == jfr.NameOfHeader:
			in.Take(jfr.HeaderSize)
		default:
			w.pool(e, &in, t)
		}
	}
	if in.Err == nil && in.At < e.to {
		e.replace(in.At, e.to, make([]byte, e.to-in.At))
	}
	return in.Err
}

// pool changes the texts of the constants of a type at one place.
func (w *chunkWriter) pool(e *edits, in *jfr.Decoder, t *jfr.Type) {
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		key := in.Number()
		if t.Kind != jfr.String {
			w.change(e, in, t)
			continue
		}
		from := in.At
		was, _, _ := in.Text()
		by := was
		for _, name := range append([]string{""}, w.named[key]...) {
			if by != "" {
				by = w.texts.Change(Text{Value: by, Type: t, Name: name})
			}
		}
		if by != was {
			e.replace(from, in.At, text(by))
		}
	}
}

// metadata changes the texts that describe events.
func (w *chunkWriter) metadata(e *edits, in jfr.Decoder) error {
	for range 3 { // start, duration, id
		in.Number()
	}
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		from := in.At
		was, _, _ := in.Text()
		if was == "" || isStructure(was) {
			continue
		}
		if by := w.texts.Change(Text{Value: was}); by != was {
			e.replace(from, in.At, text(by))
		}
	}
	return in.Err
}

// isStructure recognises the words and numbers by which the description of events is read.
func isStructure(word string) bool {
	switch word {
	case "root", "metadata", "region", "class", "field", "annotation", "setting", "id", "name", "superType",
		"simpleType", "constantPool", "dimension", "value", "gmtOffset", "dst", "locale", "true", "false",
		"defaultValue", "boolean", "byte", "char", "short", "int", "long", "float", "double", "unsigned":
		return true
	}
	number, isIndexed := strings.CutPrefix(word, "value-")
	_, err := strconv.ParseInt(number, 10, 64)
	return err == nil && (isIndexed || number == word)
}
