package threaddump

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jstall/jstall/internal/number"
)

const headText = "Full thread dump "

// cutHeadWidth is the width in columns of a dump's head that the edge of a screen cut behind its version, zero if it is
// whole or not a head:
//
//	Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode,
func cutHeadWidth(line []byte) int {
	width := utf8.RuneCount(line)
	i := bytes.LastIndex(line, []byte(" VM ("))
	if i < 0 || width < narrowest || bytes.IndexByte(line[i:], ')') >= 0 {
		return 0
	}
	version := line[i+len(" VM ("):]
	if len(version) == 0 || !isDigit(version[0]) {
		return 0
	}
	return width
}

// cutHead wants the whole of "Full thread dump NAME (VERSION MODE)", or what the edge of a screen left of it: logs
// speak of full thread dumps too.
func cutHead(raw []byte) (line, before []byte) {
	i := bytes.LastIndex(raw, []byte(headText))
	if i < 0 || i > 0 && isAlnum(raw[i-1]) {
		return nil, nil
	}
	line = raw[i:]
	end := bytes.TrimRight(line, ": \r")
	whole := len(end) > 0 && end[len(end)-1] == ')' && bytes.Contains(line, []byte(" ("))
	if !whole && (i > 0 || cutHeadWidth(end) == 0) {
		return nil, nil
	}
	return line, raw[:i]
}

// parseTime reads the line above the header, "2026-11-20 14:59:49", in the digits of any
// script. Tomcat adds milliseconds.
func parseTime(line []byte) (time.Time, bool) {
	const longest = 80 // in digits of three bytes
	if len(line) < len(time.DateTime) || len(line) > longest || bytes.IndexByte(line, ':') < 0 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateTime, strings.Replace(number.Latin(string(line)), ",", ".", 1))
	return t, err == nil
}

// jniRefs reads "JNI global refs: 15, weak refs: 0" and JDK 8's "JNI global
// references: 396" (JNIHandles::print_on, jniHandles.cpp).
func (d *Dump) jniRefs(line []byte) {
	for part := range bytes.SplitSeq(line, []byte(",")) {
		name, value, _ := bytes.Cut(part, []byte(": "))
		n, ok := parseInt(bytes.TrimSpace(value))
		switch {
		case !ok:
		case bytes.Contains(name, []byte("weak")):
			d.JNIWeakRefs = Known(n)
		default:
			d.JNIRefs = Known(n)
		}
	}
}

// endsWithVMThreads recognises the end of a dump of JDK 1.4 and 5, which have no line about JNI references: threads of
// the JVM's own are last.
func (d *Dump) endsWithVMThreads() bool {
	if !strings.HasPrefix(d.Version, "1.4.") && !strings.HasPrefix(d.Version, "1.5.") || len(d.Threads) == 0 {
		return false
	}
	last := d.Threads[len(d.Threads)-1]
	return !last.Unnumbered && last.ID == 0 && isCondition([]byte(last.Condition))
}
