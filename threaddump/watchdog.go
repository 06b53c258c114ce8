package threaddump

import "bytes"

// watchdogInfo is the form that the watchdogs of Minecraft servers (Spigot, Paper) write to
// the log, first that of the server's thread, then those of all threads, that one among them:
//
//	[20:04:57 ERROR]: The server has not responded for 10 seconds! Creating thread dump
//	[20:04:57 ERROR]: Server thread dump (Look for plugins here before reporting to Paper!):
//	[20:04:57 ERROR]: Current Thread: Server thread
//	[20:04:57 ERROR]: 	PID: 43 | Suspended: false | Native: false | State: WAITING
//	[20:04:57 ERROR]: 	Thread is waiting on monitor(s):
//	[20:04:57 ERROR]: 		Locked on:com.acme.World.load(World.java:12)
//	[20:04:57 ERROR]: 	Stack:
//	[20:04:57 ERROR]: 		sun.misc.Unsafe.park(Native Method)
//
// Cauldron and Thermos have " | Blocked Time: -1 | Blocked Count: 8" after the state. The number is the Java thread id.
// The form names only the frame that has a lock, so no lock is read.
var watchdogInfo = &infoForm{cut: cutWord("Current Thread: "), header: watchdogHeader, body: watchdogLine, bare: true,
	ends: isWatchdogReport}

func watchdogHeader(text []byte, h *infoHeader) bool {
	name, ok := bytes.CutPrefix(text, []byte("Current Thread: "))
	*h = infoHeader{name: name}
	return ok && len(name) > 0
}

func watchdogLine(s *infoDump, text []byte) bool {
	switch {
	case bytes.HasPrefix(text, []byte("PID: ")):
		return s.watchdogThread(text[len("PID: "):])
	case bytes.HasPrefix(text, []byte("Locked on:")), string(text) == "Stack:",
		bytes.HasPrefix(text, []byte("Thread is waiting on monitor")), len(bytes.Trim(text, "-")) == 0:
	default:
		return false
	}
	return true
}

// watchdogThread reads the id and the state of a thread. One that was listed already is left out.
func (s *infoDump) watchdogThread(text []byte) bool {
	if id, ok := parseInt(text[:spanOf(text, isDigit)]); ok && id > 0 {
		delete(s.ids.taken, s.cur.ID)
		if s.ids.taken[id] {
			s.cur = nil
			s.takeBack(s.d)
			s.skipped = true
			return true
		}
		s.cur.ID, s.ids.taken[id] = id, true
	}
	if i := bytes.LastIndex(text, []byte("State: ")); i >= 0 {
		state, _, _ := bytes.Cut(text[i+len("State: "):], []byte(" | "))
		s.cur.State, _, _ = parseState(state, s.in)
	}
	if len(s.d.Threads) == 1 {
		s.cur.Stuck = s.in.string(s.report.words(s.lineNo()))
	}
	return true
}

func isWatchdogReport(text []byte) bool {
	return len(cutWatchdogReport(text)) > 0 || len(cutLastTick(text)) > 0
}
