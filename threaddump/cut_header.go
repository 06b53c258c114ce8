package threaddump

import (
	"bytes"
	"unicode/utf8"
)

// narrowest is the width of the narrowest screen whose cut headers are read.
const narrowest = 60

// parseCutHeader reads a header that ends at the edge of a screen, as copies of terminals have it; all of them end
// there that are longer:
//
//	"exporter-1" #21 daemon prio=5 os_prio=0 tid=0x00007f3a00015000 nid=0x
//
// What is cut is left out, figures that stand at the edge too: their end may be missing.
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

// cutHeadWidth is the width in columns of a dump's head that the edge of a screen cut behind its version, zero if it is
// whole or not a head:
//
//	Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode,
func cutHeadWidth(line []byte) int {
	width := utf8.RuneCount(line)
	i := bytes.LastIndex(line, []byte(" VM ("))
	if i < 0 || width < narrowest || bytes.IndexByte(line[i:], ')') >= 0 {
		return 0
	}
	version := line[i+len(" VM ("):]
	if len(version) == 0 || !isDigit(version[0]) {
		return 0
	}
	return width
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

// beginCut begins the thread of a header that the edge of a screen cut: the first one gives the width, all others are
// as wide. Under it is a state or a frame, or nothing.
func (t *textDump) beginCut(line []byte) bool {
	width := utf8.RuneCount(line)
	if width < narrowest || t.cutWidth != 0 && width != t.cutWidth || !parseCutHeader(line, &t.h) ||
		!t.nextIs(isBelowHeader) {
		return false
	}
	if t.smr.closed && t.h.tid != 0 && !t.listed(&t.h) {
		return false
	}
	number := t.lineNo()
	t.cutAt(line, width)
	t.begin(&t.h, number)
	t.cur.Stackless = false
	return true
}

// cutAt notes the width at which the dump's lines are cut.
func (t *textDump) cutAt(line []byte, width int) {
	if t.cutWidth == 0 {
		t.problem(line, "headers are cut at the edge of a screen: native ids and more are missing")
	}
	t.cutWidth, t.d.CutAt = width, width
}

func isBelowHeader(text []byte) bool {
	return len(text) == 0 || isStateLine(text) || isFrameLine(text) || bytes.HasPrefix(text, stateText) ||
		bytes.HasPrefix(text, []byte("at "))
}
