package threaddump

import "bytes"

// Other servers write ThreadInfo as JSON with the names of Spring Boot's actuator, or nearly so:
//
//	[{"threadId":1,"threadName":"main","threadState":"WAITING","stackTrace":{"elems":["a.B.c(…)"]}}]   Spark, /threads
//	{"threadInfos":[{"threadName":"main","stringifiedThreadInfo":"\"main\" Id=1 WAITING …"}]}   Flink, /thread-dump
//	"threadDump":["thread",{"id":1,"name":"main","state":"WAITING","stackTrace":["a.B.c(…)"]}]   Solr, /admin/info/threads

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
