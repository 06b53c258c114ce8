package observe

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// Texts keeps the original dumps of a capture, for readers who want to see them next to the report. The zero value is
// ready. What was redacted at the source is redacted here.
type Texts struct {
	taken []taken
	of    map[*threaddump.Dump]*inputText
	kept  int
}

// Text is one original dump.
type Text struct {
	// Source names the file it was read from, empty for a running JVM.
	Source string
	// Line is the line of the dump's first line in its input, from 1: evidence counts in the same way.
	Line int
	// Text is cut if all texts together are larger than jstall keeps.
	Text []byte
}

// maxTexts bounds, in bytes, the texts of all dumps of a capture.
const maxTexts = 256 << 20

// inputText is the text of one input, which may have several dumps.
type inputText struct {
	name string
	data []byte
}

// taken is a dump of the series: its input, and where it begins there.
type taken struct {
	input *inputText
	line  int
}

// input begins to keep the text of an entry.
func (t *Texts) input(e *recording.Entry) *inputText {
	if t == nil {
		return nil
	}
	in := &inputText{name: e.Name}
	if e.Stream != nil {
		e.Stream = &keeping{ReadCloser: e.Stream, texts: t, into: in}
	} else if t.kept+len(e.Bytes) <= maxTexts {
		t.kept += len(e.Bytes)
		in.data = e.Bytes
	}
	return in
}

// keeping is a stream whose text is kept as it is read.
type keeping struct {
	io.ReadCloser
	texts *Texts
	into  *inputText
}

func (k *keeping) Read(b []byte) (int, error) {
	n, err := k.ReadCloser.Read(b)
	room := min(n, maxTexts-k.texts.kept)
	k.into.data = append(k.into.data, b[:room]...)
	k.texts.kept += room
	return n, err
}

// add appends to an input what was read together with its dump. The entry of the input does not change.
func (t *Texts) add(in *inputText, more []byte) {
	if t == nil || t.kept+len(more) > maxTexts {
		return
	}
	t.kept += len(more)
	in.data = append(slices.Clip(in.data), more...)
}

// found records the input that a dump is from.
func (t *Texts) found(d *threaddump.Dump, in *inputText) {
	if t == nil {
		return
	}
	if t.of == nil {
		t.of = map[*threaddump.Dump]*inputText{}
	}
	t.of[d] = in
}

// added notes that a dump is the next of the series.
func (t *Texts) added(d *threaddump.Dump) {
	if t == nil || d == nil {
		return
	}
	t.taken = append(t.taken, taken{t.of[d], d.Line})
	delete(t.of, d)
}

// Dumps returns the texts by the number that evidence gives a dump.
func (t *Texts) Dumps() []Text {
	texts := make([]Text, len(t.taken))
	for i, dump := range t.taken {
		from, line := dump.input.data, 1
		goesOn := i > 0 && t.taken[i-1].input == dump.input
		if goesOn { // read the lines of an input only once for all its dumps
			from, line = texts[i-1].Text, texts[i-1].Line
		}
		text := Text{Source: dump.input.name}
		text.Text, text.Line = dump.begin(from, line)
		if goesOn {
			texts[i-1].Text = from[:len(from)-len(text.Text)]
		}
		texts[i] = text
	}
	return texts
}

// begin returns the part of a text that begins with the dump, with its date if it has one, and the line of that part.
// text is the input's text from a line on.
func (d taken) begin(text []byte, line int) (from []byte, at int) {
	if d.line <= line {
		return text, line
	}
	before := fromLine(text, d.line-line)
	date, rest, _ := bytes.Cut(before, []byte("\n"))
	if _, err := time.Parse(time.DateTime, string(bytes.TrimSpace(date))); err == nil {
		return before, d.line - 1
	}
	return rest, d.line
}

// fromLine returns the part of a text that begins with its n-th line, counted from 1.
func fromLine(text []byte, n int) []byte {
	for ; n > 1; n-- {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return nil
		}
		text = text[end+1:]
	}
	return text
}
