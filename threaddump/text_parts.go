package threaddump

import "bytes"

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
		if !t.enterDeadlock(line) {
			return nil
		}
		t.step(line)
	}
	return t
}

// enterDeadlock begins the part of a dump that a line of a deadlock section without its heading is in; false if it is
// not one.
func (t *textDump) enterDeadlock(line []byte) bool {
	heading := !isMemberName(line)
	switch {
	case !heading && t.nextIs(isMemberDetail):
		t.enter(inDeadlock)
		t.locked.begin(&t.threadBuilder)
	case heading && t.nextIs(isRule), t.nextIs(isFrameLine):
		t.enter(inDeadlockStacks)
		t.alone = true
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
	t.cur.Name, t.cur.ID, t.cur.Line = headerMissing, t.locked.ids.of([]byte(headerMissing)), line
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

// framesBefore begins a thread with the frames above the current line; false otherwise.
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
