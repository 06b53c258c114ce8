package plaintext

import (
	"bytes"
	"slices"
	"strings"
)

// Mails and terminals wrap lines: at a blank, or anywhere at a width. A line without the usual end of a dump's line
// continues in the next one:
//
//	"http-1" #31 daemon prio=5 os_prio=0 tid=0x00007f6548136000 nid=0x554c waiting
//	on condition [0x00007f6538efe000]
//		at java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(
//	AbstractQueuedSynchronizer.java:715)
//		- waiting to lock <0x00000000fc087b50> (a
//	com.acme.billing.InvoiceQueue)

// wrapper holds a line that is not complete.
type wrapper struct {
	line   []byte
	end    string
	number int
	parts  int // number of joined parts
	kind   wrappedKind
	last   int // the width of the last part
}

type wrappedKind uint8

const (
	whole wrappedKind = iota
	// header is the header of a thread. inBrackets is a frame, a lock or a state with an open bracket. ownersName is a
	// line of a deadlock report whose name follows.
	header
	inBrackets
	ownersName
)

const (
	// maxParts and maxJoined bound a joined line.
	maxParts  = 12
	maxJoined = 8 << 10
)

// joined writes a line, or holds it until it is known whether the next one belongs to it.
func (r *Reader) joined(line []byte, end string) {
	w := &r.wrap
	if w.kind != whole {
		if w.takes(line) {
			w.add(line, end)
			if kind := unfinished(w.line); kind == whole || w.parts == maxParts || len(w.line) > maxJoined {
				r.flush()
			} else {
				w.kind = kind
			}
			return
		}
		r.flush()
	}
	if kind := unfinished(line); kind != whole {
		*w = wrapper{line: append(w.line[:0], line...), end: end, number: r.number, parts: 1, kind: kind,
			last: width(trimCR(line))}
		return
	}
	r.numbered(r.number)
	r.put(line, end)
}

// flush writes the held line.
func (r *Reader) flush() {
	w := &r.wrap
	if w.kind == whole {
		return
	}
	r.numbered(w.number)
	r.put(w.line, w.end)
	w.kind = whole
}

// add appends the next line to the held one, with the blank at which it was broken.
func (w *wrapper) add(line []byte, end string) {
	line = trimCR(line)
	kept := trimCR(w.line)
	if !w.brokenAnywhere(kept, line) {
		kept = append(kept, ' ')
	}
	w.line, w.end = append(kept, bytes.TrimLeft(line, " \t")...), end
	w.parts++
	w.last = width(line)
}

// brokenAnywhere recognises a line that was not broken at a blank.
func (w *wrapper) brokenAnywhere(kept, line []byte) bool {
	last := kept[len(kept)-1]
	switch {
	case last == ' ':
		return true
	case w.kind != header && isWordsEnd(kept) || beginsToken(line) && last != '(':
		return false
	case bytes.IndexByte([]byte("(./$:_<@="), last) >= 0:
		return true
	case line[0] == ' ' || last == ',':
		return false
	}
	return isWidth(w.last)
}

// isWidth reports whether terminals or mails break lines at this width.
func isWidth(n int) bool {
	switch n {
	case 72, 76, 78, 79, 80, 100, 120, 132, 160:
		return true
	}
	return false
}

// width counts columns, a tab as eight.
func width(line []byte) int {
	n := 0
	for _, c := range line {
		switch {
		case c == '\t':
			n += 8 - n%8
		case c&0xC0 != 0x80:
			n++
		}
	}
	return n
}

// isWordsEnd recognises a line that ends with a whole word before a blank.
func isWordsEnd(line []byte) bool {
	word := line[bytes.LastIndexByte(line, ' ')+1:]
	word = word[bytes.LastIndexByte(word, '\t')+1:]
	switch string(word) {
	case "(a", "a", "(on", "on", "object", "(Native", "(Unknown", "at", "-", "locked", "waiting", "to", "lock",
		"parking", "wait", "for", "re-lock", "in", "State:", "condition", "Object.wait()", "monitor", "daemon",
		"(Compiled", "(Interpreted", "frame;", "may", "be", "information", "the", "Class", "initialization", "runnable",
		"sleeping", "entry":
		return true
	}
	return false
}

// headerTokens are the beginnings of the parts of a header.
var headerTokens = [...]string{"daemon", "prio=", "os_prio=", "cpu=", "elapsed=", "allocated=", "defined_classes=",
	"tid=0x", "nid=", "runnable", "waiting ", "in Object.wait()", "sleeping", "on condition", "condition",
	"for monitor entry", "monitor entry", "entry", "Object.wait()", "[0x", "<0x"}

func beginsToken(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	for _, token := range headerTokens {
		if bytes.HasPrefix(text, []byte(token)) {
			return true
		}
	}
	return len(text) > 1 && text[0] == '#' && text[1] >= '0' && text[1] <= '9'
}

