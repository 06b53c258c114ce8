package flame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// AllContext, as a word of [ReadEventLabels], stands for all fields that events declare to be contextual
// (jdk.jfr.Contextual, since JDK 25).
const AllContext = "context"

// Bounds of what the labels of a recording take in memory: 24 bytes an event, and the texts.
const (
	mostEnclosures = 2 << 20
	mostLabelTexts = 32 << 20
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

// eventContext is what the events around a sample make its labels. The samples of one context share it.
type eventContext struct {
	labels []contextLabel
	// events are the places of the events in EventLabels.
	events []int
}

// contextLabel is a label with its value.
type contextLabel struct {
	key string
	labelValue
}

// UnknownLabelError is a word of [ReadEventLabels] that names nothing of the recording, or nothing that can be a label.
type UnknownLabelError struct {
	// Word is what was asked for, Problem what is wrong with it; Known are the words that the recording has.
	Word    string
	Problem string
	Known   []string
}

func (e *UnknownLabelError) Error() string { return e.Problem }

// ReadEventLabels reads the events of a recording that words name: "shop.Order.customer" is the field customer of the
// event shop.Order, whose package may be left out, and [AllContext] all contextual fields. Threads are left out that
// are not wanted, nil wants all. [ReadJFR], with the result in its Options, labels the samples.
//
// The error is an [UnknownLabelError], or says that there are too many events. A recording that is damaged is read up
// to there: what is wrong with it [ReadJFR] tells.
func ReadEventLabels(in io.Reader, words []string, thread func(name string, nid int64) bool) (*EventLabels, error) {
	r := &labelReader{labels: &EventLabels{contexts: map[string]*eventContext{}}, thread: thread}
	for _, word := range words {
		r.words = append(r.words, newLabelWord(word))
	}
	file := jfr.NewReader(in)
	for {
		chunk, err := file.Next()
		if err == nil {
			err = r.chunk(chunk)
		}
		switch {
		case errors.Is(err, errTooManyEnclosures):
			return nil, err
		case err != nil:
			return r.result(err)
		}
	}
}

// result ends the reading with what ended it.
func (r *labelReader) result(ended error) (*EventLabels, error) {
	for _, w := range r.words {
		problem := w.problem()
		switch {
		case problem == "":
		case ended != io.EOF:
			return nil, ended
		default:
			return nil, &UnknownLabelError{Word: w.text, Problem: problem, Known: r.known()}
		}
	}
	for _, e := range r.labels.events {
		e.around.settle()
		e.keys = make([]string, len(e.fields))
		for i, f := range e.fields {
			e.keys[i] = r.labels.prefix(e) + "." + f
		}
	}
	return r.labels, nil
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

// end is when something ends that lasts so long.
func end(from, length int64) int64 {
	if from > math.MaxInt64-length {
		return math.MaxInt64
	}
	return from + length
}
