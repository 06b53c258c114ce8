package threaddump

import "bytes"

// consoleInfo is what the tab of threads of JConsole shows, and its MBeans page too, copied thread by thread:
//
//	Name: pump-1
//	State: BLOCKED on com.acme.Valve@3337df owned by: pump-2
//	Total blocked: 1  Total waited: 1
//
//	Stack trace:
//	com.acme.Valve.close(Valve.java:96)
//	   - locked com.acme.Gauge@173e7e5
//	com.acme.Pump.run(Pump.java:14)
//
// There are no ids; the owner has its name alone. (sun.tools.jconsole.ThreadTab)
var consoleInfo = &infoForm{cut: cutWord("Name: "), header: consoleHeader, body: consoleLine, bare: true,
	second: isConsoleState}

func consoleHeader(text []byte, h *infoHeader) bool {
	name, ok := bytes.CutPrefix(text, []byte("Name: "))
	*h = infoHeader{name: name}
	return ok && len(name) > 0
}

func isConsoleState(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("State: "))
	word, _ := cutAt(rest, ' ')
	_, _, known := parseState(word, nil)
	return ok && known
}

func consoleLine(s *infoDump, text []byte) bool {
	switch {
	case isConsoleState(text):
		s.consoleState(text[len("State: "):])
	case bytes.HasPrefix(text, []byte("Total blocked: ")), bytes.HasPrefix(text, []byte("Stack trace:")):
	default:
		return false
	}
	return true
}

// consoleState reads "BLOCKED on com.acme.Valve@3337df owned by: pump-2".
func (s *infoDump) consoleState(text []byte) {
	word, rest := cutAt(text, ' ')
	s.cur.State, _, _ = parseState(word, s.in)
	object, owner, owned := bytes.Cut(rest, []byte(" owned by: "))
	if l, ok := objectIn(object, s.in); ok {
		s.wants(l)
	}
	if owned {
		s.owners[len(s.d.Threads)-1] = string(owner)
	}
}
