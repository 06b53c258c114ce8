package render

import (
	"bufio"
	"fmt"
	"html"
	"io"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// HTMLPart is a part of a report that can be on a page without the others.
type HTMLPart string

// The parts. Together they have the content of status --full and threads.
const (
	HTMLFindings HTMLPart = "findings" // verdict, target, findings
	HTMLWork     HTMLPart = "work"     // CPU, what is waited for, locks, virtual threads
	HTMLThreads  HTMLPart = "threads"  // the table of all threads
	HTMLNotes    HTMLPart = "notes"    // warnings, and what the capture cost
)

// Links return the links to places on the page, as "#…"; empty if the page does not show the place.
type Links struct {
	// Line is a line of a dump.
	Line func(dump, line int) string
	// Thread is a thread, by its name and id.
	Thread func(name string, id int64) string
}

// HTML writes a part of a report as the content of an element. It has no style and no script, and escapes all text from
// others. Evidence links to the lines that it quotes.
func HTML(w io.Writer, part HTMLPart, r *analysis.Report, l Links) error {
	p := newPage(r, Options{Full: true})
	dumps := r.Capture.Source != "procfs"
	switch {
	case part == HTMLFindings && dumps:
		p.header()
		showFindings(p)
	case part == HTMLFindings:
		layUnanswered(p, Status)
	case part == HTMLWork && dumps:
		p.options.Full = false // another table has all threads
		showWork(p)
		p.options.Full = true
		showWaitingTable(p)
		showLockTable(p)
		showVirtual(p)
	case part == HTMLThreads && dumps:
		rows := p.rows()
		p.section("Threads", plain(threadStates(p)))
		showThreadTable(p, rows, max(1, len(rows)))
	case part == HTMLNotes && dumps:
		p.notes()
		p.footer()
	}
	h := &htmlWriter{out: bufio.NewWriter(w), links: l}
	for _, b := range p.blocks {
		h.block(b)
	}
	return h.out.Flush()
}

// htmlWriter writes a document as elements. The page defines how they look.
type htmlWriter struct {
	out   *bufio.Writer
	links Links
}

// printf writes text. A failure stays with the buffer and is the error of Flush.
func (h *htmlWriter) printf(format string, args ...any) { _, _ = fmt.Fprintf(h.out, format, args...) }

func (h *htmlWriter) block(b block) {
	switch b := b.(type) {
	case heading:
		h.printf("<h%d>%s</h%d>\n", b.level, htmlSpans(b.text), b.level)
	case section:
		h.printf("<h2>%s</h2>\n<p>%s</p>\n", htmlText(b.title), htmlSpans(b.text))
	case line:
		h.line(b)
	case code:
		h.pre(b.lines)
	case source:
		h.pre(b.lines)
	case tree:
		h.pre(treeLines(b))
	case table:
		h.table(b)
	}
}

func (h *htmlWriter) line(l line) {
	h.printf("<p class=line>")
	if l.label != "" {
		h.printf("<b>%s</b> ", htmlText(l.label))
	}
	if len(l.seen) == 0 {
		h.printf("<span>%s</span></p>\n", htmlSpans(l.text))
		return
	}
	h.printf("<span>%s%s", h.linked(l.seen[0], htmlSpans(l.text[:1])), htmlSpans(l.text[1:]))
	for _, e := range l.seen[1:] {
		if link := h.linked(e, fmt.Sprintf("%d:%d", orZero(e.Dump), orZero(e.Line))); link[0] == '<' {
			h.printf(" %s", link)
		}
	}
	h.printf("</span></p>\n")
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// linked returns markup with a link to the line that evidence quotes, if the page has it.
func (h *htmlWriter) linked(e finding.Evidence, markup string) string {
	if e.Line == nil {
		return markup
	}
	return anchor(h.links.Line(orZero(e.Dump), *e.Line), markup)
}

func anchor(to, markup string) string {
	if to == "" {
		return markup
	}
	return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(to), markup)
}

func (h *htmlWriter) pre(lines []string) {
	h.printf("<pre>")
	for _, s := range lines {
		h.printf("%s\n", htmlText(s))
	}
	h.printf("</pre>\n")
}

func (h *htmlWriter) table(t table) {
	h.printf("<div class=scroll><table><thead><tr>")
	for _, c := range t.columns {
		h.printf("<th scope=col%s>%s</th>", sideOf(c), htmlText(c.title))
	}
	h.printf("</tr></thead><tbody>\n")
	for _, row := range t.rows {
		h.printf("<tr>")
		for i, cell := range row {
			h.printf("<td%s>%s</td>", sideOf(t.columns[i]), htmlSpans([]span{cell}))
		}
		h.printf("</tr>\n")
	}
	h.printf("</tbody></table></div>\n")
}

func sideOf(c column) string {
	if c.right {
		return " class=right"
	}
	return ""
}

// htmlText escapes text from others.
func htmlText(s string) string { return html.EscapeString(escape(s)) }

func htmlSpans(text []span) string {
	markup := ""
	for _, s := range text {
		if s.text == "" {
			continue
		}
		before, after := htmlMarks(s.style)
		markup += before + htmlText(s.text) + after
	}
	return markup
}

func htmlMarks(s style) (before, after string) {
	switch s {
	case styleStrong:
		return "<strong>", "</strong>"
	case styleCode:
		return "<code>", "</code>"
	case styleFaint:
		return "<span class=faint>", "</span>"
	case styleAlarm:
		return "<strong class=alarm>", "</strong>"
	case styleCaution:
		return "<strong class=caution>", "</strong>"
	case styleNotice:
		return "<strong class=notice>", "</strong>"
	case styleCalm:
		return "<strong class=calm>", "</strong>"
	}
	return "", ""
}
