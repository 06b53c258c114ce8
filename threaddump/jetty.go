package threaddump

import "bytes"

// jettyInfo are the threads of a QueuedThreadPool in Jetty's dump of a server (dumpAfterStart,
// JMX), with the innermost frame, or with all of detailedDump; other threads are not in it:
//
//	|  +> threads size=8
//	|     +> qtp1194893830-32 TIMED_WAITING tid=32 prio=5 IDLE                            10 and newer
//	|     +> qtp1194893830-31 WAITING tid=31 prio=3 @ java.base/jdk.internal.misc.Unsafe.park(Native Method)
//	|     |  +> java.base/sun.nio.ch.EPoll.wait(Native Method)
//	|     +> 12 qtp1698097425-12 IDLE TIMED_WAITING @ java.base@11.0.5/jdk.internal.misc.Unsafe.park(…)   9.4
//	 |   +- 18 qtp1234-18 RUNNABLE                                                        9
var jettyInfo = &infoForm{cut: cutJetty, header: jettyHeader, body: jettyLine}

// jettyID is before the id of a thread. A pool that the program named has no "qtp" in the names of its threads:
//
//	|  |  +> claims-17 RUNNABLE tid=17 prio=5 SELECTING
const jettyID = " tid="

// cutJetty finds the tree's branch at which a thread of a pool is.
func cutJetty(line []byte) int {
	if i := bytes.IndexByte(line, '+'); i < 0 || i > maxPrefix ||
		!bytes.Contains(line, []byte("qtp")) && !bytes.Contains(line, []byte(jettyID)) {
		return -1
	}
	return 0
}

func jettyHeader(text []byte, h *infoHeader) bool {
	text, ok := cutBranch(text)
	if !ok {
		return false
	}
	*h = infoHeader{}
	if n := spanOf(text, isDigit); n > 0 && n < len(text) && text[n] == ' ' {
		h.id, _ = parseInt(text[:n])
		text = text[n+1:]
	}
	if !bytes.HasPrefix(text, []byte("qtp")) && !bytes.Contains(text, []byte(jettyID)) {
		return false
	}
	name, rest, found := text, []byte(nil), false
	for at := bytes.IndexByte(text, ' '); at > 0 && !found; {
		word, _ := cutAt(text[at+1:], ' ')
		if h.state, found = stateOf(word); found {
			name, rest = text[:at], text[at+1+len(word):]
			break
		}
		next := bytes.IndexByte(text[at+1:], ' ')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	h.name = trimJettyMark(name)
	if i := bytes.Index(rest, []byte(jettyID)); i >= 0 && h.id == 0 {
		digits := rest[i+len(jettyID):]
		h.id, _ = parseInt(digits[:spanOf(digits, isDigit)])
	}
	if _, frame, ok := bytes.Cut(rest, []byte(" @ ")); ok {
		end := bytes.IndexByte(frame, ')')
		h.frame = frame[:end+1]
	}
	return found && h.id > 0
}

// trimJettyMark takes what the pool says of a thread from the end of its name.
func trimJettyMark(name []byte) []byte {
	for _, mark := range [...]string{" IDLE", " SELECTING", " ACCEPTING", " RESERVED"} {
		name = bytes.TrimSuffix(name, []byte(mark))
	}
	return name
}

// cutBranch takes the drawing of a tree from a line.
func cutBranch(text []byte) ([]byte, bool) {
	i := bytes.IndexByte(text, '+')
	if i < 0 || len(text) < i+3 || bytes.IndexByte([]byte("->=~@:"), text[i+1]) < 0 ||
		len(bytes.Trim(text[:i], " |\t")) > 0 {
		return nil, false
	}
	return bytes.TrimLeft(text[i+2:], " "), true
}

// jettyLine reads a frame: of the thread's own line, or a branch under it.
func jettyLine(s *infoDump, text []byte) bool {
	text, ok := cutBranch(text)
	if !ok {
		return false
	}
	if !s.bareFrame(text) {
		s.end()
	}
	return true
}
