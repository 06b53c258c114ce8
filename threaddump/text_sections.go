package threaddump

import (
	"bytes"
	"strings"
	"time"
)

// otherLine reads what begins a section, and takes note of what is foreign.
func (t *textDump) otherLine(line []byte) {
	if t.listLine(line) || t.sectionLine(line) || t.done {
		return
	}
	t.remember(line)
	if _, ok := parseTime(line); ok || t.closingLine(line) {
		return
	}
	if t.section < inTrailer && (!t.lostBody || line[0] == '"') {
		if looksLikeHeader(line) {
			t.endThread()
			t.foreign.end(&t.threadBuilder)
			t.lost(line)
			t.lostBody = true
			return
		}
		if t.section != inHead { // else it is above the first thread
			t.foreign.add(&t.threadBuilder, line)
		}
	}
}

// listLine reads a line of the JVM's list of threads.
func (t *textDump) listLine(line []byte) bool {
	if t.section != inHead && t.smr.open == smrNone || !t.smr.read(line) {
		return false
	}
	if t.smr.smr != nil && len(t.smr.smr.Elements) > 2*maxThreads {
		t.tooMany(2*maxThreads, "threads in the JVM's list")
	}
	return true
}

// sectionLine reads the lines that are alone: the trailer's, the headings of
// the deadlock report and of the heap, and the header of another dump.
func (t *textDump) sectionLine(line []byte) bool {
	switch {
	case string(line) == "Threads class SMR info:", string(line) == ownedText,
		bytes.HasPrefix(line, []byte("JDK version: ")):
	case bytes.HasPrefix(line, []byte("JNI global ref")):
		t.enter(inTrailer)
		t.d.jniRefs(line)
	case string(line) == deadlockText:
		t.enter(inDeadlock)
		t.locked.begin(&t.threadBuilder)
	case bytes.HasPrefix(line, []byte(stacksText)):
		t.enter(inDeadlockStacks)
		t.alone = len(t.d.Threads) == 0 || t.alone
	case isDeadlockCount(line):
		t.enter(inTrailer)
	case isRule(line):
	case string(line) == "Heap" && t.section >= inTrailer:
		t.enter(inHeap)
	default:
		return t.nextHead(line)
	}
	return true
}

func (t *textDump) enter(s section) {
	t.endThread()
	t.section = s
}

// heapLines bounds the Heap section.
const heapLines = 200

// heapLine keeps a line of the Heap section that SIGQUIT appends; it ends with
// an empty line (Universe::print_heap_at_SIGBREAK).
func (t *textDump) heapLine(line []byte) bool {
	_, isTime := parseTime(line)
	if len(line) == 0 || len(t.d.Heap) == heapLines || isTime || t.startOf(line).anchor != noAnchor {
		t.section = inTrailer
		return false
	}
	t.d.Heap = append(t.d.Heap, string(line))
	return true
}

// nextHead begins the next dump if the line is its header.
func (t *textDump) nextHead(line []byte) bool {
	at := t.startOf(line)
	if at.anchor != headAnchor {
		return t.section >= inTrailer && t.nextOther(at)
	}
	next, _ := t.startText(line, headAnchor)
	if next == nil {
		return false
	}
	t.next = next
	t.done = true
	return true
}

// nextOther ends the dump before a dump of another form.
func (t *textDump) nextOther(at start) bool {
	if !at.alone {
		return false
	}
	t.again, t.done = true, true
	return true
}

// finish completes the dump with what is known only at its end.
func (t *textDump) finish() {
	t.endThread()
	if t.refused != nil {
		return
	}
	if len(t.d.Threads) == 0 && len(t.d.Deadlocks) > 0 {
		t.alone = true
		t.locked.addMembers(&t.threadBuilder)
	}
	t.foreign.atEnd()
	t.d.SMR = t.smr.smr
	headed := t.d.JVM != "" // what jhsdb prints has neither header nor last line
	t.d.Fragment = !headed && t.section <= inThreads && !t.debugger
	if t.virtual.open {
		t.d.Cut = true
		if t.d.VirtualMissing == "" {
			t.d.VirtualMissing = "the list ends before its end"
		}
	}
	report := (t.section == inDeadlock || t.section == inDeadlockStacks) && !t.parts
	if t.section < inTrailer && headed && !t.d.endsWithVMThreads() || report {
		t.d.Cut = true
	}
}

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

// stacksFollow recognises the first frame of the stacks that the report repeats, where their heading is missing: the
// name above it is a thread's, and no further member.
func (t *textDump) stacksFollow(line []byte) bool {
	if !isFrameLine(bytes.TrimSpace(line)) {
		return false
	}
	members := &t.d.Deadlocks[len(t.d.Deadlocks)-1].Members
	n := len(*members)
	if n == 0 || (*members)[n-1].Class != "" || t.locked.naming != noName {
		return false
	}
	m := (*members)[n-1]
	*members = (*members)[:n-1]
	t.alone = len(t.d.Threads) == 0 || t.alone
	t.enter(inDeadlockStacks)
	if t.alone {
		t.locked.addReported(&t.threadBuilder, []byte(m.Thread), m.Line)
		t.step(line)
	}
	return true
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
