package threaddump

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrNoDump is what errors of Next and Parse are (errors.Is) when the input
// holds no thread dump. Their text says what the input is instead.
var ErrNoDump = errors.New("no thread dump")

type noDumpError struct{ what string }

func (e *noDumpError) Error() string   { return "no thread dump: " + e.what }
func (e *noDumpError) Is(t error) bool { return t == ErrNoDump }

// sniffer looks at an input without dumps to say what it is.
type sniffer struct {
	head  []byte // of the input
	lines int
	// foreign is the dump of another JVM that was met, nil if none was.
	foreign *ForeignError
	quotes  quoteFinder
}

const sniffed = 16 << 10

func (s *sniffer) see(line []byte) {
	s.lines++
	s.quotes.see(line)
	if n := sniffed - len(s.head); n > 0 {
		s.head = append(append(s.head, line[:min(n, len(line))]...), '\n')
	}
}

// refusals are first lines of what a JVM answers an attach client.
var refusals = [...]struct{ begin, what string }{
	{"-1\n", "it is a JVM's refusal of an attach command"},
	{"101\n", "it is a JVM's refusal of the attach protocol's version"},
}

const gcLog = "it is a GC log, which GCViewer reads"

// marks are texts that tell a kind of file.
var marks = [...]struct{ text, what string }{
	{"A fatal error has been detected by the Java Runtime Environment", "it is the log of a JVM crash (hs_err)"},
	{"#instances         #bytes  class name", "it is a heap histogram"},
	{"garbage-first heap ", "it describes a heap"},
	{"][gc", gcLog}, {"[GC (", gcLog}, {"[Full GC (", gcLog}, {"CommandLine flags: -XX:", gcLog},
	{"\tat ", "it has stack traces, but no threads"},
}

func (s *sniffer) verdict() error {
	if s.foreign == nil && bytes.IndexByte(s.head, 0) < 0 && !isCrashLog(s.head) {
		s.foreign = s.notice()
		if s.foreign == nil {
			s.foreign = foreignOf(s.head)
		}
		if s.foreign == nil {
			s.foreign = s.quotes.refusal()
		}
	}
	if s.foreign != nil {
		return s.foreign
	}
	return &noDumpError{s.what()}
}

// notice is the warning of a library in the first lines, or in the first stack that is quoted.
func (s *sniffer) notice() *ForeignError {
	if n := noticeOf(bytes.Join(bareLines(s.head), []byte("\n"))); n != nil {
		return n
	}
	s.quotes.end()
	return noticeOf(bytes.Join(s.quotes.found, []byte("\n")))
}

// isCrashLog recognises the log of a JVM's crash, which has native frames in it.
func isCrashLog(head []byte) bool { return bytes.Contains(head, []byte(marks[0].text)) }

func (s *sniffer) what() string {
	if len(bytes.TrimSpace(s.head)) == 0 {
		return "the input is empty"
	}
	if format := FileFormatOf(s.head); format != "" {
		return "it is " + string(format)
	}
	for _, r := range refusals {
		if bytes.HasPrefix(s.head, []byte(r.begin)) {
			return r.what + s.second(r.begin)
		}
	}
	if bytes.IndexByte(s.head, 0) >= 0 {
		return "the input is binary"
	}
	for _, m := range marks {
		if bytes.Contains(s.head, []byte(m.text)) {
			return m.what
		}
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(s.head), []byte("\n"))
	lines := "1 line"
	if s.lines != 1 {
		lines = fmt.Sprintf("%d lines", s.lines)
	}
	return fmt.Sprintf("%s of other text that begins %q", lines, first[:min(len(first), 80)])
}

// second quotes what a JVM answers after the status.
func (s *sniffer) second(begin string) string {
	line, _, _ := bytes.Cut(s.head[len(begin):], []byte("\n"))
	if len(line) == 0 {
		return ""
	}
	return fmt.Sprintf(": %q", line[:min(len(line), 200)])
}
