package threaddump

import (
	"bytes"
	"slices"
)

// Watchdogs, pools, transaction managers and detectors of slow operations write a stack into a log, under a message
// of what it is:
//
//	2026-11-03 17:22:52,007 [Detector] WARN  SlowOperationDetector - Slow operation detected: PutOperation
//	java.base@21/java.lang.Object.wait0(Native Method)
//		app//com.acme.radar.Store.load(Store.java:52)
//
// Exceptions have their class above the frames, and are not meant. A java.lang.Throwable is: it is made to record a
// stack. Such a log is no dump unless the message names the thread and for how long it has been so (see stuckInfo).
// Its refusal has the message and the place.

// quoteFinder looks for the first such stack in lines that are no part of a dump.
type quoteFinder struct {
	// above are the newest lines before the stack.
	above [6][]byte
	// block has these lines and those of the stack, while frames come.
	block   []byte
	inStack bool
	stackAt int // where in the block the frames begin
	// found has the lines of the first quoted stack from its message on, nil if there was none yet.
	found [][]byte
}

// maxQuoted bounds the lines of a stack that are kept.
const maxQuoted = 16 << 10

func (q *quoteFinder) see(line []byte) {
	if q.found != nil {
		return
	}
	isFrame := mayEndWithFrame(line)
	switch {
	case isFrame && !q.inStack:
		q.inStack, q.block = true, q.block[:0]
		for _, above := range slices.Backward(q.above[:]) {
			q.block = append(append(q.block, above...), '\n')
		}
		q.stackAt = len(q.block)
		q.add(line)
	case isFrame:
		q.add(line)
	default:
		q.end()
	}
	oldest := q.above[len(q.above)-1]
	copy(q.above[1:], q.above[:])
	q.above[0] = append(oldest[:0], line[:min(len(line), remembered)]...)
}

func (q *quoteFinder) add(line []byte) {
	if len(q.block)+len(line) < maxQuoted {
		q.block = append(append(q.block, line...), '\n')
	}
}

// end judges a stack whose frames have come.
func (q *quoteFinder) end() {
	if q.inStack {
		q.inStack = false
		if !q.isException() {
			q.found = quotedStack(bareLines(q.block))
		}
	}
}

// isException recognises at little cost the stack of an exception by the line above its frames. Logs are full of them.
func (q *quoteFinder) isException() bool {
	above, _ := lastText(bytes.Split(q.block[:q.stackAt], []byte("\n")))
	return isException(above) && !bytes.Contains(above, []byte("java.lang.Throwable"))
}

// mayEndWithFrame recognises a line that ends with a frame, also in an object of JSON.
func mayEndWithFrame(line []byte) bool {
	if n := len(line); n > 2 && line[0] == '{' && line[n-1] == '}' {
		if !bytes.Contains(line, []byte(`)\n`)) {
			return false
		}
		texts := logTexts(line)
		return len(texts) > 0 && cutFrame(texts[len(texts)-1]) >= 0
	}
	return cutFrame(line) >= 0
}

// quotedStack returns the message and the frames of lines that end with a stack; nil if it is an exception's, or too
// short to be sure.
func quotedStack(lines [][]byte) [][]byte {
	first := slices.IndexFunc(lines, func(line []byte) bool { return cutFrame(line) >= 0 })
	if first < 0 || len(lines)-first < 2 {
		return nil
	}
	frames := slices.Clone(lines[first:])
	at := cutFrame(frames[0])
	message := frames[0][:at]
	frames[0] = frames[0][at:]
	above := lines[:first]
	if len(bytes.TrimSpace(message)) == 0 {
		message, above = lastText(above)
	}
	if isException(message) {
		at := bytes.LastIndex(message, []byte("java.lang.Throwable"))
		if at < 0 {
			return nil
		}
		if message = bytes.TrimRight(message[:at], " :"); len(message) == 0 {
			message, above = lastText(above)
		}
	}
	if len(message) == 0 {
		return nil
	}
	return append([][]byte{messageOf(message, above)}, frames...)
}

// lastText is the last line that is not empty, and those above it.
func lastText(lines [][]byte) (text []byte, above [][]byte) {
	for i, line := range slices.Backward(lines) {
		if text := bytes.TrimSpace(line); len(text) > 0 {
			return text, lines[:i]
		}
	}
	return nil, nil
}

// messageOf puts a line of a message under the line of the log that it belongs to, which has the time.
func messageOf(last []byte, above [][]byte) []byte {
	message := shortMessage(last)
	if hasClock(last) {
		return message
	}
	for _, line := range slices.Backward(above) {
		if hasClock(line) {
			return append(append(bytes.TrimRight(shortMessage(line), ":"), ": "...), message...)
		}
	}
	return message
}

// hasClock recognises a time of day near the beginning of a line: 12:34:56.
func hasClock(line []byte) bool {
	const near = 38
	line = line[:min(len(line), near)]
	for i := 2; i+5 < len(line); i++ {
		if line[i] == ':' && line[i+3] == ':' && isDigit(line[i-1]) && isDigit(line[i+1]) && isDigit(line[i+4]) {
			return true
		}
	}
	return false
}

// longestMessage is how much of a message is quoted.
const longestMessage = 160

// shortMessage is the end of a line, with one blank for several: loggers put time and class before the message.
func shortMessage(line []byte) []byte {
	text := bytes.Join(bytes.Fields(line), []byte(" "))
	if n := len(text) - longestMessage; n > 0 {
		if i := bytes.IndexByte(text[n:], ' '); i >= 0 {
			n += i + 1
		}
		return append([]byte("…"), text[n:]...)
	}
	return text
}

// refusal is what the log is, nil if it has no quoted stack.
func (q *quoteFinder) refusal() *ForeignError {
	q.end()
	if q.found == nil {
		return nil
	}
	what := `a log that quotes one stack, under "` + string(q.found[0]) + `"`
	if place, caller := firstOfProgram(q.found[1:]); place != "" {
		what += "; it is at " + place
		if caller != "" {
			what += ", called from " + caller
		}
	}
	return &ForeignError{what, "jstall PID shows what all threads of a running JVM do"}
}
