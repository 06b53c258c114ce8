package threaddump

import (
	"bytes"
)

// anchorIn recognises a line at which a dump begins.
func anchorIn(line []byte) anchor {
	if len(line) < shortestAnchor {
		return noAnchor
	}
	signs := signsIn(line)
	switch {
	case signs&capitalF != 0 && bytes.Contains(line, []byte(headText)):
		return headAnchor
	case isIDEHeader(line):
		return ideAnchor
	case signs&equals != 0 && isHotSpotHeader(line):
		return threadAnchor
	case signs&capitalF != 0 && bytes.Contains(line, []byte(deadlockText)):
		return deadlockAnchor
	case signs&capitalT != 0 && isDebuggerThread(line):
		return debuggerAnchor
	}
	if a := formAnchor(line, signs); a != noAnchor {
		return a
	}
	return partAnchor(line)
}

// signs are characters in a line, without which it is not of some kinds. Most lines of a log lack nearly all of them.
type signs uint8

const (
	quote signs = 1 << iota
	equals
	plus
	hyphen
	capitalF
	capitalN
	capitalT
)

var signOf = [256]signs{
	'"': quote, '=': equals, '+': plus, '-': hyphen, 'F': capitalF, 'N': capitalN, 'T': capitalT,
}

func signsIn(line []byte) (all signs) {
	for _, c := range line {
		all |= signOf[c]
	}
	return all
}

// unwrapAt learns from a line with an anchor what the lines of this dump are
// wrapped in, and returns the line without it; nil if it is no dump after all.
func (r *input) unwrapAt(line []byte, a anchor) []byte {
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

// unwrapJSON finds the string of a JSON line that has the anchor. The line may be
// one of an object that is spread over lines, as "jfr print --json" writes.
func (r *input) unwrapJSON(raw []byte, a anchor) (value []byte, key string) {
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
func (r *input) unwrapValue(value []byte, a anchor) []byte {
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

// cutAnchor splits a line where the dump's text begins; nil if the form has none.
func cutAnchor(raw []byte, a anchor) (line, before []byte) {
	switch a {
	case headAnchor:
		return cutHead(raw)
	case threadAnchor:
		return cutThread(raw)
	case deadlockAnchor:
		return cutAtText(raw, deadlockText)
	case debuggerAnchor:
		return cutAtText(raw, debuggerText)
	case stateAnchor, stackAnchor, namedAnchor:
		return raw, raw[:0]
	}
	return nil, nil
}

func cutAtText(raw []byte, text string) (line, before []byte) {
	i := bytes.Index(raw, []byte(text))
	if i < 0 {
		return nil, nil
	}
	return raw[i:], raw[:i]
}

// cutThread wants a whole header with the quote before its name.
func cutThread(raw []byte) (line, before []byte) {
	var h header
	i := bytes.IndexByte(raw, '"')
	if i < 0 {
		return nil, nil
	}
	if !parseHeader(bytes.TrimRight(raw[i:], "\r"), &h) || !h.opened {
		if parseCutHeader(bytes.TrimRight(raw[i:], "\r"), &h) && h.id > 0 && h.tid > 0 {
			return raw[i:], raw[:i]
		}
		return cutUnopened(raw, i)
	}
	if h.id == 0 && !h.unnumbered && h.osPriority == 0 && !bytes.Contains(raw, []byte("os_prio=")) {
		return nil, nil
	}
	return raw[i:], raw[:i]
}

// cutUnopened takes a header that lost the quote before the name, as copies do that
// begin a little late; the only quote is at quote.
func cutUnopened(raw []byte, quote int) (line, before []byte) {
	var h header
	if quote == 0 || bytes.IndexByte(raw[quote+1:], '"') >= 0 {
		return nil, nil
	}
	if !parseHeader(bytes.TrimRight(raw, "\r"), &h) || !h.quoted || h.id == 0 && !h.unnumbered {
		return nil, nil
	}
	return raw, raw[:0]
}
