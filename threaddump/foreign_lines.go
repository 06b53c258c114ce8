package threaddump

import (
	"bytes"
	"fmt"
)

// foreignLines gathers lines between those of a dump that do not belong to it, as
// when an application writes to the same output.
type foreignLines struct {
	text        []byte
	first, last int
}

func (f *foreignLines) add(t *threadBuilder, line []byte) {
	n := t.lineNo()
	if f.first == 0 || n > f.last+1 {
		f.end(t)
		f.first = n
		f.text = append(f.text[:0], line[:min(len(line), maxQuote)]...)
	}
	f.last = n
	if isException(line) {
		t.open = false // the frames that follow are the exception's
	}
}

// atEnd forgets lines that no thread followed: what people write under a dump.
func (f *foreignLines) atEnd() { f.first = 0 }

// end makes a Problem of the lines gathered.
func (f *foreignLines) end(t *threadBuilder) {
	if f.first == 0 {
		return
	}
	message := "no line of a thread dump"
	if n := f.last - f.first + 1; n > 1 {
		message = fmt.Sprintf("%d lines that are not of a thread dump", n)
	}
	t.note(f.first, string(f.text), message)
	f.first = 0
}

// isException knows the first line of an exception's stack trace:
// "java.lang.IllegalStateException: text".
func isException(line []byte) bool {
	for _, kind := range []string{"Exception", "Error", "Throwable"} {
		i := bytes.Index(line, []byte(kind))
		if i < 1 || !isAlnum(line[i-1]) && line[i-1] != '.' {
			continue
		}
		if end := i + len(kind); end == len(line) || line[end] == ':' {
			return true
		}
	}
	return false
}
