package htmlreport

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/internal/render"
)

const (
	// maxWhole is the size in bytes up to which dumps are shown whole. Of larger dumps only the blocks of the threads
	// that evidence quotes are shown.
	maxWhole = 2 << 20
	// maxQuoted bounds those blocks.
	maxQuoted = 2 << 20
	// The lines of a block before and after a line that is quoted.
	maxBefore, maxAfter = 300, 2000
)

// raw has the original dumps, as far as the page shows them.
type raw struct {
	dumps []rawDump
	whole bool
}

// rawDump is one dump: its lines, which of them are shown, and which are linked to.
type rawDump struct {
	Dump
	lines [][]byte
	shown []span
	ids   map[int]bool // by line of the input
}

// span is a range of lines of a dump, counted from 0.
type span struct{ from, to int }

func newRaw(dumps []Dump, r *analysis.Report) *raw {
	out := &raw{dumps: make([]rawDump, len(dumps)), whole: true}
	size := 0
	for i, d := range dumps {
		size += len(d.Text)
		lines := bytes.Split(bytes.TrimRight(d.Text, "\n"), []byte("\n"))
		out.dumps[i] = rawDump{Dump: d, lines: lines, ids: map[int]bool{}}
	}
	if out.whole = size < maxWhole; out.whole {
		for i, d := range out.dumps {
			if len(d.Text) > 0 {
				out.dumps[i].shown = []span{{0, len(d.lines)}}
			}
		}
		return out
	}
	out.quote(r)
	return out
}

// quote shows the blocks of those threads that evidence quotes.
func (r *raw) quote(report *analysis.Report) {
	size := 0
	for _, f := range report.Findings {
		for _, e := range f.Evidence {
			if e.Dump == nil || e.Line == nil || size > maxQuoted {
				continue
			}
			size += r.show(*e.Dump, *e.Line)
		}
	}
	for i := range r.dumps {
		order.Sort(r.dumps[i].shown, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	}
}

// show adds the block of a line, and returns its size.
func (r *raw) show(dump, line int) (size int) {
	if r.has(dump, line) || dump < 0 || dump >= len(r.dumps) {
		return 0
	}
	d := &r.dumps[dump]
	at := line - d.Line
	if at < 0 || at >= len(d.lines) {
		return 0
	}
	block := d.block(at)
	for _, line := range d.lines[block.from:block.to] {
		size += len(line)
	}
	d.shown = append(d.shown, block)
	return size
}

// block is the lines around one up to the next blank ones, with the owned locks after a blank line, and without lines
// that are shown already.
func (d *rawDump) block(at int) span {
	b := span{at, at + 1}
	for b.from > 0 && at-b.from < maxBefore && !d.ends(b.from-1) {
		b.from--
	}
	for b.to < len(d.lines) && b.to-at < maxAfter && (!d.ends(b.to) || d.goesOn(b.to)) {
		b.to++
	}
	return b
}

// ends reports whether a line is blank or shown already.
func (d *rawDump) ends(at int) bool {
	return len(bytes.TrimSpace(d.lines[at])) == 0 || d.shows(at)
}

// goesOn reports whether a line is blank and the owned locks of the same thread follow.
func (d *rawDump) goesOn(at int) bool {
	return !d.shows(at) && at+1 < len(d.lines) && bytes.HasPrefix(d.lines[at+1], []byte("   Locked ownable"))
}

func (d *rawDump) shows(at int) bool {
	return slices.ContainsFunc(d.shown, func(s span) bool { return s.from <= at && at < s.to })
}

// has reports whether the page shows a line of a dump.
func (r *raw) has(dump, line int) bool {
	return dump >= 0 && dump < len(r.dumps) && r.dumps[dump].shows(line-r.dumps[dump].Line)
}

// link links to a line of a dump, which then gets a name; empty if the page does not have the line.
func (r *raw) link(dump, line int) string {
	if !r.has(dump, line) {
		return ""
	}
	r.dumps[dump].ids[line] = true
	return "#" + lineID(dump, line)
}

func lineID(dump, line int) string { return fmt.Sprintf("d%d-%d", dump, line) }

// rawSection is one dump on the page.
type rawSection struct {
	Title  string
	Blocks []template.HTML
}

// sections returns the dumps that are shown in part or whole.
func (r *raw) sections() []rawSection {
	var out []rawSection
	for i := range r.dumps {
		d := &r.dumps[i]
		if len(d.shown) == 0 {
			continue
		}
		s := rawSection{Title: fmt.Sprintf("Dump %d", i+1)}
		if d.Source != "" {
			s.Title += ", " + render.Escape(d.Source)
		}
		for _, shown := range d.shown {
			s.Blocks = append(s.Blocks, d.markup(i, shown))
		}
		out = append(out, s)
	}
	return out
}

// markup is the text of a block, with names on the lines that are linked to.
func (d *rawDump) markup(dump int, block span) template.HTML {
	var out strings.Builder
	for at := block.from; at < block.to; at++ {
		text := html.EscapeString(visible(d.lines[at]))
		if line := d.Line + at; d.ids[line] {
			fmt.Fprintf(&out, "<span id=%q>%s</span>\n", lineID(dump, line), text)
			continue
		}
		out.WriteString(text + "\n")
	}
	return template.HTML(out.String())
}

// visible is a line without characters that could hide or reorder its text; tabs stay.
func visible(line []byte) string {
	parts := strings.Split(strings.TrimSuffix(string(line), "\r"), "\t")
	for i, part := range parts {
		parts[i] = render.Escape(part)
	}
	return strings.Join(parts, "\t")
}
