package top

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// paneLines are the visible lines of the stack of the selected row, room of them.
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

// stackLines are all lines of the pane: the thread, what it waits for, its stack and its locks.
func (m *Model) stackLines() []segment {
	if len(m.rows) == 0 {
		return []segment{{"no thread is selected", faint}}
	}
	r := m.rows[m.selected]
	t := r.thread
	title := m.stackTitle(r)
	if t.State != "" {
		title += ", " + escape(t.State)
	}
	lines := []segment{{"--- " + title, strong}}
	if w := t.WaitsFor; w != nil {
		text := "waits for " + escape(strings.TrimSpace(w.Type+" "+w.Class))
		if w.Address != "" {
			text += escape(" <" + w.Address + ">")
		}
		if w.Owner != nil {
			text += ", held by " + ownerOf(w)
		}
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
		lines = append(lines, segment{"  " + noFrames(t), faint})
	}
	for _, lock := range t.Locks {
		lines = append(lines, segment{"  " + m.code(lock), faint})
	}
	return lines
}

// stackTitle names the threads of a row.
func (m *Model) stackTitle(r *row) string {
	t, most := r.thread, max(20, m.width/2)
	switch {
	case r.key.group == "" && t.Virtual():
		title := render.Shorten(r.threadName(), most)
		switch {
		case t.Name == "": // the id is its name
		case r.threads > 1:
			title += fmt.Sprintf(", oldest #%d", t.ID)
		default:
			title += fmt.Sprintf(" #%d", t.ID)
		}
		return title
	case r.threads > 1 && t.Virtual():
		return fmt.Sprintf("%s threads, one of them %s #%d", finding.Thousands(r.threads),
			render.Shorten(nameOf(t), most), t.ID)
	}
	title := fmt.Sprintf(`"%s"`, render.Shorten(escape(t.Name), most))
	if r.threads > 1 {
		title = fmt.Sprintf("%d threads, one of them %s", r.threads, title)
	}
	if t.NativeID != 0 {
		title += fmt.Sprintf(", nid %d", t.NativeID)
	}
	return title
}

// noFrames says why a thread has no frames.
func noFrames(t *analysis.ThreadReport) string {
	switch {
	case t.StackUnknown:
		return "stack unknown"
	case t.Virtual():
		return "not started yet"
	}
	return "no Java frames"
}

// code is a line of a dump, without packages if there is no room for them.
func (m *Model) code(s string) string {
	return render.ShortenFrame(escape(s), max(1, m.width-2))
}
