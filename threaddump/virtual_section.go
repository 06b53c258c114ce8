package threaddump

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// virtualSection reads the virtual threads that jstall read from the JVM's memory, which follow a
// text dump or are an entry of their own:
//
//	Virtual threads of 0x00007f3c1c002a40: 1028 found, 1025 read
//
//	"order-7" #4711 virtual PARKED
//	   java.lang.Thread.State: WAITING (parking)
//		at java.lang.VirtualThread.park(java.base@25.0.5/VirtualThread.java:664)
//		- parking to wait for  <0x000000069ec17bc0> (a com.acme.Lock$Sync) owned by #35
//	   Locked monitors:
//		- <0x000000069ec17bd0> (a com.acme.Order)
//	   Locked ownable synchronizers:
//		- <0x000000069ec17be0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
//
//	"" #4712 virtual PINNED carrier=#35 scope=#1
//	   Container: java.util.concurrent.ThreadPerTaskExecutor@0x000000069ec00000
//	   java.lang.Thread.State: RUNNABLE
//	   Alike: 4999
//	   Stack unknown: it runs Java code
//
//	Virtual threads end
//
// Behind a text dump it counts only with the address of that dump's list of threads: Java code
// does not know the address, so no name of a thread can begin a section. Names of threads and
// containers have \uXXXX for control characters and backslashes, so none can end a line.
type virtualSection struct {
	open bool
	// monitors is true under "Locked monitors:".
	monitors bool
}

const (
	virtualBegin = "Virtual threads of 0x"
	virtualEnd   = "Virtual threads end"
	monitorsText = "Locked monitors:"
)

// virtualHead is the first line of a section.
type virtualHead struct {
	list        uint64
	found, read int64
	reason      []byte
}

// parseVirtualHead reads "Virtual threads of 0x00007f3c1c002a40: 1028 found, 1025 read; REASON".
func parseVirtualHead(line []byte) (h virtualHead, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(virtualBegin))
	if !ok {
		return h, false
	}
	address, rest, _ := bytes.Cut(rest, []byte(": "))
	found, rest, _ := bytes.Cut(rest, []byte(" found, "))
	read, reason, _ := bytes.Cut(rest, []byte(" read"))
	var isAddress, isFound, isRead bool
	h.list, isAddress = parseHex(address)
	h.found, isFound = parseInt(found)
	h.read, isRead = parseInt(read)
	reason, hasReason := bytes.CutPrefix(reason, []byte("; "))
	h.reason = reason
	return h, isAddress && len(address) == 16 && isFound && isRead && (hasReason || len(reason) == 0)
}

// virtualLine reads a line if it begins a virtual section of this dump, or is of one; false if it is neither.
func (t *textDump) virtualLine(line []byte) bool {
	switch {
	case t.section == inVirtual:
		t.sectionOfVirtual(line)
	case len(line) > len(virtualBegin) && line[0] == virtualBegin[0]:
		h, ok := parseVirtualHead(line)
		if !ok || h.list == 0 || !t.smr.closed || t.smr.smr.List != h.list || t.d.VirtualListed {
			return false
		}
		t.beginVirtual(h)
	default:
		return false
	}
	return true
}

func (t *textDump) beginVirtual(h virtualHead) {
	t.enter(inVirtual)
	t.foreign.atEnd()
	t.virtual = virtualSection{open: true}
	t.d.VirtualListed, t.d.VirtualFound, t.d.VirtualMissing = true, int(h.found), string(h.reason)
}

// sectionOfVirtual reads a line of the section.
func (t *textDump) sectionOfVirtual(line []byte) {
	switch {
	case len(line) == 0:
		t.open, t.lostBody = false, false
	case string(line) == virtualEnd:
		t.virtual.open = false
		t.enter(inTrailer)
	case line[0] == '"':
		t.virtualHeader(line)
	case t.cur != nil && t.virtualBody(line):
	case t.nextHead(line) || t.done:
	default:
		t.remember(line)
		if _, isTime := parseTime(line); !isTime && !t.lostBody {
			t.problem(line, "no line of a list of virtual threads")
		}
	}
}

// virtualBody reads a line that only virtual threads have, or one that all threads may have.
func (t *textDump) virtualBody(line []byte) bool {
	if len(t.frames) == 0 {
		t.cur.StackLine = t.lineNo() + 1 // if it is the last line before the frames
	}
	text := bytes.TrimLeft(line, " \t")
	if rest, ok := bytes.CutPrefix(text, []byte("Container: ")); ok {
		t.cur.Container = t.in.string(unescaped(rest))
		return true
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Condition: ")); ok {
		t.cur.Condition = t.in.string(rest)
		return true
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Alike: ")); ok {
		n, ok := parseInt(rest)
		t.cur.Alike = int(min(n, maxAlike))
		return ok
	}
	if string(text) == monitorsText {
		t.virtual.monitors = true
		return true
	}
	if string(text) == ownedText {
		t.virtual.monitors = false
		return true
	}
	before := len(t.locks)
	if !t.bodyLine(line) {
		return false
	}
	if t.virtual.monitors && len(t.locks) > before && t.locks[before].Op == OwnsSynchronizer {
		t.locks[before].Op = Locked
	}
	return true
}

