package threaddump

import "bytes"

// hadoopInfo is the form of Hadoop's /stacks, of HBase and of others that took over
// ReflectionUtils.printThreadInfo; frames are alone, at most 20 of them, and no locks that
// are held:
//
//	Process Thread Dump: jsp requested
//	5 active threads
//	Thread 61 (IPC Server handler 3 on 9820):
//	  State: BLOCKED
//	  Blocked count: 1190
//	  Waited count: 20112
//	  Blocked on com.acme.store.Inventory@3b1d04f2
//	  Blocked by 74 (replica-monitor)
//	  Stack:
//	    com.acme.store.Inventory.lookup(Inventory.java:81)
var hadoopInfo = &infoForm{cut: cutWord("Thread "), header: hadoopHeader, body: hadoopLine, bare: true}

// cutWord finds a word that begins a line, or that a logger's prefix ends before.
func cutWord(word string) func([]byte) int {
	return func(line []byte) int {
		i := bytes.Index(line, []byte(word))
		if i > maxPrefix || i > 0 && line[i-1] != ' ' && line[i-1] != '\t' {
			return -1
		}
		return i
	}
}

func hadoopHeader(text []byte, h *infoHeader) bool {
	rest, ok := bytes.CutPrefix(text, []byte("Thread "))
	n := spanOf(rest, isDigit)
	if !ok || n == 0 || !bytes.HasPrefix(rest[n:], []byte(" (")) || !bytes.HasSuffix(rest, []byte("):")) {
		return false
	}
	for _, other := range [...]string{"(state = ", "(Thread 0x", "(LWP "} { // jstack -F, and gdb
		if bytes.HasPrefix(rest[n+1:], []byte(other)) {
			return false
		}
	}
	*h = infoHeader{name: rest[n+2 : len(rest)-2]}
	h.id, ok = parseInt(rest[:n])
	return ok && h.id > 0
}

func hadoopLine(s *infoDump, text []byte) bool {
	for _, line := range [...]struct {
		begin string
		read  func(*infoDump, []byte)
	}{
		{"State: ", func(s *infoDump, rest []byte) { s.cur.State, _, _ = parseState(rest, s.in) }},
		{"Blocked on ", (*infoDump).wantsObject}, {"Waiting on ", (*infoDump).wantsObject},
		{"Blocked by ", func(s *infoDump, rest []byte) {
			digits := spanOf(rest, isDigit)
			id, _ := parseInt(rest[:digits])
			name := bytes.TrimSuffix(bytes.TrimPrefix(rest[digits:], []byte(" (")), []byte(")"))
			for i := range s.locks {
				s.locks[i].Owner, s.locks[i].OwnerName = id, s.in.string(name)
			}
		}},
		{"Blocked count:", nil}, {"Waited count:", nil}, {"Blocked time:", nil}, {"Waited time:", nil}, {"Stack:", nil},
	} {
		if rest, ok := bytes.CutPrefix(text, []byte(line.begin)); ok {
			if line.read != nil {
				line.read(s, rest)
			}
			return true
		}
	}
	return false
}

// wantsObject reads what a thread waits for where that is on a separate line.
func (s *infoDump) wantsObject(text []byte) {
	if l, ok := objectIn(text, s.in); ok {
		s.wants(l)
	}
}
