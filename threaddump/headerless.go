package threaddump

import "bytes"

// Stacks are copied out of dumps without the header of their thread. What remains shows that they are of a dump and
// not of an exception: the line of the state, or a lock.
//
//	   java.lang.Thread.State: WAITING (parking)
//	        at sun.misc.Unsafe.park(Native Method)
//	        - parking to wait for  <0x00000000e4c291f0> (a java.util.concurrent.FutureTask)
//
// Such a thread is called "(header missing)", and its id is made. Stacks of the JVM's deadlock report without its
// heading ("Java stack information for the threads listed above:") have names alone: see deadlockReport.

// stateText is what the line of a state begins with.
var stateText = []byte("java.lang.Thread.State: ")

// partAnchor is the anchor of a line that is in a thread whose header is lost, or in a report without heading.
func partAnchor(line []byte) anchor {
	text, _ := cutQuoteMarks(line)
	text = bytes.TrimLeft(text, " \t")
	switch {
	case len(text) < shortestAnchor:
	case isStateLine(text):
		return stateAnchor
	case isLockLine(text):
		return stackAnchor
	case isMemberName(text), bytes.HasPrefix(text, []byte(stacksText)):
		return namedAnchor
	}
	return noAnchor
}

// cutQuoteMarks splits a line of a mail where the text begins that it quotes: "> ", ">> ", "> > ".
func cutQuoteMarks(line []byte) (text, marks []byte) {
	if len(line) == 0 || line[0] != '>' {
		return line, nil
	}
	n := bytes.LastIndexByte(line[:spanOf(line, func(c byte) bool { return c == '>' || c == ' ' })], '>') + 1
	if n < len(line) && line[n] == ' ' {
		n++
	}
	return line[n:], line[:n]
}

const stacksText = "Java stack information for the threads"

func isStateLine(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, stateText)
	if !ok {
		return false
	}
	word, detail := cutAt(bytes.TrimRight(rest, " \r"), ' ')
	_, _, known := parseState(word, nil)
	return known && (len(detail) == 0 || detail[0] == '(')
}

// isLockLine recognises a line of a lock with an address.
func isLockLine(text []byte) bool {
	if text[0] != '-' {
		return false
	}
	for _, begin := range [...]string{
		"- parking to wait for  <0x", "- waiting to lock <0x", "- waiting on <0x", "- locked <0x",
	} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

// isMemberName recognises `"pump-1":`.
func isMemberName(line []byte) bool {
	name, ok := bytes.CutSuffix(bytes.TrimRight(line, " "), []byte(`":`))
	return ok && len(name) > 1 && name[0] == '"'
}

// isFrameLine recognises "at a.B.c(B.java:9)".
func isFrameLine(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("at "))
	return ok && isBareFrame(rest)
}

// isMemberDetail recognises what is under a name in the deadlock report.
func isMemberDetail(text []byte) bool {
	return bytes.HasPrefix(text, []byte("waiting to lock monitor ")) ||
		bytes.HasPrefix(text, []byte("waiting for ownable synchronizer "))
}

// enterDeadlock begins the part of a dump that a line of a deadlock section without its heading is in; false if it is
// not one.
func (r *input) enterDeadlock(t *textDump, line []byte) bool {
	heading := !isMemberName(line)
	switch {
	case !heading && r.nextIs(isMemberDetail):
		t.enter(inDeadlock)
		t.locked.begin(t)
	case heading && r.nextIs(isRule), r.nextIs(isFrameLine):
		t.enter(inDeadlockStacks)
		t.locked.alone = true
	default:
		return false
	}
	return true
}

// headless begins a thread without a header.
func (t *textDump) headless(line int) {
	t.endThread()
	t.boundDump(len(t.d.Threads), 0)
	if t.locked.names == nil {
		t.locked.ids, t.locked.names = newMadeIDs(), map[string]bool{}
	}
	t.section, t.open = inThreads, true
	t.cur = t.newThread(t.d, 0)
	t.cur.Name, t.cur.ID, t.cur.Line = headerMissing, t.locked.ids.of(nil), line
	t.d.Instant = true
}

// headlessLine begins the next thread without a header, at the state above its frames or, after an empty line, at its
// first frame. The dump must have begun with one.
func (t *textDump) headlessLine(text []byte) {
	if !t.parts || t.section != inThreads {
		return
	}
	switch {
	case isStateLine(text) && (!t.open || len(t.frames) > 0):
		if !t.nextIs(isFrameLine) {
			t.open = false // it is not the state of the thread above, and there is no other
			return
		}
	case !t.open && isFrameLine(text) && t.nextIs(func(next []byte) bool { return len(next) > 5 && isLockLine(next) }):
	default:
		return
	}
	t.headless(t.lineNo())
}

// framesBefore begins a thread with the frames above the current line; false if there are none.
func (t *textDump) framesBefore() bool {
	n := 0
	frame := func(at int) []byte {
		text, _ := cutQuoteMarks(t.before[at])
		return bytes.TrimSpace(text)
	}
	for n < len(t.before) && isFrameLine(frame(n)) {
		n++
	}
	if n == 0 || t.beforeLine != t.lineNo()-1 {
		return false
	}
	t.headless(t.lineNo() - n)
	for n--; n >= 0; n-- {
		t.frame(frame(n)[len("at "):])
	}
	return true
}

// headerMissing is the name of a thread without a header.
const headerMissing = "(header missing)"
