package threaddump

import "bytes"

// Stacks are copied out of dumps without the header of their thread. What remains shows that they are of a dump and
// not of an exception: the line of the state, or a lock.
//
//	   java.lang.Thread.State: WAITING (parking)
//	        at sun.misc.Unsafe.park(Native Method)
//	        - parking to wait for  <0x00000000e4c291f0> (a java.util.concurrent.FutureTask)
//
// Such a thread is called "(header missing)", and its id is made. Stacks of the JVM's deadlock report without its
// heading ("Java stack information for the threads listed above:") have names alone: see deadlockReport.

// stateText is what the line of a state begins with.
var stateText = []byte("java.lang.Thread.State: ")

// partAnchor is the anchor of a line that is in a thread whose header is lost, or in a report without heading.
func partAnchor(line []byte) anchor {
	text, _ := cutQuoteMarks(line)
	text = bytes.TrimLeft(text, " \t")
	switch {
	case len(text) < shortestAnchor:
	case isStateLine(text):
		return stateAnchor
	case isLockLine(text):
		return stackAnchor
	case isMemberName(text), bytes.HasPrefix(text, []byte(stacksText)):
		return namedAnchor
	}
	return noAnchor
}

// cutQuoteMarks splits a line of a mail where the text begins that it quotes: "> ", ">> ", "> > ".
func cutQuoteMarks(line []byte) (text, marks []byte) {
	if len(line) == 0 || line[0] != '>' {
		return line, nil
	}
	n := bytes.LastIndexByte(line[:spanOf(line, func(c byte) bool { return c == '>' || c == ' ' })], '>') + 1
	if n < len(line) && line[n] == ' ' {
		n++
	}
	return line[n:], line[:n]
}

func isStateLine(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, stateText)
	if !ok {
		return false
	}
	word, detail := cutAt(bytes.TrimRight(rest, " \r"), ' ')
	_, _, known := parseState(word, nil)
	return known && (len(detail) == 0 || detail[0] == '(')
}

// isLockLine recognises a line of a lock with an address.
func isLockLine(text []byte) bool {
	if text[0] != '-' {
		return false
	}
	for _, begin := range [...]string{
		"- parking to wait for  <0x", "- waiting to lock <0x", "- waiting on <0x", "- locked <0x",
	} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

// isFrameLine recognises "at a.B.c(B.java:9)".
func isFrameLine(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("at "))
	return ok && isBareFrame(rest)
}
