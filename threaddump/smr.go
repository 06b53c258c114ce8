package threaddump

import "bytes"

// smrList reads and answers from the block that JDK 11 and newer print before
// the threads (ThreadsSMRSupport::print_info_on, threadSMR.cpp):
//
//	Threads class SMR info:
//	_java_thread_list=0x00007ff118003210, length=41, elements={
//	0x00007ff1a4019960, 0x00007ff1a40e49c0, 0x00007ff1a40e5f40, 0x00007ff1a40e7800,
//	0x00007ff118001cf0
//	}
//
// A `_to_delete_list=…` of the same form may follow: threads that are gone.
type smrList struct {
	smr  *SMR
	open smrBlock
	// closed is true if the whole list was read, so if a thread that is not
	// in it is not a Java thread.
	closed bool
	seen   []bool
	left   int // elements not yet seen
	next   int // the element after the one seen last: threads come in its order
	index  map[uint64]int
}

type smrBlock uint8

const (
	smrNone smrBlock = iota
	smrThreads
	smrDeleted
)

// read takes a line of the block; false otherwise.
func (l *smrList) read(line []byte) bool {
	switch {
	case bytes.HasPrefix(line, []byte("_java_thread_list=")):
		l.begin(line)
	case bytes.HasPrefix(line, []byte("_to_delete_list=")):
		l.open = smrDeleted
	case line[0] == '_' && bytes.Contains(line, []byte("=")):
	case l.open != smrNone && string(line) == "}":
		l.end()
	case l.open != smrNone && bytes.HasPrefix(line, []byte("0x")):
		l.addElements(line)
	default:
		return false
	}
	return true
}

func (l *smrList) begin(line []byte) {
	l.open = smrThreads
	l.smr = &SMR{}
	address, _, _ := bytes.Cut(line[len("_java_thread_list="):], []byte(","))
	l.smr.List, _ = parseAddress(address)
	if _, rest, ok := bytes.Cut(line, []byte("length=")); ok {
		digits, _, _ := bytes.Cut(rest, []byte(","))
		n, _ := parseInt(digits)
		l.smr.Length = int(n)
	}
	l.smr.Elements = make([]uint64, 0, min(l.smr.Length, 1<<16))
}

func (l *smrList) addElements(line []byte) {
	if l.open != smrThreads {
		return
	}
	for len(line) > 0 {
		var element []byte
		element, line = cutAt(line, ',')
		if v, ok := parseAddress(bytes.TrimSpace(element)); ok {
			l.smr.Elements = append(l.smr.Elements, v)
		}
	}
}

func (l *smrList) end() {
	if l.open == smrThreads && len(l.smr.Elements) == l.smr.Length {
		l.closed = true
		l.left = l.smr.Length
		l.seen = make([]bool, l.smr.Length)
	}
	l.open = smrNone
}

// find returns where in the list a thread is, -1 if not or no longer.
func (l *smrList) find(tid uint64) int {
	if l.next < len(l.seen) && l.smr.Elements[l.next] == tid && !l.seen[l.next] {
		return l.next
	}
	if l.index == nil {
		l.index = make(map[uint64]int, len(l.smr.Elements))
		for i, e := range l.smr.Elements {
			l.index[e] = i
		}
	}
	if i, ok := l.index[tid]; ok && !l.seen[i] {
		return i
	}
	return -1
}

func (l *smrList) take(i int) {
	l.seen[i] = true
	l.left--
	l.next = i + 1
}

// lists reports that a thread is in the SMR list and was not seen yet.
func (l *smrList) lists(h *header) bool {
	return l.closed && h.id > 0 && l.find(h.tid) >= 0
}

// accepts recognises a header that is surely, or as far as the text shows, real. Those
// of JVM-internal threads come after all Java threads.
func (l *smrList) accepts(h *header) bool {
	if !l.closed {
		return true
	}
	return l.lists(h) || h.id == 0 && l.left == 0
}

func (l *smrList) nameLimit() int {
	if l.closed {
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

// endsName reports whether line, the last of a text, ends the name that the text
// begins with.
func (l *smrList) endsName(text, line []byte) nameEnd {
	var h header
	if !bytes.Contains(line, []byte(tidText)) || !parseHeader(text, &h) || !h.opened {
		return nameNotEnded
	}
	if l.closed && !l.lists(&h) || !l.closed && len(h.name) > jdk8NameLimit {
		return nameNotEnded
	}
	if parseHeader(line, &h) && h.opened {
		return nameMayEnd
	}
	return nameEnds
}
