package rewrite

import (
	"slices"
	"strings"

	"jstall/internal/jfr"
)

// object hands on each text of an object with its name, and where it begins and ends.
func object(t *jfr.Type, in *jfr.Decoder, found func(f *jfr.Field, v jfr.Item, name string, from, to int)) {
	label := ""
	begin := *in
	begin.Object(t, func(depth int, f *jfr.Field, v jfr.Item) {
		if depth == 1 && (f.Name == "key" || f.Name == "name") && v.Text != "" {
			label = v.Text
		}
	})
	in.Object(t, func(_ int, f *jfr.Field, v jfr.Item) {
		if f.Type == nil || f.Type.Kind != jfr.String {
			return
		}
		name := f.Name
		if label != "" && strings.EqualFold(name, "value") {
			name = label
		}
		found(f, v, name, v.From, in.At)
	})
}

// event changes the texts of an event. What is behind its last field is not told what it is: it becomes zeros.
func (w *chunkWriter) event(e *edits, in jfr.Decoder, t *jfr.Type) error {
	w.change(e, &in, t)
	if in.Err == nil && in.At < e.to {
		e.replace(in.At, e.to, make([]byte, e.to-in.At))
	}
	return in.Err
}

// change changes the texts of an object that is no constant text.
func (w *chunkWriter) change(e *edits, in *jfr.Decoder, t *jfr.Type) {
	object(t, in, func(f *jfr.Field, v jfr.Item, name string, from, to int) {
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
func (w *chunkWriter) learn() error {
	isEvent := func(t *jfr.Type) bool { return t.ID != metadataType && t.ID != checkpointType }
	return w.chunk.Events(isEvent, func(t *jfr.Type, in *jfr.Decoder) error {
		object(t, in, func(f *jfr.Field, v jfr.Item, name string, _, _ int) {
			if key, is := constantText(f, v); is {
				w.refer(key, name)
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

func (w *chunkWriter) refer(key uint64, name string) {
	if known := w.named[key]; w.names < maxNames && !slices.Contains(known, name) {
		w.named[key] = append(known, name)
		w.names++
	}
}
