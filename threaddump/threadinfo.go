package threaddump

import (
	"bytes"
	"time"
)

// quotedInfo is the forms in which a header has a thread name in quotes, then figures, and mostly a state at the end:
//
//	"svc-1" daemon prio=5 Id=12 BLOCKED on com.acme.Account@1b2c owned by "svc-2" Id=13  ThreadInfo.toString, also of
//	                                                                    Flink, Play, Minecraft, Jenkins
//	"svc-1" Id=12 RUNNABLE (in native)                                  Arthas thread ID, thread -b
//	"svc-1" Id=12 cpuUsage=1.63% deltaTime=3ms time=1170ms RUNNABLE     Arthas thread -n
//	"C1 CompilerThread0" [Internal] cpuUsage=1.63% time=1170ms          the same, a thread of the JVM
//	"svc-1" Id=12 in WAITING on lock=com.acme.Account@1b2c (suspended)  Karaf threads, Solr
//	"svc-1" Id=12 cpu=232245 ns usr=0 ns blocked 1 for -1 ms            Tomcat, under a dump's head
//	"svc-1" id=17 (0x11) state=RUNNABLE cpu=50% (running in native)     Dropwizard, Jenkins
//	"svc-1" Id=12 Group=main WAITING on com.acme.Account@1b2c           Jenkins (/threadDump); the group is any text
//	"svc-1" daemon prio=5 WAITING                                       JavaMelody, which has no ids
//
// The name may contain quotes: it ends at the last quote before the figures.
var quotedInfo = &infoForm{cut: cutQuote, header: quotedHeader, body: melodyFrame}

func cutQuote(line []byte) int {
	i := bytes.IndexByte(line, '"')
	if i < 0 || i > maxPrefix {
		return -1
	}
	return i
}

// melodyFrame reads JavaMelody's frames, which have a tab before them and no "at ".
func melodyFrame(s *infoDump, text []byte) bool {
	return s.madeIDs && s.bareFrame(text)
}

// quotedHeader reads a header of these forms, and reports whether the line is one.
func quotedHeader(text []byte, h *infoHeader) bool {
	const longest = 64 << 10
	if len(text) < 3 || text[0] != '"' || len(text) > longest {
		return false
	}
	for end := bytes.IndexByte(text[1:], '"') + 1; end > 0; {
		*h = infoHeader{name: text[1:end]}
		if h.figures(text[end+1:]) {
			return true
		}
		next := bytes.IndexByte(text[end+1:], '"')
		if next < 0 {
			break
		}
		end += 1 + next
	}
	return false
}

// figures reads what follows the name. It reports whether that is of these forms.
// One loop over the words: the cases are the kinds of words.
//
//gocyclo:ignore
func (h *infoHeader) figures(text []byte) bool {
	if len(text) == 0 || text[0] != ' ' {
		return false
	}
	group := false // the words of the group's name follow, up to the state
	for len(text) > 0 {
		var word []byte
		word, text = cutAt(bytes.TrimLeft(text, " "), ' ')
		if bytes.IndexByte(word, '"') >= 0 {
			return false
		}
		switch state, isState := stateOf(word); {
		case len(word) == 0:
		case isState:
			h.state = state
			return (h.id > 0 || h.vm || h.priority != 0) && h.afterState(text)
		case group:
		case h.id > 0 && bytes.HasPrefix(word, []byte("Group=")):
			group = true
		case string(word) == "on", string(word) == "owned":
			return false
		case h.figure(word):
		case !isTomcatWord(word) && !isNote(word):
			return false
		}
	}
	return h.vm || h.id > 0 && h.cpu.Known
}

// stateOf reads RUNNABLE or state=RUNNABLE.
func stateOf(word []byte) (State, bool) {
	word = bytes.TrimPrefix(word, []byte("state="))
	state, _, ok := parseState(word, nil)
	return state, ok && bytes.IndexByte(word, '(') < 0
}

// figure reads one figure of a header, and reports whether the word is one.
func (h *infoHeader) figure(word []byte) bool {
	key, value := cutAt(word, '=')
	switch string(key) {
	case "daemon", "in", "virtual":
		h.daemon = h.daemon || string(key) == "daemon"
		return len(value) == 0
	case "[Internal]":
		h.vm = true
		return true
	case "Id", "id":
		id, ok := parseInt(value)
		h.id = id
		return ok && id > 0
	case "prio":
		return setPriority(&h.priority, value)
	case "time":
		return setDuration(&h.cpu, value)
	case "cpu":
		if bytes.HasSuffix(value, []byte("%")) {
			return true
		}
		ns, ok := parseInt(value) // Tomcat
		if ok {
			h.cpu = Known(time.Duration(ns))
		}
		return ok || string(value) == "-1"
	case "cpuUsage", "deltaTime", "usr":
		return true
	}
	return false
}

// isTomcatWord reports whether a word is one of "cpu=232245 ns usr=0 ns blocked 1 for -1 ms waited 1 for -1 ms".
func isTomcatWord(word []byte) bool {
	switch string(word) {
	case "ns", "ms", "blocked", "waited", "for":
		return true
	}
	digits := bytes.TrimPrefix(word, []byte("-"))
	return len(digits) > 0 && spanOf(digits, isDigit) == len(digits)
}

// isNote reports whether a word is part of a note in brackets: "(suspended)", "(running in native)", "(0x11)".
func isNote(word []byte) bool {
	return word[0] == '(' || word[len(word)-1] == ')' || string(word) == "in"
}

// afterState reads what follows the state: the lock that the thread waits for, a note in brackets or CPU figures. It
// reports whether the text is one of these or empty.
func (h *infoHeader) afterState(text []byte) bool {
	text = bytes.TrimSpace(text)
	if rest, ok := bytes.CutPrefix(text, []byte("on ")); ok {
		rest = bytes.TrimPrefix(rest, []byte("lock="))
		object, _ := cutAt(rest, ' ')
		if class, hash, ok := cutIdentity(object); ok {
			h.wants = Lock{Op: Parking, Class: string(class), Address: hash, Owner: ownerIn(rest),
				OwnerName: string(ownerNameIn(rest))}
		}
		return true
	}
	return len(text) == 0 || text[0] == '(' || bytes.HasPrefix(text, []byte("cpu=")) ||
		bytes.HasPrefix(text, []byte("cpuUsage=")) || bytes.HasPrefix(text, []byte("deltaTime="))
}
