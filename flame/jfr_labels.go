package flame

import (
	"errors"
	"io"

	"github.com/jstall/jstall/internal/jfr"
)

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
// to there: [ReadJFR] returns what is wrong with it.
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
