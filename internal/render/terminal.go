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
	tableGap   = 2
	// minFlexible is how narrow a flexible column may become.
	minFlexible = 16
)

// terminal writes a document as lines of at most width columns.
type terminal struct {
	out    *bufio.Writer
	paint  map[style]*color.Color
	width  int
	blank  bool // the last line written was empty, or none was
	inItem bool
}

func writeText(w io.Writer, d *document, o Options) error {
	t := &terminal{out: bufio.NewWriter(w), paint: palette(o.Color), width: o.Width, blank: true}
	for _, b := range d.blocks {
		switch b := b.(type) {
		case heading:
			t.heading(b)
		case line:
			t.line(b)
		case code:
			t.code(b)
		case table:
			t.table(b)
		}
	}
	return t.out.Flush()
}

// palette gives each style its colours; without colour every style is plain. The
// colours do not look at the environment: the caller has decided.
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

// put writes escaped text in a style.
func (t *terminal) put(text string, s style) {
	if c := t.paint[s]; c != nil && text != "" {
		text = c.Sprint(text)
	}
	t.out.WriteString(text)
}

func (t *terminal) end() {
	t.out.WriteByte('\n')
	t.blank = false
}

func (t *terminal) gap() {
	if !t.blank {
		t.out.WriteByte('\n')
		t.blank = true
	}
}

func (t *terminal) heading(h heading) {
	t.gap()
	t.inItem = h.level == 3
	indent := 0
	if t.inItem {
		indent = itemIndent
	}
	t.flow(h.text, 0, indent)
}

func (t *terminal) line(l line) {
	indent := 0
	if l.item {
		indent = itemIndent
	}
	t.indent(indent)
	if l.item || l.label != "" {
		t.put(pad(escape(l.label), labelCells), styleFaint)
		indent += labelCells
	}
	if l.cut {
		t.cutLine(l.text, indent)
		return
	}
	t.flow(l.text, indent, indent)
}

func (t *terminal) code(c code) {
	indent := tableGap
	if c.item {
		indent = codeIndent
	}
	for _, s := range c.lines {
		t.indent(indent)
		t.put(shorten(escape(s), t.room(indent)), stylePlain)
		t.end()
	}
}

func (t *terminal) indent(n int) { t.out.WriteString(strings.Repeat(" ", n)) }

// room is what is left of the width beyond column at; 0 means no limit.
func (t *terminal) room(at int) int {
	if t.width == 0 {
		return 0
	}
	return max(t.width-at, minFlexible)
}

// cutLine writes spans on what is left of one line; the last of them gives way.
func (t *terminal) cutLine(text []span, at int) {
	for i, s := range text {
		shown := escape(s.text)
		if i == len(text)-1 {
			shown = shorten(shown, t.room(at))
		}
		t.put(shown, s.style)
		at += cells(shown)
	}
	t.end()
}

// flow writes spans from column at on and wraps between words; lines after the
// first begin at column indent.
func (t *terminal) flow(text []span, at, indent int) {
	fresh := true
	for _, word := range words(text) {
		n := word.cells()
		if !fresh && t.width > 0 && at+n > t.width {
			t.end()
			t.indent(indent)
			at, fresh = indent, true
		}
		if word.spaced && !fresh {
			t.out.WriteByte(' ')
			at++
		}
		for _, s := range word.parts {
			t.put(s.text, s.style)
		}
		at, fresh = at+n, false
	}
	t.end()
}

// word is text between two spaces; it may change its style within.
type word struct {
	parts  []span
	spaced bool // a space comes before it
}

// cells counts the columns of the word with the space before it.
func (w word) cells() int {
	n := 0
	if w.spaced {
		n = 1
	}
	for _, s := range w.parts {
		n += cells(s.text)
	}
	return n
}

// words splits spans at spaces, escaped.
func words(text []span) []word {
	var out []word
	spaced := false
	joined := false
	for _, s := range text {
		for i, piece := range strings.Split(escape(s.text), " ") {
			if i > 0 {
				spaced, joined = true, false
			}
			if piece == "" {
				continue
			}
			if joined {
				last := &out[len(out)-1]
				last.parts = append(last.parts, span{piece, s.style})
			} else {
				out = append(out, word{[]span{{piece, s.style}}, spaced})
			}
			spaced, joined = false, true
		}
	}
	return out
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-cells(s)))
}

// table writes columns as wide as their widest cell; flexible ones share the
// loss if the table is wider than the terminal.
func (t *terminal) table(tb table) {
	rows := escaped(tb)
	widths := columnWidths(tb.columns, rows)
	t.fit(tb.columns, widths)
	header := make([]span, len(tb.columns))
	for i, c := range tb.columns {
		header[i] = faint(c.title)
	}
	for _, row := range append([][]span{header}, rows...) {
		t.row(tb.columns, widths, row)
	}
}

func escaped(tb table) [][]span {
	rows := make([][]span, len(tb.rows))
	for i, row := range tb.rows {
		rows[i] = make([]span, len(row))
		for j, s := range row {
			rows[i][j] = span{escape(s.text), s.style}
		}
	}
	return rows
}

func columnWidths(columns []column, rows [][]span) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = cells(c.title)
		for _, row := range rows {
			widths[i] = max(widths[i], cells(row[i].text))
		}
	}
	return widths
}

// fit takes columns off the widest flexible column until the table fits.
func (t *terminal) fit(columns []column, widths []int) {
	total := 0
	for _, w := range widths {
		total += w + tableGap
	}
	for over := total - t.width; t.width > 0 && over > 0; over-- {
		widest := -1
		for i, c := range columns {
			if c.flexible && widths[i] > minFlexible && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func (t *terminal) row(columns []column, widths []int, row []span) {
	for i, s := range row {
		shown := s.text
		if columns[i].flexible {
			shown = shorten(shown, widths[i])
		}
		fill := max(0, widths[i]-cells(shown))
		t.indent(tableGap)
		if columns[i].right {
			t.indent(fill)
		}
		t.put(shown, s.style)
		if !columns[i].right && i < len(row)-1 {
			t.indent(fill)
		}
	}
	t.end()
}
