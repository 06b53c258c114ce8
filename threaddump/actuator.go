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
// Versions before 2.0 have an array of such threads alone. Jolokia's answer has the array as its "value", after the
// request. Fields may be in any
// order, and missing. Where an application names the properties of all its JSON in another way (thread_name,
// thread-name, ThreadName), these have it too; see plainKey.
type actuatorDump struct {
	beans
	j     jsonReader
	id    int64
	name  []byte
	owner int64
	// ownerName is that of the owner, owners are those of all threads; see linkOwners.
	ownerName string
	owners    map[int]string
	wants     []byte // what the thread waits for, as a text
	text      []byte // of a frame
}

// isActuatorStart knows the beginning of the object or array. Where it is spread
// over lines, that is the one of the first key.
func isActuatorStart(line []byte) bool {
	key, _ := firstKey(line)
	switch key {
	case "threadname", "threadid",
		"blockedcount", "blockedtime", "waitedcount", "waitedtime", "lockedmonitors", "lockedsynchronizers",
		"lockownerid", "lockownername", "lockinfo", "lockname", "innative", "suspended", "threadstate":
		return true
	}
	return beginsList(line) || listWithin(line) > 0
}

// firstKey is the first key of an object, as plainKey has it, with what follows it.
func firstKey(line []byte) (key string, rest []byte) {
	text := bytes.TrimLeft(line, " \t{[")
	const longest = 20
	if len(text) == 0 || text[0] != '"' {
		return "", nil
	}
	end := bytes.IndexByte(text[1:], '"')
	if end < 1 || end > longest {
		return "", nil
	}
	return plainKey(string(text[1 : 1+end])), bytes.TrimLeft(text[end+2:], " ")
}

// beginsList recognises the keys whose value is a list of threads. That of Thread.dump_to_file has an object there.
func beginsList(line []byte) bool {
	switch key, rest := firstKey(line); key {
	case "threads", "threadinfos":
		return true
	case "threaddump":
		return bytes.HasPrefix(rest, []byte(":[")) || bytes.HasPrefix(rest, []byte(": ["))
	}
	return false
}

// actuatorForm is the JSON of Spring Boot's actuator.
type actuatorForm struct{}

func (actuatorForm) is(line []byte) bool { return isActuatorStart(line) }

func (actuatorForm) read(r *input, d *Dump, line []byte) []*Dump { return only(r.readActuator(line)) }