// virtualHeader begins the thread of a line such as `"order-7" #4711 virtual PINNED carrier=#35 scope=#1`.
func (t *textDump) virtualHeader(line []byte) {
	t.endThread()
	t.virtual.monitors, t.lostBody = false, false
	var h Thread
	name, ok := parseVirtualHeader(line, &h)
	if !ok && t.src.unended {
		t.endsInside(line, "header")
		return
	}
	if !ok {
		t.lost(line)
		t.lostBody = true
		return
	}
	t.boundDump(len(t.d.Threads), 0)
	th := t.newThread(t.d, 0)
	th.Name = t.in.threadName(unescaped(name))
	th.Virtual, th.ID, th.Line = true, h.ID, t.lineNo()
	th.VirtualState, th.Carrier, th.ScopeOwner = h.VirtualState, h.Carrier, h.ScopeOwner
	t.cur, t.open = th, true
}

// parseVirtualHeader sets what a header says but for the name, which it returns as it is in the line.
func parseVirtualHeader(line []byte, h *Thread) (name []byte, ok bool) {
	end := bytes.LastIndex(line, []byte(`" #`))
	if end < 1 {
		return nil, false
	}
	name = line[1:end]
	id, rest := cutAt(line[end+len(`" #`):], ' ')
	if h.ID, ok = parseInt(id); !ok || h.ID == 0 {
		return nil, false
	}
	word, rest := cutAt(rest, ' ')
	if string(word) != "virtual" {
		return nil, false
	}
	word, rest = cutAt(rest, ' ')
	if h.VirtualState, ok = parseVirtualState(word); !ok {
		return nil, false
	}
	for len(rest) > 0 {
		word, rest = cutAt(rest, ' ')
		key, value, _ := bytes.Cut(word, []byte("=#"))
		number, isNumber := parseInt(value)
		switch {
		case !isNumber:
			return nil, false
		case string(key) == "carrier":
			h.Carrier = number
		case string(key) == "scope":
			h.ScopeOwner = number
		}
	}
	return name, true
}

// virtualStates are the constants of java.lang.VirtualThread.
var virtualStates = [...]string{
	"NEW", "STARTED", "RUNNING", "PARKING", "PARKED", "PINNED", "TIMED_PARKING", "TIMED_PARKED", "TIMED_PINNED",
	"UNPARKED", "YIELDING", "YIELDED", "BLOCKING", "BLOCKED", "UNBLOCKED", "WAITING", "WAIT", "TIMED_WAITING",
	"TIMED_WAIT", "TERMINATED",
}

// parseVirtualState returns one of virtualStates, or nothing for "UNKNOWN".
func parseVirtualState(word []byte) (string, bool) {
	i := slices.Index(virtualStates[:], string(word))
	if i < 0 {
		return "", string(word) == "UNKNOWN"
	}
	return virtualStates[i], true
}

// cutOwner takes ` owned by #35` off the end of a line of a lock; 0 if it is not there.
func cutOwner(text []byte) (rest []byte, owner int64) {
	n := len(text)
	if n == 0 || !isDigit(text[n-1]) {
		return text, 0
	}
	i := bytes.LastIndex(text, []byte(" owned by #"))
	if i < 0 {
		return text, 0
	}
	owner, ok := parseInt(text[i+len(" owned by #"):])
	if !ok {
		return text, 0
	}
	return text[:i], owner
}

// unescaped replaces \uXXXX by the character; other backslashes stay.
func unescaped(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		c, ok := escape(b)
		if !ok {
			out, b = append(out, b[0]), b[1:]
			continue
		}
		b = b[escapeLength:]
		if low, ok := escape(b); ok && utf16.DecodeRune(c, low) != utf8.RuneError {
			c, b = utf16.DecodeRune(c, low), b[escapeLength:]
		}
		out = utf8.AppendRune(out, c)
	}
	return out
}

const escapeLength = len(`\u0000`)

// escape is the character of an escape sequence at the beginning of b.
func escape(b []byte) (rune, bool) {
	if len(b) < escapeLength || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	v, ok := parseHex(b[2:escapeLength])
	return rune(v), ok
}
