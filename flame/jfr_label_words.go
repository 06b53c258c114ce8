package flame

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// labelWord is a word that names labels, and what the chunks so far have of it.
type labelWord struct {
	text, event, field string
	// found are the full names of the events that it names, problems why their fields cannot be labels.
	found    map[string]bool
	problems []string
}

func newLabelWord(text string) *labelWord {
	w := &labelWord{text: text, found: map[string]bool{}}
	if at := strings.LastIndexByte(text, '.'); at > 0 {
		w.event, w.field = text[:at], text[at+1:]
	}
	return w
}

// problem is why the recording has no such label, or no single one; empty if it has.
func (w *labelWord) problem() string {
	names := slices.Sorted(maps.Keys(w.found))
	switch {
	case len(names) == 1 || len(names) > 1 && w.text == AllContext:
		return ""
	case len(names) > 1:
		return fmt.Sprintf("%q is a field of several events: %s", w.text, strings.Join(names, ", "))
	case len(w.problems) > 0:
		return w.problems[0]
	case w.text == AllContext:
		return "no event of the recording has contextual fields (jdk.jfr.Contextual, since JDK 25)"
	case w.event == "":
		return fmt.Sprintf("%q names no field of an event, as shop.Order.customer does", w.text)
	}
	return fmt.Sprintf("the recording has no event %q", w.event)
}

// take marks the fields of a type that the word names.
func (w *labelWord) take(t *jfr.Type, exact bool, want func(f *jfr.Field)) {
	if w.text == AllContext {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Has(contextual) && cannotEnclose(t) == "" && canBeLabel(f) {
				w.found[t.Name] = true
				want(f)
			}
		}
		return
	}
	if t.Name != w.event && (exact || !isShortOf(w.event, t.Name)) {
		return
	}
	f := t.Field(w.field)
	switch why := cannotEnclose(t); {
	case why != "":
		w.problems = append(w.problems, fmt.Sprintf("the event %s %s: it encloses no samples", t.Name, why))
	case f == nil:
		w.problems = append(w.problems, fmt.Sprintf("the event %s has no field %q", t.Name, w.field))
	case !canBeLabel(f):
		w.problems = append(w.problems, fmt.Sprintf("the field %s of %s cannot be a label: it is no text and no number",
			f.Name, t.Name))
	default:
		w.found[t.Name] = true
		want(f)
	}
}

// isShortOf recognises the name of an event without its package, or a part of it, or without its outer class.
func isShortOf(short, name string) bool {
	return short != "" && (strings.HasSuffix(name, "."+short) || strings.HasSuffix(name, "$"+short))
}

// contextual is the annotation of a field that describes what happens meanwhile.
const contextual = "jdk.jfr.Contextual"

// cannotEnclose is why events of the type have no samples within, empty if they may.
func cannotEnclose(t *jfr.Type) string {
	thread := t.Field("eventThread")
	switch {
	case t.Field("startTime") == nil || t.Field("duration") == nil:
		return "has no duration"
	case thread == nil || !thread.Pooled:
		return "is of no thread"
	}
	return ""
}

// fieldsOfAll are fields that all events have.
func fieldsOfAll() []string { return []string{"startTime", "duration", "eventThread", "stackTrace"} }

// canBeLabel reports whether a field holds a text, a number, or what has a name. The fields of every event cannot be
// labels.
func canBeLabel(f *jfr.Field) bool {
	if f.Type == nil || f.Array || slices.Contains(fieldsOfAll(), f.Name) {
		return false
	}
	return f.Type.Kind != jfr.Object || f.Type.Name == jfr.NameOfThread || f.Type.Name == jfr.NameOfClass ||
		nameField(f.Type) != nil
}

// nameField is the only field of a type, if it is a text: that of a cause, or a state.
func nameField(t *jfr.Type) *jfr.Field {
	if len(t.Fields) == 1 && t.Fields[0].Type != nil && t.Fields[0].Type.Kind == jfr.String {
		return &t.Fields[0]
	}
	return nil
}

// AllContext, as a word of [ReadEventLabels], stands for all fields that events declare to be contextual
// (jdk.jfr.Contextual, since JDK 25).
const AllContext = "context"
