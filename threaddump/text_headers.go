package threaddump

import (
	"bytes"
	"unicode/utf8"
)

// Thread names are printed as they are. One with line breaks spans several
// lines, and what is in them may look like anything, also like the header
// of a thread that is not there:
//
//	"inj
//	"fake" #77 prio=5 os_prio=0 tid=0x00007f0000000001 nid=0x4d runnable  [0x00007f0000000002]
//	   java.lang.Thread.State: RUNNABLE
//		at evil.Evil.run(Evil.java:1)
//	" #34 daemon prio=5 os_prio=0 tid=0x00007f0ccc194000 nid=0x64fb waiting on condition [0x00007f0ca8cfb000]
//
// From JDK 11 on the SMR list shows which headers are real. JDK 8 has none,
// but there a line that closes a quote which it did not open ends a name that
// began at most 1,999 bytes before.

// quotedLine reads a line that begins with a quote: a header, or a part of one.
func (t *textDump) quotedLine(line []byte) {
	ok := parseHeader(line, &t.h)
	if plain := ok && isCondition(t.h.condition) && bytes.IndexByte(t.h.name, '"') < 0; !plain && t.refused == nil {
		t.refused = refuses(line)
	}
	switch {
	case ok && t.cutHeader(&t.h):
		t.endThread()
		t.endsInside(line, "header")
	case ok && t.h.opened && t.beginsNextDump():
		t.nextThreads(line)
	case ok && t.h.opened && t.smr.accepts(&t.h):
		t.begin(&t.h, t.lineNo())
	default:
		// Looking ahead may move the line away.
		t.odd = append(t.odd[:0], line...)
		t.oddQuote(t.odd)
	}
}

// beginsNextDump reports whether the header that was read is of another dump: it follows the trailer and is not in the
// JVM's list, or a dump without head has the thread already.
func (t *textDump) beginsNextDump() bool {
	return t.section >= inTrailer && len(t.d.Threads) > 0 && !t.smr.lists(&t.h) ||
		t.d.JVM == "" && t.seen.has(&t.h)
}

// oddQuote reads a line that is not the header of a thread that is known to be.
func (t *textDump) oddQuote(line []byte) {
	if t.section < inTrailer {
		if t.oddQuotes++; t.oddQuotes > maxOddQuotes {
			t.tooMany(maxOddQuotes, "lines in one dump that begin with a quote and are no headers")
		}
		if t.closingLine(line) || t.wholeName(line) || t.beginCut(line) {
			return
		}
	}
	switch ok := parseHeader(line, &t.h); {
	case ok && t.h.opened && t.h.id == 0:
		t.begin(&t.h, t.lineNo())
	case ok && t.section < inTrailer:
		t.endThread()
		t.problem(line, "a header whose thread is not in the JVM's own list: part of a name, or forged")
	default:
		t.otherLine(line)
	}
}

// nameless reads the header of a thread that has no name, as the flight recorder's
// sampler on 17 and 21: "os_prio=0 cpu=7.86ms elapsed=2.51s tid=0x… nid=0x4c14 runnable".
func (t *textDump) nameless(line []byte) bool {
	if t.section != inThreads || !bytes.HasPrefix(line, []byte("os_prio=")) {
		return false
	}
	t.text = append(append(t.text[:0], `"" `...), line...)
	if !parseHeader(t.text, &t.h) || t.h.id != 0 {
		return false
	}
	t.begin(&t.h, t.lineNo())
	return true
}

// cutHeader recognises a header that the end of the input may have cut.
func (t *textDump) cutHeader(h *header) bool {
	switch {
	case !t.src.unended:
		return false
	case h.id > 0:
		return !h.hasStackAddress || !t.smr.lists(h)
	}
	return !isCondition(h.condition)
}

// nextThreads begins a dump that lost its head.
func (t *textDump) nextThreads(line []byte) {
	t.next = newTextDump(t.input, t.lineNo())
	t.next.step(line)
	t.done = true
}

// wholeName reads on from the first line of a name with line breaks, and begins
// its thread. It leaves the lines alone if no header ends such a name.
func (t *textDump) wholeName(first []byte) bool {
	number, after := t.lineNo(), t.mark()
	if after.offset < t.namesFrom || t.smr.closed && t.smr.left == 0 {
		return false
	}
	keep := t.src.keep
	if keep < 0 {
		t.src.keep = after.offset
	}
	size, lines := t.findNameEnd(first)
	if size == 0 {
		// What was looked at for this name is not looked at for another.
		t.namesFrom = t.src.offset()
	}
	t.rewind(after)
	for range lines {
		t.lines.next()
	}
	t.src.keep = keep
	if size == 0 {
		return false
	}
	parseHeader(t.text[:size], &t.h)
	t.begin(&t.h, number)
	return true
}