// takes reports whether a line is the rest of the held one.
func (w *wrapper) takes(line []byte) bool {
	text := bytes.TrimSpace(line)
	if w.kind == ownersName {
		return len(text) > 1 && text[0] == '"'
	}
	if len(text) == 0 || text[0] == '"' || startsLine(text) {
		return false
	}
	switch {
	case w.kind == header:
		return w.takesHeader(line, text)
	case strings.HasSuffix(string(bytes.TrimSpace(w.line)), "State:"):
		return isState(text)
	}
	return w.takesBrackets(text)
}

// takesHeader reports whether a line is the rest of a header. text is the line without blanks around it.
func (w *wrapper) takesHeader(line, text []byte) bool {
	return beginsToken(line) || text[len(text)-1] == ']' || endsHeader(text) ||
		isWidth(w.last) && endsHeader(slices.Concat(w.line, text)) ||
		containsAny(text, " nid=", " tid=", " prio=", " os_prio=")
}

// takesBrackets reports whether a text closes the bracket that the held line opened, or has the missing bracket.
func (w *wrapper) takesBrackets(text []byte) bool {
	close, open := bytes.IndexByte(text, ')'), bytes.IndexByte(text, '(')
	if bytes.IndexByte(w.line, '(') < 0 {
		return close > open && open >= 0 && bytes.IndexByte(text[:open], ' ') < 0 ||
			bytes.HasPrefix(text, []byte("<0x"))
	}
	return close >= 0 && (open < 0 || close < open) && len(text) < 300
}

// endsHeader recognises a line that ends with the activity of a thread, as headers of the JVM's own threads do.
func endsHeader(text []byte) bool {
	for _, end := range [...]string{"runnable", "waiting on condition", "sleeping", "Object.wait()",
		"for monitor entry"} {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	return false
}

func isState(text []byte) bool {
	for _, state := range [...]string{"RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "NEW", "TERMINATED"} {
		if bytes.HasPrefix(text, []byte(state)) {
			return true
		}
	}
	return false
}

// startsLine recognises a line that is not the rest of another one.
func startsLine(text []byte) bool {
	for _, begin := range [...]string{"at ", "- ", "java.lang.Thread.State:", "Locked ownable", "JNI global", "Found ",
		"Full thread dump"} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

func containsAny(text []byte, parts ...string) bool {
	for _, part := range parts {
		if bytes.Contains(text, []byte(part)) {
			return true
		}
	}
	return false
}

// isAtEnd recognises the ends of most lines.
func isAtEnd(text []byte) bool {
	switch text[len(text)-1] {
	case ']', '>', '}':
		return true
	case ')':
		return text[0] != '"' || !bytes.HasSuffix(text, []byte("Object.wait()"))
	case ':':
		return text[0] != 'a' && !bytes.HasSuffix(text, []byte("State:"))
	}
	return false
}

// unfinished returns the kind of a line that is not complete.
func unfinished(line []byte) wrappedKind {
	line = trimCR(line)
	if len(line) == 0 {
		return whole
	}
	text := bytes.TrimLeft(line, " \t")
	if len(text) < 2 || isAtEnd(text) {
		return whole
	}
	switch {
	case text[0] == '"':
		return unfinishedHeader(text)
	case bytes.HasSuffix(text, []byte("which is held by")):
		return ownersName
	case bytes.HasPrefix(text, []byte("waiting to lock monitor ")),
		bytes.HasPrefix(text, []byte("waiting for ownable synchronizer ")),
		bytes.HasPrefix(text, []byte("Full thread dump ")):
		return openBracket(text)
	case string(text[:2]) == "at" && (len(text) == 2 || text[2] == ' '), string(text[:2]) == "- ",
		bytes.HasPrefix(text, []byte("java.lang.Thread.State:")):
		return unfinishedBrackets(text)
	}
	return whole
}

func openBracket(text []byte) wrappedKind {
	if bytes.Count(text, []byte("(")) > bytes.Count(text, []byte(")")) {
		return inBrackets
	}
	return whole
}

// unfinishedHeader recognises a header that may continue: it has figures after the name, and no stack address at the
// end.
func unfinishedHeader(text []byte) wrappedKind {
	last := bytes.LastIndexByte(text, '"')
	if last == 0 {
		return whole // a name that spans lines
	}
	rest := text[last+1:]
	if len(rest) == 0 || rest[0] != ' ' || !beginsToken(rest) && !bytes.HasPrefix(rest, []byte(" [")) {
		return whole
	}
	return header
}

// unfinishedBrackets recognises a frame, lock or state whose bracket is open, or missing.
func unfinishedBrackets(text []byte) wrappedKind {
	open, closed := bytes.Count(text, []byte("(")), bytes.Count(text, []byte(")"))
	isFrame := text[0] == 'a'
	isState := text[0] == 'j' && bytes.HasSuffix(text, []byte("State:"))
	isLock := text[0] == '-' && containsAny(text, "waiting", "parking", "locked")
	switch {
	case open > closed, isFrame && open == 0, isState:
		return inBrackets
	case isLock && open == 0 && !bytes.Contains(text, []byte("> ")) && len(text) < 60:
		return inBrackets
	}
	return whole
}

func trimCR(line []byte) []byte { return bytes.TrimRight(line, "\r") }
