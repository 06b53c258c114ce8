package threaddump

import (
	"bytes"
	"strconv"
)

// actuatorDump reads the JSON of Spring Boot's actuator (/actuator/threaddump,
// ThreadDumpEndpoint): ThreadInfo, field by field.
//
//	{"threads":[{"threadName":"dl-A","threadId":21,"daemon":true,"threadState":"BLOCKED","priority":5,
//	  "lockName":"java.lang.Object@4eec7777","lockOwnerId":22,"lockOwnerName":"dl-B",
//	  "stackTrace":[{"classLoaderName":"app","moduleName":null,"moduleVersion":null,"className":"shop.Forms",
//	    "methodName":"both","fileName":"Forms.java","lineNumber":7,"nativeMethod":false}],
//	  "lockedMonitors":[{"className":"java.lang.Object","identityHashCode":295530567,"lockedStackDepth":0,…}],
//	  "lockedSynchronizers":[{"className","identityHashCode"}],"lockInfo":{"className","identityHashCode"}}]}
//
// Versions before 2.0 have an array of such threads alone. Fields may be in any
// order, and missing.
type actuatorDump struct {
	beans
	j     jsonReader
	id    int64
	name  []byte
	owner int64
	text  []byte // of a frame
}

// actuatorTexts are what a line has that begins such a file or its first thread.
var actuatorTexts = [...]string{
	`"threads"`, `"threadInfos"`, `"threadDump":[`, `"threadDump": [`, `"threadName"`, `"threadId"`,
}

// lists is how many of them begin a list of threads; the others begin a thread.
const lists = 4

// isActuatorStart knows the beginning of the object or array. Where it is spread
// over lines, that is the one of the first key.
func isActuatorStart(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	if len(text) == 0 || bytes.IndexByte([]byte(`{["`), text[0]) < 0 {
		return false
	}
	for _, t := range actuatorTexts {
		if i := bytes.Index(text, []byte(t)); i >= 0 && len(bytes.Trim(text[:i], " \t{[")) == 0 {
			return true
		}
	}
	return false
}

// actuatorForm is the JSON of Spring Boot's actuator.
type actuatorForm struct{}

func (actuatorForm) is(line []byte) bool { return isActuatorStart(line) }

func (actuatorForm) read(r *Reader, d *Dump, line []byte) *Dump { return r.readActuator(line) }

// readActuator reads the dump; nil if it is none.
func (r *Reader) readActuator(line []byte) *Dump {
	after := r.mark()
	r.src.keep = after.offset
	defer func() { r.src.keep = -1 }()
	s := &actuatorDump{beans: beans{Reader: r, d: &Dump{Line: r.lineNo(), Instant: true}}}
	i := bytes.IndexByte(line, '"')
	s.j = jsonReader{lines: &r.lines, line: line[i:]}
	if beginsList(line[i:]) {
		s.j.next()
		if s.j.next() != ':' {
			return r.notThisOne(after)
		}
		s.j.array(func(t jsonToken) {
			if t == '{' {
				s.threadObject()
			}
		})
	} else {
		s.threadObject() // whose bracket stands before the first key
		for !s.j.bad {
			if t := s.j.next(); t == '{' {
				s.threadObject()
			} else if t == ']' {
				break
			}
		}
	}
	if len(s.d.Threads) == 0 {
		return r.notThisOne(after)
	}
	if s.j.bad {
		s.d.Problems = append(s.d.Problems, Problem{Line: r.lineNo(), Message: "the JSON ends or breaks here"})
		s.d.Cut = r.atEnd()
	}
	return s.d
}

func beginsList(text []byte) bool {
	for _, list := range actuatorTexts[:lists] {
		if bytes.HasPrefix(text, []byte(list)) {
			return true
		}
	}
	return false
}

func (r *Reader) notThisOne(after mark) *Dump {
	r.rewind(after)
	return nil
}

