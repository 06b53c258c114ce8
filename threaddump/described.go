package threaddump

import (
	"bytes"
	"regexp"
	"sync"
)

// describedInfo are the samples that the monitor of a user interface writes while its thread handles no events:
//
//	!MESSAGE UI freeze of 24s at 09:41:03.871                         Eclipse (org.eclipse.ui.monitoring)
//	!MESSAGE Sample at 09:41:08.874 (+5.003s)
//	Thread 'main' tid=1 (RUNNABLE)
//	Waiting for: com.acme.Model@71f (lock owner: 'Worker-3' tid=41)
//	!STACK 0
//	Stack Trace
//		at java.base@17.0.9/sun.nio.ch.Net.poll(Native Method)
//
// The thread below the message is the one that is reported. Other threads may follow.
var describedInfo = &infoForm{cut: cutDescribed, header: describedHeader, body: describedLine, sparse: true,
	series: true, begun: frozenThread}

var describedShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[ \]])Thread '(.{1,300})' tid=(\d{1,18}) \(([A-Z_]+)\)$`)
})

func cutDescribed(line []byte) int {
	if !bytes.Contains(line, []byte("Thread '")) {
		return -1
	}
	m := describedShape().FindSubmatchIndex(bytes.TrimRight(line, " \t\r"))
	if m == nil || m[2] > maxPrefix {
		return -1
	}
	return m[2] - len("Thread '")
}

func describedHeader(text []byte, h *infoHeader) bool {
	*h = infoHeader{}
	if cutDescribed(text) < 0 {
		return false
	}
	m := describedShape().FindSubmatch(text)
	var state, id bool
	h.name = m[1]
	h.id, id = parseInt(m[2])
	h.state, state = stateOf(m[3])
	return id && state
}

// describedLine reads what the thread waits for, and passes over the headings of its stack.
func describedLine(s *infoDump, text []byte) bool {
	if rest, ok := bytes.CutPrefix(text, []byte("Waiting for: ")); ok {
		object, owner, _ := bytes.Cut(rest, []byte(" "))
		if class, hash, ok := cutIdentity(object); ok {
			l := Lock{Class: s.in.string(class), Address: hash}
			if _, id, found := bytes.Cut(owner, []byte(" tid=")); found {
				l.Owner, _ = parseInt(id[:spanOf(id, isDigit)])
			}
			s.wants(l)
		}
		return true
	}
	return len(s.frames) == 0 && (bytes.HasPrefix(text, []byte("!STACK ")) || string(text) == "Stack Trace")
}

// frozenThread keeps what the message above the first thread reports for all samples of that thread.
func frozenThread(s *infoDump) {
	if words := s.report.words(s.lineNo()); len(words) > 0 {
		s.frozen, s.frozenWords = s.cur.Name, s.in.string(words)
	}
	if s.cur.Name == s.frozen {
		s.cur.Stuck = s.frozenWords
	}
}