// readActuator reads the dump; nil otherwise.
func (r *input) readActuator(line []byte) *Dump {
	after := r.mark()
	r.src.keep = after.offset
	defer func() { r.src.keep = -1 }()
	s := &actuatorDump{beans: beans{input: r, d: &Dump{Line: r.lineNo(), Instant: true}}, owners: map[int]string{}}
	list, i := beginsList(line), bytes.IndexByte(line, '"')
	if within := listWithin(line); !list && within > 0 {
		list, i = true, within
	}
	s.j = jsonReader{lines: &r.lines, line: line[i:]}
	if list {
		if line[i] == '"' {
			s.j.next()
			if s.j.next() != ':' {
				return r.notThisOne(after)
			}
		}
		s.j.array(func(t jsonToken) {
			if t == '{' {
				s.threadObject()
			}
		})
	} else {
		s.threadObject() // whose bracket is before the first key
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
	linkOwners(s.d, s.owners)
	if s.j.bad {
		s.d.Problems = append(s.d.Problems, Problem{Line: r.lineNo(), Message: "the JSON ends or breaks here"})
		s.d.Cut = r.atEnd()
	}
	s.d.Listed = !s.j.bad && hasOnlyThreads(s.d.Threads)
	return s.d
}

func (r *input) notThisOne(after mark) *Dump {
	r.rewind(after)
	return nil
}

func (s *actuatorDump) threadObject() {
	s.id, s.name, s.owner, s.ownerName, s.wants = 0, s.name[:0], 0, "", s.wants[:0]
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
	s.lockText(s.wants, Parking, 0)
	for i := range s.locks {
		if s.locks[i].Op == Parking {
			s.locks[i].Owner, s.locks[i].OwnerName = s.owner, s.ownerName
		}
	}
	if s.owner == 0 && s.ownerName != "" {
		s.owners[len(s.d.Threads)-1] = s.ownerName
	}
	s.end()
}

// One switch over the names of a member: the cases are what members are called.
//
//gocyclo:ignore
func (s *actuatorDump) key(key string) {
	switch plainKey(key) {
	case "threadname", "name":
		s.name = append(s.name, s.j.value()...)
	case "threadid", "id":
		s.id, _ = parseInt(s.j.value())
	case "threadstate", "state":
		s.cur.State, _, _ = parseState(s.j.value(), s.in)
	case "daemon", "isdaemon":
		s.cur.Daemon = string(s.j.value()) == "true"
	case "priority":
		setPriority(&s.cur.Priority, s.j.value())
	case "lockownerid", "blockedbythreadid":
		s.owner, _ = parseInt(s.j.value()) // -1 is no owner
		s.owner = max(s.owner, 0)
	case "lockownername":
		s.ownerName = s.in.string(s.j.value())
	case "lockinfo":
		s.lock(s.j.next(), Parking, 0)
	case "lockwaiting":
		s.lockWaiting(s.j.next())
	case "lockname", "blockedbylock", "lock":
		if text := s.j.value(); len(text) > 0 {
			s.wants = append(s.wants[:0], text...)
		}
	case "stacktrace":
		s.stackTrace(s.j.next())
	case "stringifiedthreadinfo":
		s.stringified(s.j.value())
	case "lockedmonitors":
		s.j.array(func(t jsonToken) { s.lock(t, Locked, 0) })
	case "monitors", "monitorslocked":
		s.lockTexts(Locked, 0)
	case "holdinglocks":
		s.lockTexts(LockUnknown, 0)
	case "synchronizers", "synchronizerslocked":
		s.lockTexts(OwnsSynchronizer, -1)
	case "lockedsynchronizers":
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
		switch plainKey(key) {
		case "classname":
			l.Class = s.in.string(s.j.value())
		case "identityhashcode":
			hash, _ := parseInt(s.j.value())
			l.Address = uint64(max(hash, 0))
		case "lockedstackdepth":
			at, err := strconv.Atoi(string(s.j.value()))
			if err == nil && at >= -1 {
				l.Depth = at
			}
		default:
			s.j.skip()
		}
	})
	s.addLock(l)
}

// addLock adds a lock, unless another property of the thread has it too. The one with a depth counts.
func (s *actuatorDump) addLock(l Lock) {
	for i := range s.locks {
		had := &s.locks[i]
		same := had.Op == l.Op && had.Address == l.Address && had.Class == l.Class
		if same && (l.Op == Parking || had.Depth == 0 || l.Depth == 0) {
			had.Depth = max(had.Depth, l.Depth)
			return
		}
	}
	s.locks = append(s.locks, l)
}

// element reads a frame, and puts it as StackTraceElement.toString does.
func (s *actuatorDump) element(t jsonToken) {
	if t != '{' {
		s.j.skipFrom(t)
		return
	}
	part := map[string]string{}
	s.j.members(func(key string) { part[plainKey(key)] = string(s.j.value()) })
	s.text = s.text[:0]
	if loader := part["classloadername"]; loader != "" && loader != "bootstrap" && loader != "platform" {
		s.text = append(append(s.text, loader...), '/')
	}
	if module := part["modulename"]; module != "" {
		s.text = append(s.text, module...)
		if version := part["moduleversion"]; version != "" {
			s.text = append(append(s.text, '@'), version...)
		}
	}
	if len(s.text) > 0 {
		s.text = append(s.text, '/')
	}
	s.text = append(append(append(s.text, part["classname"]...), '.'), part["methodname"]...)
	s.text = append(append(append(s.text, '('), placeOf(part)...), ')')
	s.frame(s.text)
}

func placeOf(part map[string]string) string {
	switch {
	case part["nativemethod"] == "true" || part["linenumber"] == "-2":
		return "Native Method"
	case part["filename"] == "":
		return "Unknown Source"
	}
	if n, err := strconv.Atoi(part["linenumber"]); err != nil || n < 0 {
		return part["filename"]
	}
	return part["filename"] + ":" + part["linenumber"]
}
