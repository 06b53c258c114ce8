package htmlreport

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// The limits of a table of states.
const (
	maxColumns = 120
	maxRows    = 500
	maxNames   = 200
)

// stripTable is the states of threads over time, ready to be shown.
type stripTable struct {
	Columns []stripColumn
	Rows    []stripRow
	// Earlier counts dumps that are not shown, MoreRows groups that are not, MoreVirtual virtual threads in no row.
	Earlier, MoreRows, MoreVirtual int
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

// strips returns the states over time. With very many dumps it has only the latest.
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
	t.MoreVirtual = b.Strips.Unlisted
	t.MoreRows = max(0, len(b.Strips.Rows)-maxRows)
	for _, strip := range b.Strips.Rows[:len(b.Strips.Rows)-t.MoreRows] {
		t.Rows = append(t.Rows, b.stripRow(strip, t.Earlier))
	}
	return t
}

func (b *builder) stripRow(s analysis.Strip, from int) stripRow {
	first := s.Threads[0]
	row := stripRow{Role: s.Role, Summary: nameOf(first)}
	if s.Size() > 1 {
		row.Summary = summaryOf(s)
		listed := s.Threads[:min(len(s.Threads), maxNames)]
		row.MoreThreads = s.Size() - len(listed)
		for _, t := range listed {
			row.Threads = append(row.Threads, stripThread{nameOf(t), b.threadLink(t.Name, t.ID)})
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

// summaryOf names the first threads of a row: "12 threads: http-1, http-2 …".
func summaryOf(s analysis.Strip) string {
	noun := "thread"
	if s.Virtual {
		noun = "virtual thread"
	}
	text := finding.Counted(s.Size(), noun) + ": " + nameOf(s.Threads[0])
	if len(s.Threads) > 1 {
		text += ", " + nameOf(s.Threads[1])
	}
	if s.Size() > 2 || s.Size() > len(s.Threads) {
		text += " …"
	}
	return text
}

// nameOf is a thread's name as text, of a virtual thread without one "virtual #31". A cut name has the id behind it.
func nameOf(t analysis.StripThread) string {
	switch name := shown(t.Name); {
	case t.Name == "" && t.ID != 0:
		return fmt.Sprintf("virtual #%d", t.ID)
	case finding.GivenID(t.ID) && strings.HasSuffix(name, "…"):
		return fmt.Sprintf("%s #%d", name, t.ID)
	default:
		return name
	}
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

// shown is a name as text. An unusually long name is cut.
func shown(name string) string {
	const most = 120
	if runes := []rune(render.Escape(name)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return render.Escape(name)
}
