package threaddump

import (
	"bytes"
)

// section is the part of a text dump that the reading is in.
type section uint8

const (
	inHead section = iota
	inThreads
	// inTrailer: after "JNI global refs", where other text may follow.
	inTrailer
	// inDeadlock and inDeadlockStacks: the JVM's report, and the stacks that it
	// repeats.
	inDeadlock
	inDeadlockStacks
	inHeap
	// inVirtual: virtual threads that jstall read from the JVM's memory.
	inVirtual
)

// textDump reads one dump in HotSpot's text form, line by line.
type textDump struct {
	threadBuilder
	section section
	smr     smrList
	locked  deadlockReport
	virtual virtualSection
	foreign foreignLines

	h         header
	text      []byte // a name that spans lines
	odd       []byte // a line that is kept while others are looked at
	oddQuotes int    // lines that begin with a quote and are no headers
	namesFrom int64  // offset before which no name with line breaks begins
	start     mark   // of the header of the current thread
	lostBody  bool   // the lines are those of a thread that could not be read
	done      bool
	seen      seenThreads
	next      *textDump // whose header was read as the end of this one
	// refused is the JVM of another vendor that wrote it, nil if none did.
	refused *ForeignError
}

func newTextDump(in *input, line int) *textDump {
	return &textDump{threadBuilder: threadBuilder{input: in, d: &Dump{Line: line}}}
}

func (t *textDump) read() *Dump {
	for !t.done {
		if t.open && t.inStacks() {
			t.likelyFrames()
		}
		line, ok := t.lines.next()
		if !ok {
			break
		}
		t.step(line)
	}
	t.finish()
	if t.refused != nil {
		return nil
	}
	return t.d
}

// step reads one line.
func (t *textDump) step(line []byte) {
	if len(line) > 4 && t.open && string(line[:4]) == frameBegin && t.inStacks() {
		t.frame(line[4:])
		return
	}
	t.endRun()
	if t.virtualLine(line) {
		return
	}
	switch t.section {
	case inDeadlock:
		if t.stacksFollow(line) || t.locked.read(&t.threadBuilder, line) {
			return
		}
	case inDeadlockStacks:
		if t.alone {
			if t.locked.reportedThread(&t.threadBuilder, line) {
				return
			}
		} else if isRepeatedStack(line) {
			return
		}
	case inHeap:
		if t.heapLine(line) {
			return
		}
	}
	t.line(line)
}

// inStacks reports that frames and locks are those of threads, and not said once more.
func (t *textDump) inStacks() bool {
	return t.section == inThreads || t.section == inVirtual || t.section == inDeadlockStacks && t.alone
}

func (t *textDump) line(line []byte) {
	if len(line) == 0 {
		t.open, t.lostBody = false, false
		return
	}
	if t.parts {
		line = bytes.Clone(line) // looking at the next line moves what is in memory
	}
	switch line[0] {
	case '"':
		t.quotedLine(line)
	case ' ', '\t', 'a', '-':
		if !t.bodyLine(line) {
			t.otherLine(line)
		}
	case 'T':
		if !t.debuggerThread(line) {
			t.otherLine(line)
		}
	case 'o':
		if !t.nameless(line) {
			t.otherLine(line)
		}
	default:
		if !t.open || !t.inStacks() || !t.stateLine(line) { // leading blanks get lost
			t.otherLine(line)
		}
	}
}

// bodyLine reads what is under a thread's header; false if it is not one of
// those lines. Leading blanks and tabs do not matter: they get lost on the way.
func (t *textDump) bodyLine(line []byte) bool {
	text := line
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	t.headlessLine(text)
	switch {
	case len(text) == 0:
		t.open = false
		return true
	case t.cur == nil || !t.inStacks(): // between the dump's header and its first thread
		return t.section == inHead && bytes.HasPrefix(text, []byte("JDK version: "))
	case bytes.HasPrefix(text, []byte("- ")):
		return t.dashLine(line, text[2:])
	case !t.open && string(text) != ownedText:
		return false
	case bytes.HasPrefix(text, []byte("at ")) && bytes.IndexByte(text, '(') > 0:
		t.frame(text[3:])
		return true
	}
	return t.stateLine(text)
}

// dashLine reads a lock, or a frame in jhsdb's form: " - W.zz(long) @bci=1, …".
func (t *textDump) dashLine(line, text []byte) bool {
	switch {
	case string(text) == "None":
	case bytes.Contains(text, []byte(") @bci=")):
		t.debugger = true
		t.frame(text)
	case bytes.HasPrefix(text, []byte("eliminated ")) && bytes.IndexByte(text, '\t') > 0:
		// JDKs to 17 forget the line break after a scalar-replaced owner.
		i := bytes.IndexByte(text, '\t')
		t.lock(line, text[:i])
		t.step(text[i:])
	case !t.open && !bytes.HasPrefix(text, []byte("<")):
		return false
	default:
		t.lock(line, text)
	}
	return true
}

// begin starts the thread of a header.
func (t *textDump) begin(h *header, line int) {
	t.endThread()
	t.foreign.end(&t.threadBuilder)
	t.boundDump(len(t.d.Threads), 0)
	t.section = inThreads
	if t.d.JVM == "" {
		t.seen.add(h)
	}
	if t.smr.closed {
		if i := t.smr.find(h.tid); h.id > 0 && i >= 0 {
			t.smr.take(i)
		}
	} else {
		t.start = t.here()
		t.src.keep = t.start.offset
	}
	// The list has how many Java threads follow; those of the JVM come after them.
	t.startThread(h, line, t.smr.left+1)
}
