package threaddump

import "bytes"

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
//	UI freeze of 24s at 09:41:03.871                                       Eclipse
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
	return append(append(append(stuck, " (no tick for "...), tick...), ')')
}

// watchdogReports are what the first line of a report has.
var watchdogReports = [...][]byte{[]byte("has not responded for "), []byte("has stopped responding")}

// cutWatchdogReport returns "has not responded for 10 seconds" of a report's first line.
func cutWatchdogReport(text []byte) []byte {
	for _, words := range watchdogReports {
		if i := bytes.Index(text, words); i >= 0 {
			words, _ := cutAt(text[i:], '!')
			return bytes.TrimRight(words, ". ")
		}
	}
	return cutFreeze(text)
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
