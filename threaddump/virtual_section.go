package threaddump

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// virtualSection reads the virtual threads that jstall read from the JVM's memory, which follow a
// text dump or are a separate entry:
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
