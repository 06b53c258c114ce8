package threaddump

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Thread names are printed as they are. One with line breaks spans several
// lines, and what stands in them may look like anything, also like the header
// of a thread that is not there:
//
//	"inj
//	"fake" #77 prio=5 os_prio=0 tid=0x00007f0000000001 nid=0x4d runnable  [0x00007f0000000002]
//	   java.lang.Thread.State: RUNNABLE
//		at evil.Evil.run(Evil.java:1)
//	" #34 daemon prio=5 os_prio=0 tid=0x00007f0ccc194000 nid=0x64fb waiting on condition [0x00007f0ca8cfb000]
//
// From JDK 11 on the SMR list tells which headers are real. JDK 8 has none,
// but there a line that closes a quote which it did not open ends a name that
// began at most 1,999 bytes before.

const (
	// nameLimit bounds a name with line breaks; Java has no limit.
	nameLimit = 512 << 10
	// headerRest bounds what follows the name in a header.
	headerRest = 400
)

// quotedLine reads a line that begins with a quote: a header, or a part of one.
func (t *textDump) quotedLine(line []byte) {
	ok := parseHeader(line, &t.h)
	if t.refused == nil {
		t.refused = refuses(line)
	}
	switch {
	case ok && t.cutHeader(&t.h):
		t.endThread()
		t.endsInside(line, "header")
	case ok && t.h.opened && t.section >= inTrailer && len(t.d.Threads) > 0 && !t.listed(&t.h):
		t.nextThreads(line)
	case ok && t.h.opened && t.accepts(&t.h):
		t.begin(&t.h, t.lineNo())
	default:
		// Looking ahead may move the line away.
		t.odd = append(t.odd[:0], line...)
		t.oddQuote(t.odd)
	}
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

// cutHeader tells a header that the end of the input may have cut.
func (t *textDump) cutHeader(h *header) bool {
	switch {
	case !t.src.unended:
		return false
	case h.id > 0:
		return !h.hasStackAddress || !t.listed(h)
	}
	return !isCondition(h.condition)
}

// isCondition knows what OSThread::print_on prints (osThread.cpp).
func isCondition(b []byte) bool {
	switch string(b) {
	case "runnable", "waiting on condition", "in Object.wait()", "waiting for monitor entry", "sleeping",
		"allocated", "initialized", "at breakpoint", "zombie":
		return true
	}
	return false
}

// listed reports that a thread is in the SMR list and was not seen yet.
func (t *textDump) listed(h *header) bool {
	return t.smr.closed && h.id > 0 && t.smr.find(h.tid) >= 0
}

// accepts tells a header that is surely, or for all the text tells, real. Those
// of JVM-internal threads come after all Java threads.
func (t *textDump) accepts(h *header) bool {
	if !t.smr.closed {
		return true
	}
	return t.listed(h) || h.id == 0 && t.smr.left == 0
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
// zero if there is none.
// One loop over one state: the cases are the ways in which the lines of a name can end.
//
//gocyclo:ignore
func (t *textDump) findNameEnd(first []byte) (size, lines int) {
	t.text = append(t.text[:0], first...)
	// Whether the line before is empty, and whether a whole header was passed
	// that may be another thread's.
	blank, passed := false, parseHeader(first, &t.h) && t.h.opened && t.h.id == 0
	for n := 1; len(t.text) < t.nameLimit(); n++ {
		line, ok := t.lines.next()
		if !ok && !passed {
			return 0, 0 // cut: a line that may end the name may also be in its middle
		}
		if !ok {
			break
		}
		t.text = append(append(t.text, '\n'), line...)
		end := t.endsName(line)
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

func (t *textDump) nameLimit() int {
	if t.smr.closed {
		return nameLimit
	}
	return jdk8NameLimit + headerRest
}

// nameEnd is what a line is to a name that began before it.
type nameEnd uint8

const (
	nameNotEnded nameEnd = iota
	nameEnds
	// nameMayEnd: the line is a whole header by itself too.
	nameMayEnd
)

// endsName reports whether line, the last of t.text, ends the name that the text
// begins with.
func (t *textDump) endsName(line []byte) nameEnd {
	var h header
	if !bytes.Contains(line, []byte(tidText)) || !parseHeader(t.text, &h) || !h.opened {
		return nameNotEnded
	}
	if t.smr.closed && !t.listed(&h) || !t.smr.closed && len(h.name) > jdk8NameLimit {
		return nameNotEnded
	}
	if parseHeader(line, &h) && h.opened {
		return nameMayEnd
	}
	return nameEnds
}

// closingLine reads a header that closes a quote which it did not open.
func (t *textDump) closingLine(line []byte) bool {
	if t.section >= inTrailer || !bytes.Contains(line, []byte(tidText)) || !parseHeader(line, &t.h) || t.h.opened {
		return false
	}
	if t.cutHeader(&t.h) || !t.accepts(&t.h) {
		return false
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
	for len(text) <= t.nameLimit() {
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

// decoded is b where there is nothing to decode, as in most names.
func decoded(b []byte) []byte {
	if !hasModifiedUTF8(b) {
		return b
	}
	return decodeModifiedUTF8(b)
}

// decodeModifiedUTF8 turns the JVM's encoding into UTF-8: NUL is C0 80, and what
// lies beyond the 16-bit range is two surrogates of three bytes each. Bytes that
// are neither stay as they are.
func decodeModifiedUTF8(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		n := 1
		switch {
		case len(b) > 1 && b[0] == 0xC0 && b[1] == 0x80:
			out, n = append(out, 0), 2
		case isSurrogate(b) && len(b) >= 6 && isSurrogate(b[3:]):
			if r := utf16.DecodeRune(surrogate(b), surrogate(b[3:])); r != utf8.RuneError {
				out, n = utf8.AppendRune(out, r), 6
				break
			}
			fallthrough
		default:
			out = append(out, b[0])
		}
		b = b[n:]
	}
	return out
}

// hasModifiedUTF8 reports whether there can be anything to decode.
func hasModifiedUTF8(b []byte) bool {
	return bytes.IndexByte(b, 0xC0) >= 0 || bytes.IndexByte(b, 0xED) >= 0
}

func isSurrogate(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xED && b[1]&0xE0 == 0xA0 && b[2]&0xC0 == 0x80
}

func surrogate(b []byte) rune {
	return rune(b[0]&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
}
