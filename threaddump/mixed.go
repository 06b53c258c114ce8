package threaddump

import "bytes"

// mixedInfo is the form of jstack -m, native frames with those of Java among them, which have a
// star; there are no names, states and locks, and threads of the JVM's own are those without a
// frame of Java:
//
//	----------------- 27941 -----------------
//	0x00007f2a4b3c1d2f	__pthread_cond_wait + 0xcf
//	0x00007f2a4a6e0f0d	* java.lang.Object.wait(long) bci:0 (Interpreted frame)
//	0x00007f2a4a6e0f51	* a.B.c() bci:2 line:503 (Interpreted frame)
//
// (sun.jvm.hotspot.tools.PStack). The native frames are left out.
var mixedInfo = &infoForm{cut: cutWord("----------------- "), header: mixedHeader, body: mixedLine}

func mixedHeader(text []byte, h *infoHeader) bool {
	rest, ok := bytes.CutPrefix(text, []byte("----------------- "))
	n := spanOf(rest, isDigit)
	if !ok || n == 0 || string(rest[n:]) != " -----------------" {
		return false
	}
	*h = infoHeader{name: append([]byte("Thread "), rest[:n]...)}
	h.native, ok = parseInt(rest[:n])
	return ok && h.native > 0
}

func mixedLine(s *infoDump, text []byte) bool {
	address, rest := cutAt(text, '\t')
	if _, ok := parseAddress(address); !ok {
		return false
	}
	frame, isJava := bytes.CutPrefix(bytes.TrimSpace(rest), []byte("* "))
	if isJava && bytes.Contains(frame, []byte(") bci:")) {
		frame = bytes.Replace(frame, []byte(") bci:"), []byte(") @bci="), 1)
		s.frame(bytes.Replace(frame, []byte(" line:"), []byte(", line="), 1))
		s.cur.Unnumbered = true
		s.cur.State, s.cur.StateDetail = waitByStack(s.frames)
	}
	return true
}
