package top

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// The widths of the columns in cells, and the minimum widths of a screen with these columns.
const (
	cpuCells, stateCells, waitedCells, countCells = 6, 8, 9, 6
	widthForWaits, widthForFrames, widthForWaited = 50, 76, 96
	columnGap                                     = "  "
)

// column is a column of the table. Its text is escaped, and cut or filled to its width.
type column struct {
	title string
	cells int
	right bool
	text  func(r *row, cells int) string
}

// columns are the columns for which the screen has room.
func (m *Model) columns() []column {
	all := []column{{"CPU %", cpuCells, true, func(r *row, _ int) string { return render.Percent(r.cpu) }}}
	if m.group != groupNone {
		all = append(all, column{"COUNT", countCells, true,
			func(r *row, _ int) string { return fmt.Sprint(r.threads) }})
	}
	all = append(all, column{"STATE", stateCells, false, func(r *row, _ int) string { return stateWord(r.state) }})
	if m.width >= widthForWaited || m.sort == sortWait && m.width >= widthForWaits {
		all = append(all, column{"WAITED", waitedCells, true, func(r *row, _ int) string { return waitedWord(r) }})
	}
	rest := m.width - 1 // the mark of the selected row
	for _, c := range all {
		rest -= c.cells + len(columnGap)
	}
	flexible := []column{{"THREAD", 0, false, threadCell}}
	if m.width >= widthForWaits {
		flexible = append(flexible, column{"WAITS FOR", 0, false, func(r *row, n int) string {
			return cutEnd(waitWords(r.thread), n)
		}})
	}
	if m.width >= widthForFrames {
		flexible = append(flexible, column{"FRAME", 0, false, func(r *row, n int) string {
			return render.ShortenFrame(escape(firstFrame(r.thread)), n)
		}})
	}
	rest -= (len(flexible) - 1) * len(columnGap)
	for i := range flexible {
		flexible[i].cells = max(1, rest/(len(flexible)-i))
		rest -= flexible[i].cells
	}
	return append(all, flexible...)
}

// threadCell is the name of a row's thread. A name that is cut is followed by the thread's id, as two names may differ
// only in the missing part.
func threadCell(r *row, cells int) string {
	name := r.name()
	mark := fmt.Sprintf(" #%d", r.thread.ID)
	if r.threads > 1 || r.thread.ID == 0 || render.Cells(name) <= cells || cells < 2*len(mark) {
		return render.Shorten(name, cells)
	}
	return render.Shorten(name, cells-len(mark)) + mark
}

func (r *row) name() string {
	if r.key.group != "" || r.thread.Name == "" && !r.thread.Virtual() {
		return escape(r.key.group)
	}
	return r.threadName()
}

// threadName is the escaped name of a row's threads.
func (r *row) threadName() string {
	if len(r.members) < 2 || r.key.group != "" {
		return nameOf(r.thread)
	}
	bounded := make([]*analysis.ThreadReport, len(r.members))
	for i, t := range r.members {
		short := *t
		short.Name = atMost(t.Name)
		bounded[i] = &short
	}
	return render.ThreadNames(bounded)
}

// nameOf is the escaped name of a row of threads.
func nameOf(t *analysis.ThreadReport) string {
	bounded := *t
	bounded.Name = atMost(t.Name)
	return render.ThreadName(&bounded)
}

// ownerOf is the escaped name of the thread that another one waits for.
func ownerOf(w *analysis.Wait) string {
	owner := *w.Owner
	owner.Name = atMost(owner.Name)
	return render.ThreadCalled(owner)
}

func stateWord(state string) string {
	switch state {
	case "":
		return "-"
	case "TIMED_WAITING":
		return "TIMED"
	}
	return cutEnd(escape(state), stateCells)
}

func waitedWord(r *row) string {
	if r.waited <= 0 {
		return ""
	}
	return age(r.waited)
}

// waitWords names the owner of what a thread waits for, and the object: `"refresh", monitor com.acme.Cache`.
func waitWords(t *analysis.ThreadReport) string {
	w := t.WaitsFor
	switch {
	case w == nil && t.Idle != "":
		return escape("idle (" + t.Idle + ")")
	case w == nil:
		return ""
	}
	what := w.Type
	switch {
	case w.Class != "":
		what += " " + w.Class[strings.LastIndexByte(w.Class, '.')+1:]
	case w.Operation != "":
		what += " in " + w.Operation
	}
	if w.Owner != nil {
		return ownerOf(w) + ", " + escape(what)
	}
	return escape(what)
}

// tableLines are the title and the visible rows.
func (m *Model) tableLines(visible int) []string {
	columns := m.columns()
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.align(cutEnd(c.title, c.cells))
	}
	lines := []string{m.line(segment{" " + strings.Join(titles, columnGap), strong})}
	m.offset = max(0, min(m.offset, m.selected, len(m.rows)-visible))
	if m.selected >= m.offset+visible {
		m.offset = m.selected - visible + 1
	}
	for i := m.offset; i < min(len(m.rows), m.offset+visible); i++ {
		lines = append(lines, m.rowLine(m.rows[i], columns, i == m.selected))
	}
	if len(m.rows) == 0 && m.now != nil && visible > 0 {
		lines = append(lines, m.line(segment{" no thread passes the filters (Esc, f)", faint}))
	}
	return lines
}

func (m *Model) rowLine(r *row, columns []column, selected bool) string {
	mark := " "
	if selected {
		mark = ">"
	}
	segments := []segment{{mark, plain}}
	for i, c := range columns {
		if i > 0 {
			segments = append(segments, segment{columnGap, plain})
		}
		segments = append(segments, segment{c.align(c.text(r, c.cells)), rowStyle(c, r)})
	}
	if selected {
		text := ""
		for _, s := range segments {
			text += s.text
		}
		segments = []segment{{render.Pad(text, m.width), chosen}}
	}
	return m.line(segments...)
}

func rowStyle(c column, r *row) style {
	switch {
	case c.title == "STATE" && r.state == "BLOCKED":
		return alarm
	case c.title == "CPU %" && r.cpu != nil && *r.cpu >= 50:
		return strong
	case c.title == "FRAME":
		return faint
	}
	return plain
}

// align fills text up to the width of the column.
func (c column) align(text string) string {
	if c.right {
		return strings.Repeat(" ", max(0, c.cells-render.Cells(text))) + text
	}
	return render.Pad(text, c.cells)
}
