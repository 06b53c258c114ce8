package render

import (
	"bufio"
	"io"
	"strings"

	"github.com/fatih/color"
)

const (
	itemIndent = 3  // lines of an item
	labelCells = 10 // room for a label and the space after it
	codeIndent = itemIndent + labelCells + 2
)

// terminal writes a document as lines of at most width columns.
type terminal struct {
	out   *bufio.Writer
	paint map[style]*color.Color
	width int
	blank bool // the last line was empty, or there is none yet
}

func writeText(w io.Writer, d *document, o Options) error {
	t := &terminal{out: bufio.NewWriter(w), paint: palette(o.Color), width: o.Width, blank: true}
	for _, b := range d.blocks {
		switch b := b.(type) {
		case gap:
			t.gap()
		case heading:
			t.heading(b)
		case section:
			t.section(b)
		case line:
			t.line(b)
		case code:
			t.code(b)
		case table:
			t.table(b)
		case tree:
			t.tree(b)
		case source:
			t.source(b)
		}
	}
	return t.out.Flush()
}

// palette gives each style its colours; without colour every style is plain. It does not read the environment, as the
// caller has decided.
func palette(on bool) map[style]*color.Color {
	p := map[style]*color.Color{
		styleStrong:  color.New(color.Bold),
		styleFaint:   color.New(color.Faint),
		styleAlarm:   color.New(color.Bold, color.FgRed),
		styleCaution: color.New(color.Bold, color.FgYellow),
		styleNotice:  color.New(color.Bold, color.FgCyan),
		styleCalm:    color.New(color.Bold, color.FgGreen),
	}
	for _, c := range p {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// write writes text. A failure stays with the buffer and is the error of Flush.
func (t *terminal) write(text string) { _, _ = t.out.WriteString(text) }

// put writes escaped text in a style.
func (t *terminal) put(text string, s style) {
	if c := t.paint[s]; c != nil && text != "" {
		text = c.Sprint(text)
	}
	t.write(text)
}

func (t *terminal) end() {
	t.write("\n")
	t.blank = false
}

func (t *terminal) gap() {
	if !t.blank {
		t.write("\n")
		t.blank = true
	}
}

func (t *terminal) heading(h heading) {
	if h.level != 2 {
		t.gap()
	}
	indent := 0
	if h.level == 3 {
		indent = itemIndent
	}
	t.flow(h.text, 0, indent)
}

func (t *terminal) section(s section) {
	t.gap()
	t.put(pad(escape(s.title), labelCells), styleStrong)
	t.flow(s.text, labelCells, labelCells)
}

func (t *terminal) line(l line) {
	at := 0
	if l.item {
		at = itemIndent
	}
	t.indent(at)
	if l.item || l.under || l.label != "" {
		t.put(pad(escape(l.label), labelCells), styleFaint)
		at += labelCells
	}
	if l.cut {
		t.cutLine(l.text, at)
		return
	}
	t.flow(l.text, at, at)
}

func (t *terminal) code(c code) {
	indent := tableGap
	if c.item {
		indent = codeIndent
	}
	for _, s := range c.lines {
		t.indent(indent)
		t.put(quoted(s).fit(t.room(indent)), stylePlain)
		t.end()
	}
}

func (t *terminal) tree(b tree) {
	for _, r := range b.rows {
		t.put(r.branch, styleFaint)
		t.cutLine(r.text, cells(r.branch))
	}
}

func (t *terminal) source(s source) {
	for _, l := range s.lines {
		t.write(escape(l))
		t.end()
	}
}

func (t *terminal) indent(n int) { t.write(strings.Repeat(" ", n)) }

// room is the remaining width after column at; 0 means no limit.
func (t *terminal) room(at int) int {
	if t.width == 0 {
		return 0
	}
	return max(t.width-at, minFlexible)
}

// cutLine writes spans on the rest of one line. It shortens frames and classes first, the longest before the others.
func (t *terminal) cutLine(text []span, at int) {
	shown := make([]string, len(text))
	over := -t.room(at)
	for i, s := range text {
		shown[i] = escape(s.text)
		over += cells(shown[i])
	}
	for t.width > 0 && over > 0 {
		i := givesWay(text, shown)
		before := cells(shown[i])
		if before < 2 {
			break
		}
		shown[i] = text[i].fit(before - 1)
		over -= before - cells(shown[i])
	}
	for i, s := range text {
		t.put(shown[i], s.style)
	}
	t.end()
}

// givesWay returns the span to shorten: the longest frame or class, or the longest text if these are short.
func givesWay(text []span, shown []string) int {
	longest, code := 0, -1
	for i, s := range shown {
		if cells(s) > cells(shown[longest]) {
			longest = i
		}
		longer := code < 0 || cells(s) > cells(shown[code])
		if text[i].style == styleCode && cells(s) > 2*minFlexible && longer {
			code = i
		}
	}
	if code >= 0 {
		return code
	}
	return longest
}

// flow writes spans from a column on and wraps between words. Lines after the first begin at column indent.
func (t *terminal) flow(text []span, at, indent int) {
	fresh := true
	for _, w := range words(text, t.room(indent)) {
		n, gap := w.cells(), 0
		if w.spaced && !fresh {
			gap = 1
		}
		if !fresh && t.width > 0 && at+gap+n > t.width {
			t.end()
			t.indent(indent)
			at, gap = indent, 0
		}
		t.indent(gap)
		for _, s := range w.parts {
			t.put(s.text, s.style)
		}
		at, fresh = at+gap+n, false
	}
	t.end()
}

// word is text between two spaces. Its style may change inside.
type word struct {
	parts  []span
	spaced bool // a space precedes it
}

// cells counts the columns of the word.
func (w word) cells() int {
	n := 0
	for _, s := range w.parts {
		n += cells(s.text)
	}
	return n
}

// words splits escaped spans at spaces, and words that are wider than limit.
func words(text []span, limit int) []word {
	var out []word
	spaced, joined := false, false
	for _, s := range text {
		for i, piece := range strings.Split(escape(s.text), " ") {
			if i > 0 {
				spaced, joined = true, false
			}
			for _, part := range split(piece, limit) {
				if last := len(out) - 1; joined && (limit == 0 || out[last].cells()+cells(part) <= limit) {
					out[last].parts = append(out[last].parts, span{part, s.style})
				} else {
					out = append(out, word{[]span{{part, s.style}}, spaced})
				}
				spaced, joined = false, true
			}
		}
	}
	return out
}

// split cuts s into pieces of at most limit columns; an empty s has no pieces.
func split(s string, limit int) (out []string) {
	for limit > 1 && cells(s) > limit {
		head := prefixOf(s, limit)
		out = append(out, head)
		s = s[len(head):]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-cells(s)))
}
