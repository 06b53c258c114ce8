package threaddump

import (
	"bytes"
	"strings"
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
	*input
	d       *Dump
	section section
	smr     smrList
	locked  deadlockReport
	virtual virtualSection

	// The thread that is being read. open tells that its stack goes on: no
	// empty line has come yet.
	cur       *Thread
	open      bool
	mounted   bool // the lines belong to the mounted virtual thread
	frames    []*Frame
	last      int32 // entry of the last of them in the Interner
	stackHash uint64
	run       []int32 // entries of those since the last line that was none
	runAfter  int32   // entry of the frame above run
	start     mark    // of its header

	locks, mountedLocks []Lock

	slabs
	foreign   foreignLines
	h         header
	text      []byte // a name that spans lines
	odd       []byte // a line that is kept while others are looked at
	oddQuotes int    // lines that begin with a quote and are no headers
	namesFrom int64  // offset before which no name with line breaks begins
	done      bool
	lostBody  bool      // the lines are those of a thread that could not be read
	debugger  bool      // a debugger wrote it, without a head
	parts     bool      // it begins with a thread or a report whose head is lost
	cutWidth  int       // of the headers that the end of a screen's line cut, 0 if none was
	next      *textDump // whose header was read as the end of this one
	// refused is the JVM of another vendor that wrote it, nil if none did.
	refused *ForeignError

	moreProblems int
}

func newTextDump(r *input, line int) *textDump {
	return &textDump{input: r, d: &Dump{Line: line}}
}

// head reads "Full thread dump NAME (VERSION MODE)", with a colon after it or
// without (VM_Version, Threads::print_on in threads.cpp).
func (t *textDump) head(line []byte) {
	if width := cutHeadWidth(line); width > 0 {
		t.cutAt(line, width)
	}
	s := strings.TrimRight(strings.TrimPrefix(string(line), headText), ": ")
	name, rest, _ := strings.Cut(s, " (")
	rest = strings.TrimSuffix(rest, ")")
	t.d.JVM = name
	if strings.HasPrefix(name, "SAP Java") {
		t.refused = &sapDump
	}
	if name == "Classic VM" {
		t.refused = &foreignDumps[0].ForeignError
	}
	// Versions have no blanks, modes begin with one of these words.
	for _, mode := range []string{" mixed mode", " interpreted mode", " compiled mode"} {
		if i := strings.Index(rest, mode); i >= 0 {
			t.d.Version, t.d.Mode = rest[:i], rest[i+1:]
			return
		}
	}
	t.d.Version, t.d.Mode, _ = strings.Cut(rest, " ")
}

func (t *textDump) read() *Dump {
	for !t.done {
		t.likelyFrames()
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
		if t.stacksFollow(line) || t.locked.read(t, line) {
			return
		}
	case inDeadlockStacks:
		if t.locked.alone {
			if t.reportedThread(line) {
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
	return t.section == inThreads || t.section == inVirtual || t.section == inDeadlockStacks && t.locked.alone
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

// frameBegin is what stands before a frame.
const frameBegin = "\tat "

// bodyLine reads what stands under a thread's header; false if it is none of
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
	case t.cur == nil || !t.inStacks():
		return t.headLine(text)
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

const ownedText = "Locked ownable synchronizers:"

// headLine reads what stands between the dump's header and its first thread.
func (t *textDump) headLine(text []byte) bool {
	return t.section == inHead && bytes.HasPrefix(text, []byte("JDK version: "))
}

// stateLine reads the lines between a header and the stack:
//
//	java.lang.Thread.State: TIMED_WAITING (parking)
//	Carrying virtual thread #23           21 and newer
//	Mounted virtual thread #23            25 and newer, its frames follow
//	No compile task                       compiler threads, 11 and newer
//	Compiling: 1165       4       a.B::m (39 bytes)
//	JavaThread state: _thread_blocked     jhsdb
//	Stack unknown: it runs Java code      jstall, from memory
//	Rest of the stack unknown: …          after the frames
//	Stack from registers: …               jstall, from memory
func (t *textDump) stateLine(text []byte) bool {
	if rest, ok := bytes.CutPrefix(text, []byte("java.lang.Thread.State: ")); ok {
		t.cur.State, t.cur.StateDetail, ok = parseState(rest, t.in)
		return ok
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Carrying virtual thread #")); ok {
		t.cur.Carrying, ok = parseInt(rest)
		return ok
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Mounted virtual thread #")); ok {
		return t.mount(rest)
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Compiling:")); ok {
		t.cur.Compiler = true
		t.cur.CompileTask = string(bytes.TrimSpace(rest))
		return true
	}
	for i, begin := range [...]string{"Stack unknown: ", "Rest of the stack unknown: "} {
		if rest, ok := bytes.CutPrefix(text, []byte(begin)); ok {
			t.cur.Unread, t.cur.Cut = t.in.string(rest), i == 1
			return true
		}
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Stack from registers: ")); ok {
		t.cur.Approximate = t.in.string(rest)
		return true
	}
	switch {
	case string(text) == "No compile task":
		t.cur.Compiler = true
	case string(text) == ownedText:
		t.d.OwnersListed = true
	case bytes.HasPrefix(text, []byte("JavaThread state: ")):
	default:
		return false
	}
	return true
}

// mount ends the carrier's own stack.
func (t *textDump) mount(id []byte) bool {
	v, ok := parseInt(id)
	if ok {
		t.endStack()
		t.cur.Carrying, t.mounted = v, true
	}
	return ok
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

func (t *textDump) lock(line, text []byte) {
	if t.src.unended && line[len(line)-1] != ')' {
		t.endsInside(line, "line")
		return
	}
	t.boundThread(0, len(t.locks)+len(t.mountedLocks))
	l := parseLock(text, t.in)
	l.Line = t.lineNo()
	l.Depth = len(t.frames) - 1
	switch l.Op {
	case OwnsSynchronizer:
		l.Depth = -1
	case LockUnknown:
		t.problem(line, "an unknown line under a frame")
	}
	if t.mounted && l.Op != OwnsSynchronizer {
		t.mountedLocks = append(t.mountedLocks, l)
		return
	}
	t.locks = append(t.locks, l)
}

// parseState reads "TIMED_WAITING (parking)" (java_lang_Thread::thread_status_name).
func parseState(b []byte, in *Interner) (State, string, bool) {
	b = bytes.TrimRight(b, " ")
	name, detail := cutAt(b, ' ')
	if len(detail) > 0 && detail[0] != '(' {
		return StateUnknown, "", false
	}
	state := StateUnknown
	switch string(name) {
	case "NEW":
		state = New
	case "RUNNABLE":
		state = Runnable
	case "BLOCKED":
		state = Blocked
	case "WAITING":
		state = Waiting
	case "TIMED_WAITING":
		state = TimedWaiting
	case "TERMINATED":
		state = Terminated
	}
	if len(detail) == 0 {
		return state, "", state != StateUnknown
	}
	return state, in.string(bytes.TrimSuffix(detail[1:], []byte(")"))), state != StateUnknown
}
