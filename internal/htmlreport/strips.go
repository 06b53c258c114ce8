package htmlreport

import (
	"fmt"
	"strings"

	"jstall/analysis"
	"jstall/internal/render"
)

// What a table of states has at most.
const (
	maxColumns = 120
	maxRows    = 500
	maxNames   = 200
)

// stripTable is the states of threads over time, ready to be shown.
type stripTable struct {
	Columns []stripColumn
	Rows    []stripRow
	// Earlier counts dumps that are not shown, MoreRows groups that are not.
	Earlier, MoreRows int
}

type stripColumn struct{ Number, Time string }

type stripRow struct {
	Role    string
	Summary string
	// Threads are listed if there are several; MoreThreads counts the others.
	Threads     []stripThread
	MoreThreads int
	Cells       []stripCell
}

type stripThread struct{ Name, Link string }

// stripCell is one state: a letter for those who cannot tell the colours apart.
type stripCell struct{ Letter, Class, State, Link string }

// strips are the states over time; the latest dumps if they are very many.
func (b *builder) strips() stripTable {
	var t stripTable
	if b.Strips == nil {
		return t
	}
	t.Earlier = max(0, len(b.Strips.Dumps)-maxColumns)
	for _, d := range b.Strips.Dumps[t.Earlier:] {
		c := stripColumn{Number: fmt.Sprint(d.Index)}
		if d.Seconds != nil {
			c.Time = fmt.Sprintf("%.1f s", *d.Seconds)
		}
		t.Columns = append(t.Columns, c)
	}
	t.MoreRows = max(0, len(b.Strips.Rows)-maxRows)
	for _, strip := range b.Strips.Rows[:len(b.Strips.Rows)-t.MoreRows] {
		t.Rows = append(t.Rows, b.stripRow(strip, t.Earlier))
	}
	return t
}

func (b *builder) stripRow(s analysis.Strip, from int) stripRow {
	first := s.Threads[0]
	row := stripRow{Role: s.Role, Summary: shown(first.Name)}
	if n := len(s.Threads); n > 1 {
		row.Summary = fmt.Sprintf("%d threads: %s, %s", n, shown(first.Name), shown(s.Threads[1].Name))
		if n > 2 {
			row.Summary += " …"
		}
		row.MoreThreads = max(0, n-maxNames)
		for _, t := range s.Threads[:n-row.MoreThreads] {
			row.Threads = append(row.Threads, stripThread{shown(t.Name), b.threadLink(t.Name, t.ID)})
		}
	}
	for at := from; at < len(s.States); at++ {
		cell := cellOf(s.States[at])
		if first.Lines[at] > 0 {
			cell.Link = b.raw.link(b.Strips.Dumps[at].Index, first.Lines[at])
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func cellOf(state string) stripCell {
	switch state {
	case "":
		return stripCell{"", "absent", "not in this dump", ""}
	case analysis.NoState:
		return stripCell{"·", "none", "no Java state", ""}
	case "TIMED_WAITING":
		return stripCell{"T", "timed", state, ""}
	}
	return stripCell{state[:1], strings.ToLower(state), state, ""}
}

// shown is a name as text, cut where it is longer than names are.
func shown(name string) string {
	const most = 120
	if runes := []rune(render.Escape(name)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return render.Escape(name)
}
