package flame

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// EventLabels are the labels that the events of a recording give to the samples that they enclose in time on their
// thread: their fields.
type EventLabels struct {
	events []*labelEvent
	// contexts are the combinations of events around samples, by the numbers of their values.
	contexts map[string]*eventContext
	key      []byte
}

// labelEvent is a type of events that gives labels.
type labelEvent struct {
	name   string
	fields []string // those that are wanted
	keys   []string // the label of each field
	around enclosures
	// values are what the fields of an event hold, each combination once; numbers are their places.
	values  [][]labelValue
	numbers map[string]int32
}

// prefix names an event in the keys of labels: without its package, unless another event has that name too.
func (l *EventLabels) prefix(e *labelEvent) string {
	short := simpleName(e.name)
	isOther := func(other *labelEvent) bool { return other != e && simpleName(other.name) == short }
	if slices.ContainsFunc(l.events, isOther) {
		return e.name
	}
	return short
}

func simpleName(event string) string { return event[strings.LastIndexAny(event, ".$")+1:] }

// event is that of a name, which is there from now on.
func (l *EventLabels) event(name string) *labelEvent {
	for _, e := range l.events {
		if e.name == name {
			return e
		}
	}
	e := &labelEvent{name: name, around: enclosures{}, numbers: map[string]int32{}}
	l.events = append(l.events, e)
	return e
}

// field is the place of a field of the event, which is wanted from now on.
func (e *labelEvent) field(name string) int {
	if i := slices.Index(e.fields, name); i >= 0 {
		return i
	}
	e.fields = append(e.fields, name)
	return len(e.fields) - 1
}

// at is the context of a thread at a time in nanoseconds since 1970, nil for none.
func (l *EventLabels) at(thread threadID, when int64) *eventContext {
	if l == nil {
		return nil
	}
	l.key = l.key[:0]
	for i, e := range l.events {
		if values, found := e.around.at(thread, when); found {
			l.key = binary.AppendUvarint(binary.AppendUvarint(l.key, uint64(i)), uint64(values))
		}
	}
	if len(l.key) == 0 {
		return nil
	}
	known := l.contexts[string(l.key)]
	if known == nil {
		known = l.context(l.key)
		l.contexts[string(l.key)] = known
	}
	return known
}

// context is what a key of at says.
func (l *EventLabels) context(key []byte) *eventContext {
	c := &eventContext{}
	for len(key) > 0 {
		at, n := binary.Uvarint(key)
		values, m := binary.Uvarint(key[n:])
		key = key[n+m:]
		e, given := l.events[at], false
		for i, v := range e.values[values] {
			if v.isSet() {
				c.labels, given = append(c.labels, contextLabel{e.keys[i], v}), true
			}
		}
		if given {
			c.events = append(c.events, int(at))
		}
	}
	return c
}

// notes say how many of the samples got a label.
func (l *EventLabels) notes(labelled []int, samples int) (notes []string) {
	if l == nil {
		return nil
	}
	for i, e := range l.events {
		if len(e.around) == 0 {
			notes = append(notes, fmt.Sprintf("No sample has a label of %s: the recording has no such event with a "+
				"duration.", e.name))
			continue
		}
		notes = append(notes, fmt.Sprintf("Labels: %d of %d samples were taken within an event %s.", labelled[i],
			samples, e.name))
	}
	return notes
}
