package threaddump

import "bytes"

// watchdogInfo is the form that the watchdogs of Minecraft servers (Spigot, Paper) write to
// the log:
//
//	[20:04:57 ERROR]: Current Thread: Server thread
//	[20:04:57 ERROR]: 	PID: 43 | Suspended: false | Native: false | State: WAITING
//	[20:04:57 ERROR]: 	Thread is waiting on monitor(s):
//	[20:04:57 ERROR]: 		Locked on:com.acme.World.load(World.java:12)
//	[20:04:57 ERROR]: 	Stack:
//	[20:04:57 ERROR]: 		sun.misc.Unsafe.park(Native Method)
//
// The number is the Java thread id. What is locked is told by the frame alone, so no lock
// comes out of it.
var watchdogInfo = &infoForm{cut: cutWord("Current Thread: "), header: watchdogHeader, body: watchdogLine, bare: true}

func watchdogHeader(text []byte, h *infoHeader) bool {
	name, ok := bytes.CutPrefix(text, []byte("Current Thread: "))
	*h = infoHeader{name: name}
	return ok && len(name) > 0
}

func watchdogLine(s *infoDump, text []byte) bool {
	switch {
	case bytes.HasPrefix(text, []byte("PID: ")):
		rest := text[len("PID: "):]
		if id, ok := parseInt(rest[:spanOf(rest, isDigit)]); ok && id > 0 && !s.ids.taken[id] {
			delete(s.ids.taken, s.cur.ID)
			s.cur.ID, s.ids.taken[id] = id, true
		}
		if i := bytes.LastIndex(rest, []byte("State: ")); i >= 0 {
			s.cur.State, _, _ = parseState(rest[i+len("State: "):], s.in)
		}
	case bytes.HasPrefix(text, []byte("Locked on:")), string(text) == "Stack:",
		bytes.HasPrefix(text, []byte("Thread is waiting on monitor")), len(bytes.Trim(text, "-")) == 0:
	default:
		return false
	}
	return true
}