// findNameEnd gathers the lines from first on in t.text and returns the size of
// the text up to the header's end and the number of lines after first in it;
// zero otherwise.
// One loop over one state: the cases are the ways in which the lines of a name can end.
//
//gocyclo:ignore
func (t *textDump) findNameEnd(first []byte) (size, lines int) {
	t.text = append(t.text[:0], first...)
	// Whether the line before is empty, and whether a whole header was passed
	// that may be another thread's.
	blank, passed := false, parseHeader(first, &t.h) && t.h.opened && t.h.id == 0
	for n := 1; len(t.text) < t.smr.nameLimit(); n++ {
		line, ok := t.lines.next()
		if !ok && !passed {
			return 0, 0 // cut: a line that may end the name may also be in its middle
		}
		if !ok {
			break
		}
		t.text = append(append(t.text, '\n'), line...)
		end := t.smr.endsName(t.text, line)
		switch {
		case end == nameEnds:
			return len(t.text), n
		case end == nameMayEnd && blank && t.smr.closed:
			return 0, 0 // another thread
		case end == nameMayEnd && !blank && size == 0:
			if size, lines = len(t.text), n; t.smr.closed {
				return size, lines
			}
		case end == nameMayEnd:
			passed = true
		case passed && blank && len(line) > 0 && line[0] == '"':
			return size, lines // another name begins, whose end may follow
		}
		blank = len(line) == 0
	}
	return size, lines
}

// closingLine reads a header that closes a quote which it did not open.
func (t *textDump) closingLine(line []byte) bool {
	if t.section >= inTrailer || !bytes.Contains(line, []byte(tidText)) || !parseHeader(line, &t.h) || t.h.opened {
		return false
	}
	if t.cutHeader(&t.h) || !t.smr.accepts(&t.h) {
		return false
	}
	if t.d.JVM == "" && t.seen.has(&t.h) {
		t.nextThreads(line)
		return true
	}
	t.odd = append(t.odd[:0], line...)
	if t.rejoin(t.odd) {
		return true
	}
	parseHeader(t.odd, &t.h)
	t.problem(t.odd, "the line where this thread's name begins is missing")
	t.begin(&t.h, t.lineNo())
	return true
}

// rejoin takes back the thread whose header turns out to be a part of the name
// that line ends. Only dumps without an SMR list can come here.
func (t *textDump) rejoin(line []byte) bool {
	if t.smr.closed || t.cur == nil {
		return false
	}
	number := t.cur.Line
	here := t.mark()
	if !t.rewind(t.start) {
		return false
	}
	text := t.text[:0]
	for len(text) <= t.smr.nameLimit() {
		l, ok := t.lines.next()
		if !ok || bytes.Equal(l, line) {
			text = append(text, line...)
			break
		}
		text = append(append(text, l...), '\n')
	}
	t.text = text
	if !parseHeader(text, &t.h) || !t.h.opened || len(t.h.name) > jdk8NameLimit {
		t.rewind(here)
		return false
	}
	t.dropThread()
	t.begin(&t.h, number)
	return true
}

// beginCut begins the thread of a header that the edge of a screen cut: the first one gives the width, all others are
// as wide. Under it is a state or a frame, or nothing.
func (t *textDump) beginCut(line []byte) bool {
	width := utf8.RuneCount(line)
	if width < narrowest || t.cutWidth != 0 && width != t.cutWidth || !parseCutHeader(line, &t.h) ||
		!t.nextIs(isBelowHeader) {
		return false
	}
	if t.smr.closed && t.h.tid != 0 && !t.smr.lists(&t.h) {
		return false
	}
	number := t.lineNo()
	t.cutAt(line, width)
	t.begin(&t.h, number)
	t.cur.Stackless = false
	return true
}

// debuggerThread begins a thread of jstack -F.
func (t *textDump) debuggerThread(line []byte) bool {
	id, state, ok := cutDebuggerThread(line)
	if !ok {
		return false
	}
	name, _ := cutAt(line, ':')
	t.h = header{name: name, nativeID: id, unnumbered: true, condition: state}
	t.begin(&t.h, t.lineNo())
	t.d.Instant, t.debugger = true, true // the process is paused
	return true
}
