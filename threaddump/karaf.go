package threaddump

import "bytes"

// karafInfo is what Karaf's shell prints of one thread, threads ID; its list of all threads
// is of quotedInfo:
//
//	Thread 25 qtp1-25 WAITING
//	Stacktrace:
//	jdk.internal.misc.Unsafe.park line: -2
//	com.acme.Desk.move line: 9
var karafInfo = &infoForm{cut: cutWord("Thread "), header: karafHeader, body: karafLine}

func karafHeader(text []byte, h *infoHeader) bool {
	rest, ok := bytes.CutPrefix(text, []byte("Thread "))
	n := spanOf(rest, isDigit)
	last := bytes.LastIndexByte(rest, ' ')
	if !ok || n == 0 || last <= n {
		return false
	}
	*h = infoHeader{name: rest[n+1 : last]}
	h.id, _ = parseInt(rest[:n])
	h.state, ok = stateOf(rest[last+1:])
	return ok && h.id > 0 && rest[n] == ' '
}

func karafLine(s *infoDump, text []byte) bool {
	if string(text) == "Stacktrace:" {
		return true
	}
	i := bytes.LastIndex(text, []byte(" line: "))
	if i < 1 || bytes.IndexByte(text[:i], ' ') >= 0 {
		return false
	}
	place := "(Unknown Source)"
	number := text[i+len(" line: "):]
	if string(number) == "-2" {
		place = "(Native Method)"
	} else if _, ok := parseInt(number); ok {
		class := text[:max(bytes.LastIndexByte(text[:i], '.'), 0)]
		file, _ := cutAt(class[bytes.LastIndexByte(class, '.')+1:], '$')
		place = "(" + string(file) + ".java:" + string(number) + ")"
	}
	s.frame(append(bytes.Clone(text[:i]), place...))
	return true
}
