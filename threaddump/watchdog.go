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

// watchdogReport is what the lines above the threads report, with the number of the newest of these lines.
type watchdogReport struct {
	stuck, tick []byte
	line        int
}

// reportLines bounds the lines from a report to its first thread: Spigot writes about twelve.
const reportLines = 60

// note keeps what a line reports:
//
//	The server has not responded for 10 seconds! Creating thread dump      Paper
//	The server has stopped responding!                                     Spigot
//	The server is going slow. Last server tick was 61204ms ago             Cauldron, Thermos
func (w *watchdogReport) note(line []byte, number int) {
	stuck, tick := cutWatchdogReport(line), cutLastTick(line)
	if len(stuck) == 0 && len(tick) == 0 {
		return
	}
	if len(stuck) > 0 {
		w.stuck, w.tick = append(w.stuck[:0], stuck...), w.tick[:0]
	} else {
		w.tick = append(w.tick[:0], tick...)
	}
	w.line = number
}

// words returns what is reported for the thread in a line, empty if there is no report, and forgets it.
func (w *watchdogReport) words(number int) []byte {
	stuck, tick := w.stuck, w.tick
	near := number-w.line <= reportLines
	*w = watchdogReport{}
	switch {
	case !near:
		return nil
	case len(tick) == 0:
		return stuck
	case len(stuck) == 0:
		return append([]byte("has completed no tick for "), tick...)
	}
	return append(append(stuck, ": no tick for "...), tick...)
}

// watchdogReports are what the first line of a report has.
var watchdogReports = [...][]byte{[]byte("has not responded for "), []byte("has stopped responding")}

func isWatchdogReport(text []byte) bool {
	return len(cutWatchdogReport(text)) > 0 || len(cutLastTick(text)) > 0
}

// cutWatchdogReport returns "has not responded for 10 seconds" of a report's first line.
func cutWatchdogReport(text []byte) []byte {
	for _, words := range watchdogReports {
		if i := bytes.Index(text, words); i >= 0 {
			words, _ := cutAt(text[i:], '!')
			return bytes.TrimRight(words, ". ")
		}
	}
	return nil
}

// cutLastTick returns "61204 ms" of "Last server tick was 61204ms ago".
func cutLastTick(text []byte) []byte {
	_, rest, ok := bytes.Cut(text, []byte("Last server tick was "))
	n := spanOf(rest, isDigit)
	if !ok || n == 0 || !bytes.HasPrefix(bytes.TrimLeft(rest[n:], " "), []byte("ms ago")) {
		return nil
	}
	return append(bytes.Clone(rest[:n]), " ms"...)
}
