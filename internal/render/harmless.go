package render

import (
	"bytes"
	"io"
	"strings"
)

// Harmless writes text from others to a terminal. It keeps lines and tabs, and escapes all else that could change the
// terminal, as Escape does. A line ends with \n or \r\n. Flush writes an unfinished last line.
type Harmless struct {
	to   io.Writer
	line []byte // not written yet
}

// longestHeld is how many bytes of an unfinished line are held. A longer line is written in pieces.
const longestHeld = 64 << 10

// NewHarmless returns a Harmless that writes to another writer.
func NewHarmless(to io.Writer) *Harmless { return &Harmless{to: to} }

// Write takes all of b. The error is that of the writer below.
func (t *Harmless) Write(b []byte) (int, error) {
	t.line = append(t.line, b...)
	end := bytes.LastIndexByte(t.line, '\n') + 1
	if end == 0 && len(t.line) > longestHeld {
		end = len(t.line) - len(cutRune(t.line))
	}
	if end == 0 {
		return len(b), nil
	}
	text := string(t.line[:end])
	t.line = append(t.line[:0], t.line[end:]...)
	return len(b), t.write(text)
}

// Flush writes what Write has held.
func (t *Harmless) Flush() error {
	text := string(t.line)
	t.line = nil
	return t.write(text)
}

func (t *Harmless) write(text string) error {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(EscapeLine(line))
	}
	_, err := io.WriteString(t.to, out.String())
	return err
}

// EscapeLine is Escape for a line. Its tabs and its \n or \r\n stay.
func EscapeLine(line string) string {
	text, ended := strings.CutSuffix(line, "\n")
	if ended {
		text = strings.TrimSuffix(text, "\r")
	}
	parts := strings.Split(text, "\t")
	for i, part := range parts {
		parts[i] = escape(part)
	}
	text = strings.Join(parts, "\t")
	if ended {
		text += "\n"
	}
	return text
}

// cutRune returns the incomplete character at the end of b, empty if the last one is complete.
func cutRune(b []byte) []byte {
	const lead = 0xc0 // a byte that begins a character of several bytes has these two bits
	for n := 1; n < 4 && n <= len(b); n++ {
		if last := b[len(b)-n]; last&lead == lead {
			return b[len(b)-n:]
		} else if last < 0x80 {
			break
		}
	}
	return nil
}
