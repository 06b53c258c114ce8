package threaddump

import "bytes"

// maxPrefix is how long a logger's prefix may be.
const maxPrefix = 200

// bareLines returns the lines of a part of a log without what a logger or container runtime put around them: an object
// of JSON around a line or a message, or a prefix before each line, which the frames of a stack show.
func bareLines(log []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(log) {
		line = bytes.TrimRight(line, "\r\n")
		if texts := logTexts(line); texts != nil {
			all = append(all, texts...)
			continue
		}
		all = append(all, line)
	}
	p := prefixOfFrames(all)
	for i := range all {
		if p != nil {
			all[i], _ = p.cut(all[i])
		}
		all[i] = bytes.TrimRight(all[i], " \t\r")
	}
	return all
}

// logTexts are the lines in a line of JSON of a log, the message before the stack; nil if it is no such line.
func logTexts(line []byte) [][]byte {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return nil
	}
	var message, stack []byte
	eachJSONString(line, func(key string, value []byte) bool {
		switch {
		case bytes.Contains(value, []byte("\n"+frameBegin)):
			stack = bytes.Clone(value)
		case key == dockerKey, key == "message", key == "msg":
			message = bytes.Clone(value)
		}
		return true
	})
	if message == nil && stack == nil {
		return nil
	}
	lines := bytes.Split(bytes.TrimRight(message, "\n"), []byte("\n"))
	if stack != nil {
		lines = append(lines, bytes.Split(bytes.TrimRight(stack, "\n"), []byte("\n"))...)
	}
	return lines
}

// prefixOfFrames learns what is before two frames that follow each other, nil if blanks alone are.
func prefixOfFrames(lines [][]byte) *prefix {
	for i := 1; i < len(lines); i++ {
		at := cutFrame(lines[i])
		if at <= 0 || cutFrame(lines[i-1]) <= 0 {
			continue
		}
		p := prefixAt(lines[i], at)
		if p == nil {
			continue
		}
		if rest, ok := p.cut(lines[i-1]); ok && isFrame(rest) {
			return p
		}
	}
	return nil
}

// prefixAt learns what is before the frame at a place of a line, nil if blanks alone are. The blanks before the frame
// are its own but for one.
func prefixAt(line []byte, at int) *prefix {
	before := bytes.TrimRight(line[:max(at, 0)], " \t")
	if len(before) == 0 || len(before) > maxPrefix {
		return nil
	}
	if len(before) < at && line[len(before)] == ' ' {
		before = line[:len(before)+1]
	}
	return newPrefix(before)
}

// isFrame recognises a frame with or without "at " before it, and blanks around it.
func isFrame(line []byte) bool {
	text := bytes.TrimSpace(line)
	return isBareFrame(text) || isFrameLine(text)
}

// cutFrame finds where in a line a frame begins that ends with the line, with its "at "; -1 if none does.
func cutFrame(line []byte) int {
	text := bytes.TrimRight(line, " \t\r")
	if len(text) == 0 || text[len(text)-1] != ')' {
		return -1
	}
	open := bytes.LastIndexByte(text, '(')
	if open < 1 {
		return -1
	}
	begin := bytes.LastIndexAny(text[:open], " \t") + 1
	if !isBareFrame(text[begin:]) || !isPlace(text[open+1:len(text)-1]) {
		return -1
	}
	at := begin - len("at ")
	if at >= 0 && bytes.HasPrefix(text[at:], []byte("at ")) && (at == 0 || text[at-1] <= ' ') {
		return at
	}
	return begin
}

// isPlace recognises what is in the brackets of a frame: a file with a line, or one of the JVM's words.
func isPlace(text []byte) bool {
	switch text = text[bytes.LastIndexByte(text, '/')+1:]; string(text) {
	case "Native Method", "Unknown Source", "Redefined":
		return true
	}
	file, line, numbered := bytes.Cut(text, []byte(":"))
	if numbered && (len(line) == 0 || spanOf(line, isDigit) < len(line)) {
		return false
	}
	dot := bytes.LastIndexByte(file, '.')
	return dot > 0 && dot < len(file)-1 && bytes.IndexByte(file, ' ') < 0
}
