package top

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/internal/render"
)

// layout divides the lines of the screen.
type layout struct {
	header, findings []string
	// rows and pane are the lines of the table below its title, and of the pane with the stack.
	rows, pane int
}

func (m *Model) layout() layout {
	l := layout{header: m.header(), findings: m.findingLines()}
	const titles = 2                    // the title of the table, and the line at the bottom
	most := max(1, (m.height-titles)/2) // the others are for the threads
	l.header = l.header[:min(most, len(l.header))]
	l.findings = l.findings[:min(most-len(l.header), len(l.findings))]
	free := m.height - titles - len(l.header) - len(l.findings)
	if m.stack && free >= 2 {
		l.pane = (free + 1) / 2
	}
	l.rows = max(0, free-l.pane)
	return l
}

// View returns the screen. It has at most as many lines as the terminal, and none is wider.
func (m *Model) View() string {
	if m.help {
		return strings.Join(m.fit(m.helpLines()), "\n")
	}
	l := m.layout()
	lines := append(append([]string(nil), l.header...), l.findings...)
	lines = append(lines, m.tableLines(l.rows)...)
	for len(lines) < len(l.header)+len(l.findings)+1+l.rows {
		lines = append(lines, "")
	}
	if l.pane > 0 {
		lines = append(lines, m.paneLines(l.pane)...)
	}
	return strings.Join(m.fit(lines), "\n")
}

// fit cuts or fills lines up to the last one of the screen, which shows the state of the screen itself.
func (m *Model) fit(lines []string) []string {
	room := m.height - 1
	lines = lines[:min(room, len(lines))]
	for len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines, m.bottom())
}

// bottom is the last line: the typed pattern, a message, or the filters and the order.
func (m *Model) bottom() string {
	switch {
	case m.prompt.open && m.prompt.wrong != "":
		return m.line(segment{"/" + escape(m.prompt.text), strong},
			segment{"  " + escape(m.prompt.wrong), caution})
	case m.prompt.open:
		return m.line(segment{"/" + escape(m.prompt.text), strong},
			segment{fmt.Sprintf("  %d of %d threads; Enter keeps, Esc shows all", m.shown(), m.all), faint})
	case m.message != "":
		return m.line(segment{escape(m.message), strong})
	case m.help:
		return m.line(segment{"any key closes the help", faint})
	}
	return m.line(m.situation()...)
}

// shown counts the threads that pass the filters.
func (m *Model) shown() int {
	n := 0
	for _, r := range m.rows {
		n += r.threads
	}
	return n
}

// situation describes what the table shows, the most important first.
func (m *Model) situation() []segment {
	var parts []segment
	add := func(text string, s style) { parts = append(parts, segment{text + "  ", s}) }
	switch {
	case m.ended != "":
		add("ended: "+escape(m.ended), alarm)
	case m.paused:
		add("paused", caution)
	}
	if m.pattern != nil {
		add("/"+escape(m.pattern.String()), strong)
	}
	if m.state != everyState {
		add(m.state.String()+" only", strong)
	}
	if m.group != groupNone {
		add("by "+m.group.String(), strong)
	}
	sorted := "sorted by " + m.sort.String()
	if m.reverse {
		sorted += " (reversed)"
	}
	add(sorted, faint)
	if n := len(m.rows); n > 0 {
		add(fmt.Sprintf("%d/%d", m.selected+1, n), faint)
	}
	add("? help", faint)
	add("q quit", faint)
	return parts
}

// helpLines explain the keys.
func (m *Model) helpLines() []string {
	keys := [...][2]string{
		{"q, Ctrl-C", "quit; Ctrl-Z suspends"},
		{"arrows, j, k", "select a thread; PgUp, PgDn, Home, End"},
		{"Enter, Tab", "open or close the stack of the selected thread"},
		{"left, right", "scroll the stack"},
		{"s", "sort by CPU, state, name, wait time; r reverses"},
		{"/", "show names that match a regular expression; Esc shows all"},
		{"f", "show all, not idle, or one state"},
		{"g", "group by pool (name pattern) or by stack"},
		{"p, space", "pause; the JVM is not read meanwhile"},
		{"w", "write the latest readings to jstall-PID-TIME.zip"},
		{"", ""},
		{"CPU %", "of one core, over the latest readings"},
		{"WAITED", "how long jstall has seen the thread wait"},
	}
	const keyCells = 14
	lines := []string{m.line(segment{"Keys", strong})}
	for _, k := range keys {
		for i, part := range wrap(k[1], max(1, m.width-keyCells), 3) {
			if i > 0 {
				k[0] = ""
			}
			lines = append(lines, m.line(segment{render.Pad(k[0], keyCells), strong}, segment{part, plain}))
		}
	}
	return lines
}
