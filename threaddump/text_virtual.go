package threaddump

import "bytes"

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