func (s *actuatorDump) threadObject() {
	s.id, s.name, s.owner = 0, s.name[:0], 0
	s.thread(0, nil, s.lineNo())
	s.j.members(s.key)
	if s.id == 0 || len(s.name) == 0 || s.cur.State == StateUnknown && len(s.frames) == 0 { // as of a log
		s.cur = nil
		s.takeBack(s.d)
		s.j.bad = s.j.bad || len(s.d.Threads) == 0 // it is another list of threads
		return
	}
	s.src.keep = -1
	s.cur.ID, s.cur.Name = s.id, s.in.threadName(s.name)
	for i := range s.locks {
		if s.locks[i].Op == Parking {
			s.locks[i].Owner = s.owner
		}
	}
	s.end()
}

func (s *actuatorDump) key(key string) {
	switch key {
	case "threadName", "name":
		s.name = append(s.name, s.j.value()...)
	case "threadId", "id":
		s.id, _ = parseInt(s.j.value())
	case "threadState", "state":
		s.cur.State, _, _ = parseState(s.j.value(), s.in)
	case "daemon", "isDaemon":
		s.cur.Daemon = string(s.j.value()) == "true"
	case "priority":
		setPriority(&s.cur.Priority, s.j.value())
	case "lockOwnerId":
		s.owner, _ = parseInt(s.j.value()) // -1 is none
		s.owner = max(s.owner, 0)
	case "lockInfo":
		s.lock(s.j.next(), Parking, 0)
	case "stackTrace":
		s.stackTrace(s.j.next())
	case "stringifiedThreadInfo":
		s.stringified(s.j.value())
	case "lockedMonitors":
		s.j.array(func(t jsonToken) { s.lock(t, Locked, 0) })
	case "lockedSynchronizers":
		s.j.array(func(t jsonToken) { s.lock(t, OwnsSynchronizer, -1) })
	default:
		s.j.skip()
	}
}

// lock reads {"className", "identityHashCode", "lockedStackDepth"}, whose value
// begins with t.
func (s *actuatorDump) lock(t jsonToken, op LockOp, depth int) {
	if t != '{' {
		s.j.skipFrom(t)
		return
	}
	s.boundThread(0, len(s.locks))
	l := Lock{Op: op, Depth: depth, Line: s.lineNo()}
	s.j.members(func(key string) {
		switch key {
		case "className":
			l.Class = s.in.string(s.j.value())
		case "identityHashCode":
			hash, _ := parseInt(s.j.value())
			l.Address = uint64(max(hash, 0))
		case "lockedStackDepth":
			at, err := strconv.Atoi(string(s.j.value()))
			if err == nil && at >= -1 {
				l.Depth = at
			}
		default:
			s.j.skip()
		}
	})
	s.locks = append(s.locks, l)
}

// element reads a frame, and puts it as StackTraceElement.toString does.
func (s *actuatorDump) element(t jsonToken) {
	if t != '{' {
		s.j.skipFrom(t)
		return
	}
	part := map[string]string{}
	s.j.members(func(key string) { part[key] = string(s.j.value()) })
	s.text = s.text[:0]
	if loader := part["classLoaderName"]; loader != "" && loader != "bootstrap" && loader != "platform" {
		s.text = append(append(s.text, loader...), '/')
	}
	if module := part["moduleName"]; module != "" {
		s.text = append(s.text, module...)
		if version := part["moduleVersion"]; version != "" {
			s.text = append(append(s.text, '@'), version...)
		}
	}
	if len(s.text) > 0 {
		s.text = append(s.text, '/')
	}
	s.text = append(append(append(s.text, part["className"]...), '.'), part["methodName"]...)
	s.text = append(append(append(s.text, '('), placeOf(part)...), ')')
	s.frame(s.text)
}

func placeOf(part map[string]string) string {
	switch {
	case part["nativeMethod"] == "true" || part["lineNumber"] == "-2":
		return "Native Method"
	case part["fileName"] == "":
		return "Unknown Source"
	}
	if n, err := strconv.Atoi(part["lineNumber"]); err != nil || n < 0 {
		return part["fileName"]
	}
	return part["fileName"] + ":" + part["lineNumber"]
}
