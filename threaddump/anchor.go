package threaddump

import (
	"bytes"
	"time"
)

// anchor is what in a line tells that a dump begins.
type anchor uint8

const (
	noAnchor anchor = iota
	// headAnchor: Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):
	headAnchor
	// threadAnchor: a thread's header, where the dump's was cut away.
	threadAnchor
	// deadlockAnchor: the JVM's deadlock report alone.
	deadlockAnchor
	// jsonAnchor and plainAnchor: the files of Thread.dump_to_file.
	jsonAnchor
	plainAnchor
	// beanAnchor, actuatorAnchor and ideAnchor: threads as the management interface
	// tells of them, in text or JSON, and those of IntelliJ IDEA.
	beanAnchor
	actuatorAnchor
	ideAnchor
)

const (
	headText     = "Full thread dump "
	deadlockText = "Found one Java-level deadlock:"
	tidText      = " tid=0x"
	jsonText     = `"threadDump"`
)

// shortestAnchor is how long a line with an anchor is at least, but for actuatorAnchor.
const shortestAnchor = 4

func anchorIn(line []byte) anchor {
	if len(line) == 0 {
		return noAnchor
	}
	switch {
	case len(line) < shortestAnchor:
		if isActuatorStart(line) {
			return actuatorAnchor
		}
		return noAnchor
	case bytes.Contains(line, []byte(headText)):
		return headAnchor
	case isIDEHeader(line):
		return ideAnchor
	case bytes.Contains(line, []byte(tidText)):
		return threadAnchor
	case bytes.Contains(line, []byte(deadlockText)):
		return deadlockAnchor
	case isActuatorStart(line):
		return actuatorAnchor
	case bytes.Contains(line, []byte(jsonText)):
		return jsonAnchor
	case isPlainStart(line):
		return plainAnchor
	case isBeanHeader(line):
		return beanAnchor
	}
	return noAnchor
}

// unwrapAt learns from a line with an anchor what the lines of this dump are
// wrapped in, and returns the line without it; nil if it is no dump after all.
func (r *Reader) unwrapAt(line []byte, a anchor) []byte {
	if r.wrap != nil && !r.bare {
		text, before := cutAnchor(line, a)
		if text != nil && (len(before) == 0 || r.wrap.key != "") {
			return r.unwrapped(text, before)
		}
	}
	r.wrap, r.crlf, r.bare = nil, false, false
	if value, key := r.unwrapJSON(r.raw, a); key != "" {
		r.wrap = &wrapping{key: key}
		return r.unwrapValue(value, a)
	}
	text, before := cutAnchor(r.raw, a)
	return r.unwrapped(text, before)
}

// unwrapped takes note of what stood before a dump's text and after it.
func (r *Reader) unwrapped(text, before []byte) []byte {
	if text == nil {
		return nil
	}
	if len(before) > 0 {
		if r.wrap == nil {
			r.start = r.rawStart()
			r.wrap = &wrapping{cri: criFlag(before) != 0}
			r.sub = 1
		}
		r.wrap.prefix = newPrefix(before)
	}
	if n := len(text); text[n-1] == '\r' {
		r.crlf = true
		return text[:n-1]
	}
	return text
}

// unwrapJSON finds the string of a JSON line that has the anchor. The line may be
// one of an object that is spread over lines, as "jfr print --json" writes.
func (r *Reader) unwrapJSON(raw []byte, a anchor) (value []byte, key string) {
	line := bytes.TrimSpace(raw)
	if len(line) == 0 || line[0] != '{' && (line[0] != '"' || a != headAnchor) {
		return nil, ""
	}
	eachJSONString(line, func(k string, v []byte) bool {
		if hasAnchor(v, a) {
			key, value = k, v
		}
		return key == ""
	})
	return value, key
}

func hasAnchor(text []byte, a anchor) bool {
	for line := range bytes.Lines(text) {
		if found, _ := cutAnchor(bytes.TrimRight(line, "\r\n"), a); found != nil {
			return true
		}
	}
	return false
}

// unwrapValue continues with the lines of a JSON string from the anchor on.
func (r *Reader) unwrapValue(value []byte, a anchor) []byte {
	r.start, r.sub = r.rawStart(), 0
	r.decoded = append(r.decoded[:0], value...)
	r.rest = bytes.TrimSuffix(r.decoded, []byte("\n"))
	for len(r.rest) > 0 {
		line, _ := r.nextWrapped()
		if text, before := cutAnchor(line, a); text != nil {
			return r.unwrapped(text, before)
		}
		r.remember(line)
	}
	return nil
}

// cutAnchor splits a line where the dump's text begins; nil if there is none.
func cutAnchor(raw []byte, a anchor) (line, before []byte) {
	switch a {
	case headAnchor:
		return cutHead(raw)
	case threadAnchor:
		return cutThread(raw)
	case deadlockAnchor:
		i := bytes.Index(raw, []byte(deadlockText))
		if i < 0 {
			return nil, nil
		}
		return raw[i:], raw[:i]
	}
	return nil, nil
}

// cutHead wants the whole of "Full thread dump NAME (VERSION MODE)": logs speak
// of full thread dumps too.
func cutHead(raw []byte) (line, before []byte) {
	i := bytes.LastIndex(raw, []byte(headText))
	if i < 0 || i > 0 && isAlnum(raw[i-1]) {
		return nil, nil
	}
	line = raw[i:]
	end := bytes.TrimRight(line, ": \r")
	if len(end) == 0 || end[len(end)-1] != ')' || !bytes.Contains(line, []byte(" (")) {
		return nil, nil
	}
	return line, raw[:i]
}

// cutThread wants a whole header with the quote before its name.
func cutThread(raw []byte) (line, before []byte) {
	var h header
	i := bytes.IndexByte(raw, '"')
	if i < 0 || !parseHeader(bytes.TrimRight(raw[i:], "\r"), &h) || !h.opened {
		return nil, nil
	}
	if h.id == 0 && h.osPriority == 0 && !bytes.Contains(raw, []byte("os_prio=")) {
		return nil, nil
	}
	return raw[i:], raw[:i]
}

// parseTime reads the line above the header, "2026-11-20 14:59:49".
func parseTime(line []byte) (time.Time, bool) {
	if len(line) != len(time.DateTime) || line[4] != '-' || line[13] != ':' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateTime, string(line))
	return t, err == nil
}
