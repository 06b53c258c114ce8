package threaddump

import (
	"bytes"
	"time"
)

// header is what the first line of a thread says.
//
//	8   "w-park" #12 daemon prio=5 os_prio=0 tid=0x00007f… nid=0x6374 waiting on condition [0x…]
//	21  "w-park" #21 [3265] prio=5 os_prio=0 cpu=0.15ms elapsed=1.31s tid=0x… nid=3265 waiting on condition  [0x…]
//	    "VM Thread" os_prio=0 cpu=8.02ms elapsed=1.34s tid=0x00007fce000d9320 nid=32637 runnable
//	7   "w-park" daemon prio=10 tid=0x00007f6548136000 nid=0x554c waiting on condition [0x00007f6538efe000]
//	5   "w-park" daemon prio=1 tid=0x0413f000 nid=0x5fec waiting on condition [0x74466000..0x74466e38]
//	6   "w-park" prio=5 tid=f92f4145000 nid=0x105970000 runnable [124afe000]          Apple's
//
// Up to 7 there are no ids: a Java thread has a stack address in brackets, a thread of the
// JVM's own none. Figures have the decimal sign of the JVM's locale: cpu=0,15ms.
//
// Printed by Thread::print_on and JavaThread::print_on (thread.cpp,
// javaThread.cpp) and OSThread::print_on (osThread.cpp).
type header struct {
	name []byte
	// opened is true if the line has the quote before the name: without it the
	// line is the end of a name with line breaks.
	opened bool
	// quoted is true if it has the quote after the name, which JDK 8 loses
	// when the name is longer than it prints.
	quoted bool

	id, nativeID      int64
	tid, stackAddress uint64
	hasStackAddress   bool
	// unnumbered is true for the header of a Java thread of JDK 7 or older.
	unnumbered bool
	// unread is the last figure that could not be read, empty if all could.
	unread               []byte
	daemon               bool
	priority, osPriority int8
	cpu, elapsed         Opt[time.Duration]
	allocated, classes   Opt[int64]
	condition            []byte
}

// parseHeader reads a header from the right, because the name may hold
// anything. line may be several lines of a name with line breaks.
func parseHeader(line []byte, h *header) bool {
	*h = header{}
	left, ok := h.parseAddresses(bytes.TrimRight(line, " "))
	if !ok {
		return false
	}
	left = h.parseFigures(left)
	left, java := h.parseID(left)
	if !java && h.priority == 0 && !bytes.HasSuffix(left, []byte(`"`)) {
		return false
	}
	h.takeName(left)
	h.unnumbered = h.id == 0 && h.hasStackAddress
	return h.quoted || java
}

// parseAddresses reads `tid=0x… nid=0x… waiting on condition [0x…]` and returns
// what is left of it.
func (h *header) parseAddresses(line []byte) (left []byte, ok bool) {
	if n := len(line); n > 0 && line[n-1] == ']' {
		i := bytes.LastIndexByte(line, '[')
		if i < 0 {
			return nil, false
		}
		if h.stackAddress, ok = parseStackAddress(line[i+1 : n-1]); !ok {
			return nil, false
		}
		h.hasStackAddress = true
		line = bytes.TrimRight(line[:i], " ")
	}
	i := lastIndexBefore(line, " tid=")
	if i < 0 {
		return nil, false
	}
	return line[:i], h.parseNative(line[i+len(" tid="):])
}

// parseStackAddress reads `0x00007fe3d029d000`, JDK 5's `0x74466000..0x74466e38` and Apple's
// `124afe000`.
func parseStackAddress(b []byte) (uint64, bool) {
	first, last, isRange := bytes.Cut(b, []byte(".."))
	if isRange {
		if _, ok := parseBareAddress(last); !ok {
			return 0, false
		}
	}
	return parseBareAddress(first)
}

// parseBareAddress reads an address with or without 0x: Apple's JDK 6 leaves it out.
func parseBareAddress(b []byte) (uint64, bool) {
	if v, ok := parseAddress(b); ok {
		return v, true
	}
	return parseHex(b)
}

// parseNative reads `0x00007fe3f0189800 nid=0x6374 waiting on condition`; a
// thread that carries a virtual one has the address only.
func (h *header) parseNative(tail []byte) (ok bool) {
	tid, tail := cutAt(tail, ' ')
	if h.tid, ok = parseAddress(tid); !ok {
		if h.tid, ok = parseHex(tid); !ok || !bytes.HasPrefix(tail, []byte("nid=0x")) {
			return false
		}
	}
	if !bytes.HasPrefix(tail, []byte("nid=")) {
		return h.hasStackAddress && (len(bytes.TrimSpace(tail)) == 0 || tail[0] == '_')
	}
	nid, tail := cutAt(tail[len("nid="):], ' ')
	if h.nativeID, ok = parseNativeID(nid); !ok {
		return false
	}
	// Threads that read lists of threads say so: " _threads_hazard_ptr=0x…".
	if i := bytes.IndexByte(tail, '_'); i > 0 && tail[i-1] == ' ' {
		tail = tail[:i-1]
	}
	h.condition = bytes.TrimSpace(tail)
	return true
}

