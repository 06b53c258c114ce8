package threaddump

import (
	"bytes"
)

// narrowest is the width of the narrowest screen whose cut headers are read.
const narrowest = 60

// parseCutHeader reads a header that ends at the edge of a screen, as copies of terminals have it; all of them end
// there that are longer:
//
//	"exporter-1" #21 daemon prio=5 os_prio=0 tid=0x00007f3a00015000 nid=0x
//
// What is cut is left out, figures at the edge too: their end may be missing.
func parseCutHeader(line []byte, h *header) bool {
	*h = header{}
	left := line
	if i := lastIndexBefore(line, " tid="); i >= 0 {
		address, rest := cutAt(line[i+len(" tid="):], ' ')
		if rest != nil {
			h.tid, _ = parseBareAddress(address)
			if h.tid == 0 || !bytes.HasPrefix([]byte("nid="), rest[:min(len(rest), len("nid="))]) {
				return false
			}
		}
		left = line[:i]
	} else {
		var last []byte
		left, last = lastToken(line)
		if !mayBeCut(last) {
			return false
		}
	}
	left = h.parseFigures(bytes.TrimRight(left, " "))
	left, java := h.parseID(left)
	h.takeName(left)
	return h.opened && h.quoted && h.unread == nil && (java || h.priority != 0) && bytes.IndexByte(h.name, '"') < 0
}

// mayBeCut recognises a word of a header whose end may be missing.
func mayBeCut(word []byte) bool {
	for _, key := range [...]string{
		"prio=", "os_prio=", "cpu=", "elapsed=", "allocated=", "defined_classes=", "tid=0x", "daemon",
	} {
		n := min(len(key), len(word))
		if n > 0 && string(word[:n]) == key[:n] {
			return true
		}
	}
	return false
}

func isBelowHeader(text []byte) bool {
	return len(text) == 0 || isStateLine(text) || isFrameLine(text) || bytes.HasPrefix(text, stateText) ||
		bytes.HasPrefix(text, []byte("at "))
}
