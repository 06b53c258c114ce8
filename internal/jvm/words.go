package jvm

import "strings"

// words splits text at white space outside of quotes.
type words struct {
	// argFile adds the syntax that argument files of the launcher have and environment variables do not (args.c of the
	// JDK): comments from # to the end of the line, and backslashes within quotes.
	argFile bool

	done   []string
	word   strings.Builder
	inside bool // a word has begun, perhaps an empty one in quotes
	quote  byte // the quote that is open, or 0
}

func splitWords(text string, argFile bool) []string {
	w := words{argFile: argFile}
	for text != "" {
		if w.quote != 0 {
			text = w.quoted(text)
		} else {
			text = w.plain(text)
		}
	}
	w.end()
	return w.done
}

// plain takes the next character outside of quotes and returns the rest.
func (w *words) plain(text string) string {
	ch := text[0]
	switch {
	case ch == '"' || ch == '\'':
		w.quote, w.inside = ch, true
	case w.argFile && ch == '#' && !w.inside:
		_, rest, _ := strings.Cut(text, "\n")
		return rest
	case strings.IndexByte(" \t\r\n\f\v", ch) >= 0:
		w.end()
	default:
		w.word.WriteByte(ch)
		w.inside = true
	}
	return text[1:]
}

func (w *words) quoted(text string) string {
	ch := text[0]
	switch {
	case ch == w.quote:
		w.quote = 0
	case ch == '\\' && w.argFile && len(text) > 1:
		return w.escaped(text[1:])
	default:
		w.word.WriteByte(ch)
	}
	return text[1:]
}

// escaped takes the character after a backslash. A backslash before the end of a line joins the next line, without its
// indentation.
func (w *words) escaped(text string) string {
	controls := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'f': '\f'}
	switch ch := text[0]; {
	case ch == '\n' || ch == '\r':
		return strings.TrimLeft(text, "\r\n \t\f")
	case controls[ch] != 0:
		w.word.WriteByte(controls[ch])
	default:
		w.word.WriteByte(ch)
	}
	return text[1:]
}

func (w *words) end() {
	if w.inside {
		w.done = append(w.done, w.word.String())
	}
	w.word.Reset()
	w.inside = false
}