// parseFigures reads `daemon prio=5 os_prio=0 cpu=0.15ms elapsed=1.31s
// allocated=200B defined_classes=0` from the right; each may be missing.
func (h *header) parseFigures(left []byte) []byte {
	rest, token := lastToken(left)
	for _, figure := range &figures {
		if len(token) <= len(figure.key) || string(token[:len(figure.key)]) != figure.key {
			continue
		}
		if !figure.set(h, token[len(figure.key):]) {
			if bytes.IndexByte(token, '"') >= 0 {
				break // it is the name's
			}
			h.unread = token
		}
		left = rest
		rest, token = lastToken(left)
	}
	if string(token) == "daemon" {
		left, h.daemon = rest, true
	}
	return left
}

// figures are those of a header, from the right.
var figures = [...]struct {
	key string
	set func(*header, []byte) bool
}{
	{"defined_classes=", func(h *header, b []byte) bool { return setInt(&h.classes, b) }},
	{"allocated=", func(h *header, b []byte) bool { return setBytes(&h.allocated, b) }},
	{"elapsed=", func(h *header, b []byte) bool { return setDuration(&h.elapsed, b) }},
	{"cpu=", func(h *header, b []byte) bool { return setDuration(&h.cpu, b) }},
	{"os_prio=", func(h *header, b []byte) bool { return setPriority(&h.osPriority, b) }},
	{"prio=", func(h *header, b []byte) bool { return setPriority(&h.priority, b) }},
}

// parseID reads `#21 [32650]`, the Java id and (21 and newer) the native id.
func (h *header) parseID(left []byte) ([]byte, bool) {
	rest, token := lastToken(left)
	if n := len(token); n > 2 && token[0] == '[' && token[n-1] == ']' {
		if id, ok := parseInt(token[1 : n-1]); ok {
			left = rest
			if h.nativeID == 0 {
				h.nativeID = id
			}
		}
	}
	i := bytes.LastIndexByte(left, '#')
	if i < 1 {
		return left, false
	}
	id, ok := parseInt(left[i+1:])
	if !ok {
		return left, false
	}
	h.id = id
	if left[i-1] == ' ' && i >= 2 && left[i-2] == '"' {
		return left[:i-1], true
	}
	// JDK 8 prints at most 1,999 bytes of `"name" `, then goes on with `#28`.
	return left[:i], i == jdk8NameLimit
}

// jdk8NameLimit is where JDK 8 cuts the name with its quotes.
const jdk8NameLimit = 1999

// takeName finds the name in `"name"`.
func (h *header) takeName(left []byte) {
	n := len(left)
	h.quoted = n > 0 && left[n-1] == '"'
	if h.quoted {
		left = left[:n-1]
	}
	h.opened = len(left) > 0 && left[0] == '"'
	if h.opened {
		left = left[1:]
	}
	h.name = left
}

// cutAt is bytes.Cut for one byte, which it looks for in a fifth of the time.
func cutAt(b []byte, sep byte) (before, after []byte) {
	if i := bytes.IndexByte(b, sep); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}

// lastToken cuts the last word off.
func lastToken(line []byte) (rest, token []byte) {
	i := bytes.LastIndexByte(line, ' ')
	if i < 0 {
		return line, nil
	}
	return line[:i], line[i+1:]
}

// lastIndexBefore is bytes.LastIndex for a text that starts with a blank.
func lastIndexBefore(line []byte, text string) int {
	for end := len(line); ; {
		i := bytes.LastIndexByte(line[:end], ' ')
		if i < 0 || len(line)-i >= len(text) && string(line[i:i+len(text)]) == text {
			return i
		}
		end = i
	}
}

const tidText = " tid=0x"

// isHotSpotHeader recognises a line with the address or native id of a thread: tid=0x…, nid=0x….
func isHotSpotHeader(line []byte) bool {
	return bytes.IndexByte(line, '=') >= 0 && // cheap, and false for most lines
		(bytes.Contains(line, []byte(tidText)) || bytes.Contains(line, []byte(" nid=0x")))
}

// looksLikeHeader recognises a line that seems to begin a thread and could not be read: a name
// in quotes with what only headers have behind it.
func looksLikeHeader(line []byte) bool {
	if len(line) == 0 || line[0] != '"' {
		return false
	}
	end := bytes.LastIndexByte(line, '"')
	rest, marks := line[end+1:], 0
	for _, mark := range [...]string{" prio=", " tid=", " nid=", " os_prio=", " Id=", " id=", " state=", " daemon"} {
		if bytes.Contains(rest, []byte(mark)) {
			marks++
		}
	}
	return end > 0 && marks >= 2
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
