package threaddump

import "bytes"

// jsonStack reads the frames of a warning that a logger wrote as one line of JSON: objects in a list, as Quarkus does,
// or a text of lines. The first stack of the line counts; those after it are of causes. Lines have no files there.
//
//	{"level":"WARN","message":"Thread Thread[loop-3,5,main] has been blocked for 5012 ms, …","exception":
//	  {"message":"Thread blocked","frames":[{"class":"a.B","method":"c","line":93},{"class":"java.lang.Thread",…}]}}
//	{"message":"Thread Thread[loop-3,5,main] has been blocked …","stack_trace":"x.Y: Thread blocked\n\tat a.B.c(B.java:1)"}
func jsonStack(s *infoDump) {
	at := bytes.IndexByte(s.raw, '{')
	if s.cur == nil || at < 0 || s.raw[len(bytes.TrimRight(s.raw, " \r"))-1] != '}' {
		return
	}
	j := &jsonReader{line: bytes.Clone(s.raw[at:])}
	if j.next() == '{' {
		s.jsonFrames(j, '{')
	}
}

// jsonFrames looks for frames in a value that begins with t.
func (s *infoDump) jsonFrames(j *jsonReader, t jsonToken) {
	switch {
	case len(s.frames) > 0 || t != '{' && t != '[' && t != jsonString:
		j.skipFrom(t)
	case t == jsonString:
		for line := range bytes.Lines(j.text) {
			if text := bytes.TrimSpace(line); isFrameLine(text) {
				s.frame(text[len("at "):])
			}
		}
	case t == '{':
		j.members(func(string) { s.jsonFrames(j, j.next()) })
	default:
		s.jsonFrameList(j)
	}
}

// jsonFrameList reads a list whose bracket was read.
func (s *infoDump) jsonFrameList(j *jsonReader) {
	for !j.bad {
		switch t := j.next(); t {
		case ']':
			return
		case '{':
			part := map[string]string{}
			j.members(func(key string) { part[plainKey(key)] = string(j.value()) })
			if class, method := part["class"], part["method"]; class != "" && method != "" {
				s.frame([]byte(class + "." + method + "(" + jsonPlace(part) + ")"))
			}
		case ',', jsonEnd:
		default:
			j.skipFrom(t)
		}
	}
}

func jsonPlace(part map[string]string) string {
	line, known := atoi(part["line"])
	if !known || line == 0 {
		return "Unknown Source"
	}
	return part["file"] + ":" + part["line"]
}
