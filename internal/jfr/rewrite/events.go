package rewrite

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// object hands on each text of an object with its name, and where it begins and ends.
func (w *chunkWriter) object(t *jfr.Type, in *jfr.Decoder,
	found func(f *jfr.Field, v jfr.Item, name string, from, to int)) {
	label := ""
	if slices.ContainsFunc(t.Fields, isValue) {
		label = w.label(t, *in)
	}
	in.Object(t, func(_ int, f *jfr.Field, v jfr.Item) {
		if f.Type == nil || f.Type.Kind != jfr.String {
			return
		}
		name := f.Name
		if label != "" && isValue(*f) {
			name = label
		}
		found(f, v, name, v.From, in.At)
	})
}

func isValue(f jfr.Field) bool { return strings.EqualFold(f.Name, "value") }

// label is the text of the field "key" or "name" of an object, empty if it has none.
func (w *chunkWriter) label(t *jfr.Type, in jfr.Decoder) (label string) {
	in.Object(t, func(depth int, f *jfr.Field, v jfr.Item) {
		isLabel := strings.EqualFold(f.Name, "key") || strings.EqualFold(f.Name, "name")
		if depth != 1 || !isLabel || f.Type == nil || f.Type.Kind != jfr.String {
			return
		}
		text := v.Text
		if key, is := constantText(f, v); is {
			text = w.constant(key)
		}
		if text != "" {
			label = text
		}
	})
	return label
}

// constant is a constant text.
func (w *chunkWriter) constant(key uint64) string {
	known, ok := w.constants[key]
	if !ok {
		known = w.pools.Text(key)
		if len(w.constants) < maxNames {
			w.constants[key] = known
		}
	}
	return known
}

// event changes the texts of an event. What follows its last field is not described and becomes zeros, as does
// all of an event of no known type.
func (w *chunkWriter) event(e *edits, in jfr.Decoder, t *jfr.Type) error {
	if t != nil {
		w.events += mixed(uint64(t.ID))
		w.change(e, &in, t)
	}
	if in.Err == nil && in.At < e.to {
		e.replace(in.At, e.to, make([]byte, e.to-in.At))
	}
	return in.Err
}

// change changes the texts of an object that is no constant text.
func (w *chunkWriter) change(e *edits, in *jfr.Decoder, t *jfr.Type) {
	w.object(t, in, func(f *jfr.Field, v jfr.Item, name string, from, to int) {
		if v.Text == "" {
			return
		}
		if by := w.texts.Change(Text{v.Text, t, f, name}); by != v.Text {
			e.replace(from, to, text(by))
		}
	})
}

// maxNames bounds how many names of constant texts are kept for a chunk.
const maxNames = 1 << 18

// learn shows the texts of all events, and keeps by which names they refer to constant texts.
func (w *chunkWriter) learn() (err error) {
	if w.pools, err = w.chunk.Constants(jfr.NameOfText); err != nil {
		return err
	}
	isEvent := func(t *jfr.Type) bool { return t.ID != metadataType && t.ID != checkpointType }
	return w.chunk.Events(isEvent, func(t *jfr.Type, in *jfr.Decoder) error {
		w.object(t, in, func(f *jfr.Field, v jfr.Item, name string, _, _ int) {
			if key, is := constantText(f, v); is {
				if w.refer(key, name) {
					w.texts.Learn(Text{w.constant(key), t, f, name})
				}
			} else if v.Text != "" {
				w.texts.Learn(Text{v.Text, t, f, name})
			}
		})
		return in.Err
	})
}

// constantText is the key of a constant text that a field refers to.
func constantText(f *jfr.Field, v jfr.Item) (key uint64, is bool) {
	return v.Bits, f.Pooled || v.How == jfr.Constant
}

// refer keeps that a constant text belongs to a name, and reports whether that is new.
func (w *chunkWriter) refer(key uint64, name string) bool {
	known := w.named[key]
	if w.names >= maxNames || slices.Contains(known, name) {
		return false
	}
	w.named[key] = append(known, name)
	w.names++
	return true
}
