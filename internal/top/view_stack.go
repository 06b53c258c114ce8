package top

import (
	"fmt"
	"strings"

	"jstall/internal/render"
)

// paneLines are the visible lines of the stack of the selected row, so many.
func (m *Model) paneLines(room int) []string {
	all := m.stackLines()
	m.scroll = max(0, min(m.scroll, len(all)-1))
	var lines []string
	for i, s := range all {
		if i > 0 && i <= m.scroll {
			continue // the first line stays
		}
		if len(lines) == room {
			break
		}
		lines = append(lines, m.line(s))
	}
	return lines
}

// stackLines are all lines of the pane: who it is, what the thread waits for, its stack and its locks.
func (m *Model) stackLines() []segment {
	if len(m.rows) == 0 {
		return []segment{{"no thread is selected", faint}}
	}
	r := m.rows[m.selected]
	t := r.thread
	title := fmt.Sprintf(`"%s"`, render.Shorten(escape(t.Name), max(20, m.width/2)))
	if r.threads > 1 {
		title = fmt.Sprintf("%d threads, one of them %s", r.threads, title)
	}
	if t.NativeID != 0 {
		title += fmt.Sprintf(", nid %d", t.NativeID)
	}
	if t.State != "" {
		title += ", " + escape(t.State)
	}
	lines := []segment{{"--- " + title, strong}}
	if w := t.WaitsFor; w != nil {
		text := "waits for " + strings.TrimSpace(w.Type+" "+w.Class)
		if w.Address != "" {
			text += " <" + w.Address + ">"
		}
		if w.Owner != nil {
			text += `, held by "` + w.Owner.Name + `"`
		}
		text = escape(text)
		if waited := m.waited(keyOf(t)); waited > 0 {
			text += ", for " + age(waited)
		}
		for _, part := range wrap(text, m.width, 3) {
			lines = append(lines, segment{part, caution})
		}
	}
	for _, frame := range t.Stack {
		lines = append(lines, segment{"  " + m.code(frame), plain})
	}
	if len(t.Stack) == 0 {
		lines = append(lines, segment{"  no Java frames", faint})
	}
	for _, lock := range t.Locks {
		lines = append(lines, segment{"  " + m.code(lock), faint})
	}
	return lines
}

// code is a line of a dump, without packages where there is no room for them.
func (m *Model) code(s string) string {
	return render.ShortenFrame(escape(s), max(1, m.width-2))
}
