package threaddump

import (
	"bytes"
	"time"
)

// startText begins a text dump with a line that has the header or, where that
// was lost, something else that only dumps have.
func (r *input) startText(line []byte, a anchor) (*textDump, []byte) {
	number := r.lineNo()
	line = r.unwrapAt(line, a)
	if line == nil {
		return nil, nil
	}
	t := newTextDump(r, number)
	if a == headAnchor {
		t.head(line)
		if r.beforeLine >= number-1 {
			t.d.Time = r.timeBefore()
		}
	}
	return t, line
}

// timeBefore reads the line before the current one, which was delivered before
// its wrapping was known.
func (r *input) timeBefore() time.Time {
	line := bytes.TrimSpace(r.before[0])
	if at, ok := parseTime(line); ok {
		return at
	}
	if w := r.wrap; w != nil {
		if value, ok := jsonValue(line, w.key); ok {
			line = value
		}
		if w.prefix != nil {
			line, _ = w.prefix.cut(line)
		}
	}
	at, _ := parseTime(bytes.TrimSpace(line))
	return at
}

// startPart begins a dump of which a part is there that begins with a line of partAnchor; nil if it is not one.
func (r *input) startPart(line []byte, a anchor) *textDump {
	text, marks := cutQuoteMarks(bytes.Clone(r.raw))
	if r.wrap, r.crlf, r.bare = nil, false, false; len(marks) == 0 {
		text = bytes.Clone(line)
	}
	line = r.unwrapped(text, marks)
	t := newTextDump(r, r.lineNo())
	t.parts = true
	switch a {
	case stateAnchor:
		if !r.nextIs(isFrameLine) {
			return nil
		}
		t.headless(t.lineNo())
		t.step(line)
	case stackAnchor:
		if !t.framesBefore() {
			return nil
		}
		t.step(line)
	case namedAnchor:
		line = bytes.TrimLeft(line, " \t")
		if !r.enterDeadlock(t, line) {
			return nil
		}
		t.step(line)
	}
	return t
}
