package threaddump

import (
	"bytes"
	"slices"
)

// Other servers write ThreadInfo as JSON with the names of Spring Boot's actuator, or nearly so:
//
//	[{"threadId":1,"threadName":"main","threadState":"WAITING","stackTrace":{"elems":["a.B.c(…)"]},    Spark, /threads
//	  "blockedByThreadId":31,"blockedByLock":"Lock(a.B@3337df})","holdingLocks":["Monitor(a.C@173e7e5})"],
//	  "synchronizers":["a.D@1b2c"],"monitors":["a.C@173e7e5"],"lockName":"a.B@3337df","lockOwnerName":"pump-2"}]
//	{"threadInfos":[{"threadName":"main","stringifiedThreadInfo":"\"main\" Id=1 WAITING …"}]}   Flink, /thread-dump
//	"threadDump":["thread",{"id":1,"name":"main","state":"WAITING","stackTrace":["a.B.c(…)"],     Solr, /admin/info/threads
//	  "lock":"a.B@3337df","lock-waiting":{"name":"a.B@3337df","owner":{"name":"pump-2","id":31}},
//	  "monitors-locked":["a.C@173e7e5"],"synchronizers-locked":["a.D@1b2c"]}]

// lockWaiting reads Solr's {"name":"a.B@3337df","owner":{"name":"pump-2","id":31}}, whose owner may be null. The value
// begins with t.
func (s *actuatorDump) lockWaiting(t jsonToken) {
	s.j.membersFrom(t, func(key string) {
		switch key {
		case "name":
			s.wants = append(s.wants[:0], s.j.value()...)
		case "owner":
			s.j.membersFrom(s.j.next(), s.ownerKey)
		default:
			s.j.skip()
		}
	})
}

func (s *actuatorDump) ownerKey(key string) {
	switch key {
	case "name":
		s.ownerName = s.in.string(s.j.value())
	case "id":
		s.owner, _ = parseInt(s.j.value())
		s.owner = max(s.owner, 0)
	default:
		s.j.skip()
	}
}

// stackTrace reads the frames, whose value begins with t: objects or texts in a list, a list
// under "elems", or one text of lines.
func (s *actuatorDump) stackTrace(t jsonToken) {
	switch t {
	case '[':
		for !s.j.bad {
			switch t := s.j.next(); t {
			case ']':
				return
			case jsonString:
				s.frameText(s.j.text)
			case ',', jsonEnd:
			default:
				s.element(t)
			}
		}
	case '{':
		s.j.members(func(key string) {
			if key == "elems" {
				s.stackTrace(s.j.next())
				return
			}
			s.j.skip()
		})
	case jsonString:
		for line := range bytes.Lines(bytes.Clone(s.j.text)) {
			s.frameText(bytes.TrimSpace(line))
		}
	default:
		s.j.skipFrom(t)
	}
}

func (s *actuatorDump) frameText(text []byte) {
	if text = bytes.TrimPrefix(text, []byte("at ")); len(text) > 0 {
		s.frame(text)
	}
}

// stringified reads ThreadInfo.toString in a JSON string.
func (s *actuatorDump) stringified(text []byte) {
	var h infoHeader
	for line := range bytes.Lines(bytes.Clone(text)) {
		line = bytes.TrimSpace(line)
		if h.id == 0 && quotedHeader(line, &h) {
			s.id, s.cur.State, s.cur.Daemon, s.cur.Priority = h.id, h.state, h.daemon, h.priority
			if h.wants.Op != LockUnknown {
				h.wants.Line, s.owner = s.lineNo(), h.wants.Owner
				s.locks = append(s.locks, h.wants)
			}
			continue
		}
		if frame, ok := bytes.CutPrefix(line, []byte("at ")); ok {
			s.frame(frame)
			continue
		}
		lock, isLock := bytes.CutPrefix(line, []byte("- "))
		if l, ok := objectIn(lock, s.in); isLock && ok && bytes.HasPrefix(bytes.TrimSpace(lock), []byte("locked")) {
			l.Op, l.Depth, l.Line = Locked, len(s.frames)-1, s.lineNo()
			s.locks = append(s.locks, l)
		}
	}
}

// lockTexts reads a list of locks as texts; what is no list is passed over.
func (s *actuatorDump) lockTexts(op LockOp, depth int) {
	t := s.j.next()
	if t != '[' {
		s.j.skipFrom(t)
		return
	}
	for !s.j.bad {
		switch t := s.j.next(); t {
		case ']':
			return
		case ',':
		case jsonString:
			s.lockText(s.j.text, op, depth)
		default:
			s.j.skipFrom(t)
		}
	}
}

// lockText reads "a.B@3337df", or Spark's "Lock(a.B@3337df})" and "Monitor(a.B@3337df})", which tell what is held where
// op is LockUnknown.
func (s *actuatorDump) lockText(text []byte, op LockOp, depth int) {
	kind, object, marked := bytes.Cut(text, []byte("("))
	if !marked {
		object = text
	}
	class, hash, ok := cutIdentity(bytes.TrimRight(object, ")}"))
	if !ok || len(class) == 0 {
		return
	}
	if op == LockUnknown {
		op = Locked
		if string(kind) == "Lock" {
			op, depth = OwnsSynchronizer, -1
		}
	}
	s.boundThread(0, len(s.locks))
	if op == Parking && slices.ContainsFunc(s.locks, func(l Lock) bool { return l.Op == Parking }) {
		return // there with its parts
	}
	s.addLock(Lock{Op: op, Class: s.in.string(class), Address: hash, Depth: depth, Line: s.lineNo()})
}
