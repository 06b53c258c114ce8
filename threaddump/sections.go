package threaddump

import (
	"bytes"
	"strings"
)

// otherLine reads what begins a section, and takes note of what is foreign.
func (t *textDump) otherLine(line []byte) {
	if t.section == inHead && t.smr.read(line) || t.smr.open != smrNone && t.smr.read(line) {
		if t.smr.smr != nil && len(t.smr.smr.Elements) > 2*maxThreads {
			t.tooMany(2*maxThreads, "threads in the JVM's list")
		}
		return
	}
	if t.sectionLine(line) || t.done {
		return
	}
	t.remember(line)
	if _, ok := parseTime(line); ok || t.closingLine(line) {
		return
	}
	if t.section < inTrailer && (!t.lostBody || line[0] == '"') {
		if looksLikeHeader(line) {
			t.endThread()
			t.foreign.end(t)
			t.lost(line)
			t.lostBody = true
			return
		}
		t.foreign.add(t, line)
	}
}

// sectionLine reads the lines that stand alone: the trailer's, the headings of
// the deadlock report and of the heap, and the header of another dump.
func (t *textDump) sectionLine(line []byte) bool {
	switch {
	case string(line) == "Threads class SMR info:", string(line) == ownedText,
		bytes.HasPrefix(line, []byte("JDK version: ")):
	case bytes.HasPrefix(line, []byte("JNI global ref")):
		t.enter(inTrailer)
		t.jniRefs(line)
	case string(line) == deadlockText:
		t.enter(inDeadlock)
		t.locked.begin(t)
	case bytes.HasPrefix(line, []byte(stacksText)):
		t.enter(inDeadlockStacks)
		t.locked.alone = len(t.d.Threads) == 0 || t.locked.alone
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

// isDeadlockCount knows "Found 2 deadlocks.".
func isDeadlockCount(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Found ")) && bytes.Contains(line, []byte(" deadlock"))
}

// isRule knows the line of equal signs under a heading.
func isRule(line []byte) bool {
	return len(line) > 20 && bytes.Count(line, []byte("=")) == len(line)
}

// jniRefs reads "JNI global refs: 15, weak refs: 0" and JDK 8's "JNI global
// references: 396" (JNIHandles::print_on, jniHandles.cpp).
func (t *textDump) jniRefs(line []byte) {
	for part := range bytes.SplitSeq(line, []byte(",")) {
		name, value, _ := bytes.Cut(part, []byte(": "))
		n, ok := parseInt(bytes.TrimSpace(value))
		switch {
		case !ok:
		case bytes.Contains(name, []byte("weak")):
			t.d.JNIWeakRefs = Known(n)
		default:
			t.d.JNIRefs = Known(n)
		}
	}
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

// finish completes the dump with what could only be told at its end.
func (t *textDump) finish() {
	t.endThread()
	if t.refused != nil {
		return
	}
	if len(t.d.Threads) == 0 && len(t.d.Deadlocks) > 0 {
		t.locked.alone = true
		t.addMembers()
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
	if t.section < inTrailer && headed && !t.endsWithVMThreads() || report {
		t.d.Cut = true
	}
}

// endsWithVMThreads recognises the end of a dump of JDK 1.4 and 5, which have no line about JNI references: threads of
// the JVM's own are last.
func (t *textDump) endsWithVMThreads() bool {
	if !strings.HasPrefix(t.d.Version, "1.4.") && !strings.HasPrefix(t.d.Version, "1.5.") || len(t.d.Threads) == 0 {
		return false
	}
	last := t.d.Threads[len(t.d.Threads)-1]
	return !last.Unnumbered && last.ID == 0 && isCondition([]byte(last.Condition))
}
