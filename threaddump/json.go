package threaddump

import (
	"bytes"
	"encoding/json"
)

// jsonReader reads JSON token by token from lines, so that files of any size
// cost little and each value has its line. Strings hold no line breaks, so no
// token spans lines.
type jsonReader struct {
	lines *lines // nil if line is all there is
	line  []byte
	text  []byte // of the string or number read last
	spare []byte
	bad   bool // not JSON, or its end is missing
}

type jsonToken byte

const (
	jsonEnd    jsonToken = 0
	jsonString jsonToken = '"'
	jsonAtom   jsonToken = 'a' // number, true, false, null
)

// next returns a bracket, colon or comma as itself.
func (j *jsonReader) next() jsonToken {
	for {
		j.line = bytes.TrimLeft(j.line, " \t\r")
		if len(j.line) > 0 {
			break
		}
		if j.lines == nil {
			return j.fail()
		}
		line, ok := j.lines.next()
		if !ok {
			return j.fail()
		}
		j.line = line
	}
	switch c := j.line[0]; {
	case c == '"':
		return j.string()
	case bytes.IndexByte([]byte("{}[]:,"), c) >= 0:
		j.line = j.line[1:]
		return jsonToken(c)
	case c == '-' || isAlnum(c):
		n := spanOf(j.line, func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' || c == '+' })
		j.text, j.line = j.line[:n], j.line[n:]
		return jsonAtom
	}
	return j.fail()
}

func (j *jsonReader) fail() jsonToken {
	j.bad = true
	return jsonEnd
}

func (j *jsonReader) string() jsonToken {
	rest := j.line[1:]
	end, escaped := 0, false
	for ; end < len(rest) && rest[end] != '"'; end++ {
		if rest[end] == '\\' {
			escaped = true
			end++
		}
	}
	if end >= len(rest) {
		return j.fail()
	}
	j.text, j.line = rest[:end], rest[end+1:]
	if escaped {
		return j.unescape(j.text)
	}
	return jsonString
}

// simpleEscapes are those that lines of dumps and logs are full of.
var simpleEscapes = [...]byte{'/': '/', '"': '"', '\\': '\\', 'n': '\n', 't': '\t', 'r': '\r'}

// unescape leaves the other escapes to the library.
func (j *jsonReader) unescape(text []byte) jsonToken {
	j.spare = j.spare[:0]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			i++
			if int(text[i]) >= len(simpleEscapes) || simpleEscapes[text[i]] == 0 {
				return j.unescapeAll(text)
			}
			c = simpleEscapes[text[i]]
		}
		j.spare = append(j.spare, c)
	}
	j.text = j.spare
	return jsonString
}

func (j *jsonReader) unescapeAll(text []byte) jsonToken {
	quoted := append(append([]byte{'"'}, text...), '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return j.fail()
	}
	j.text = []byte(s)
	return jsonString
}

// object reads {"key": value, …}; each is called for a key and reads its value.
func (j *jsonReader) object(each func(key string)) {
	if j.next() != '{' {
		j.fail()
	}
	j.members(each)
}

// membersFrom reads the members of an object that begins with t; another value is skipped.
func (j *jsonReader) membersFrom(t jsonToken, each func(key string)) {
	if t != '{' {
		j.skipFrom(t)
		return
	}
	j.members(each)
}

func (j *jsonReader) members(each func(key string)) {
	for !j.bad {
		switch j.next() {
		case '}':
			return
		case ',':
		case jsonString:
			key := string(j.text)
			if j.next() != ':' {
				j.fail()
				return
			}
			each(key)
		default:
			j.fail()
		}
	}
}

// array reads [value, …]; each is called for a value that begins with t.
func (j *jsonReader) array(each func(t jsonToken)) {
	if j.next() != '[' {
		j.fail()
	}
	for !j.bad {
		switch t := j.next(); t {
		case ']':
			return
		case ',':
		case jsonEnd:
		default:
			each(t)
		}
	}
}

// value reads a string or number; null and what has parts are empty.
func (j *jsonReader) value() []byte {
	switch t := j.next(); t {
	case jsonString:
		return j.text
	case jsonAtom:
		if string(j.text) == "null" {
			return nil
		}
		return j.text
	default:
		j.skipFrom(t)
	}
	return nil
}

func (j *jsonReader) skip() { j.skipFrom(j.next()) }

// skipFrom skips the value that begins with t.
func (j *jsonReader) skipFrom(t jsonToken) {
	depth := 0
	for !j.bad {
		switch t {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth <= 0 {
			return
		}
		t = j.next()
	}
}

// plainKey is a key without case, hyphens and underscores.
func plainKey(key string) string {
	plain := make([]byte, 0, len(key))
	for i := range len(key) {
		switch c := key[i]; {
		case c == '_' || c == '-':
		case c >= 'A' && c <= 'Z':
			plain = append(plain, c+'a'-'A')
		default:
			plain = append(plain, c)
		}
	}
	return string(plain)
}
