package render

import (
	"fmt"
	"io"
	"strings"
)

// Methods is the output of `jstall flame` without an output file.
type Methods struct {
	// Title says what was profiled.
	Title string
	// Unit is the unit of the weights: "nanoseconds", "bytes" or "count"; Weight names them.
	Unit, Weight string
	// Groups is a single group, or one per thread.
	Groups []MethodGroup
	// Notes are below the tables.
	Notes []string
	// Diff adds the columns of the base.
	Diff bool
}

// MethodGroup is a table of methods.
type MethodGroup struct {
	// Label and Value say which samples these are, such as those of a thread. Label is empty for all samples, Value for
	// samples without the label.
	Label, Value string
	// Samples counts the samples of threads that are included, Idle those that are not as the thread waited; both are 0
	// if unknown.
	Samples, Idle int64
	// Total is the sum of the weight, Base the base's.
	Total, Base int64
	Rows        []MethodRow
	// More is the number of methods that are left out.
	More int
}

// MethodRow is one method: how many samples have it in their stack, how many have it at the top, and its weight with
// and without its callees.
type MethodRow struct {
	Name              string
	Samples, OnTop    int64
	Total, Self, Base int64
}

// MethodTable writes the tables as text.
func MethodTable(w io.Writer, m Methods, o Options) error {
	var d document
	d.heading(2, plain(m.Title))
	for _, g := range m.Groups {
		m.group(&d, g)
	}
	if len(m.Notes) > 0 {
		d.gap()
	}
	for _, n := range m.Notes {
		d.line("", plain(n))
	}
	return writeText(w, &d, o)
}

func (m Methods) group(d *document, g MethodGroup) {
	d.gap()
	title := m.total(g)
	if g.Label != "" {
		title = append([]span{strong(g.name()), plain(": ")}, title...)
	}
	d.line("", title...)
	if len(g.Rows) == 0 {
		return
	}
	t := table{columns: m.columns(g)}
	for _, r := range g.Rows {
		t.rows = append(t.rows, m.row(g, r))
	}
	d.table(t)
	if g.More > 0 {
		d.line("", faint(fmt.Sprintf("and %d more (--top)", g.More)))
	}
}

// threadLabel is the label whose values are shown without its name.
const threadLabel = "thread"

// name is the value of the label: "web-1", or Order.customer "acme".
func (g MethodGroup) name() string {
	switch {
	case g.Value == "":
		return "no " + g.Label
	case g.Label == threadLabel:
		return quote(g.Value)
	}
	return g.Label + " " + quote(g.Value)
}

// total is the line over a table.
func (m Methods) total(g MethodGroup) []span {
	var text string
	if g.Samples+g.Idle > 0 {
		text = fmt.Sprintf("Total samples: %s", count(int(g.Samples)))
		if g.Idle > 0 {
			text += fmt.Sprintf(" (and %s of waiting threads, --idle)", count(int(g.Idle)))
		}
	}
	if m.Unit != "count" || text == "" {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s: %s", m.Weight, m.amount(g.Total))
	}
	if m.Diff {
		text += fmt.Sprintf(", base: %s", m.amount(g.Base))
	}
	return []span{plain(text)}
}

// columns returns the columns. Each amount has its percentage in the same column, so that a narrow terminal drops both
// or neither.
func (m Methods) columns(g MethodGroup) []column {
	var all []column
	weighed := m.Unit != "count" || g.Samples == 0
	if g.Samples > 0 {
		all = append(all, column{title: withShare("SAMPLES", "%"), right: true, spare: weighed},
			column{title: withShare("SELF", "%"), right: true, spare: weighed})
	}
	if weighed {
		all = append(all, column{title: withShare(m.Weight, "%"), right: true},
			column{title: withShare(strings.TrimSuffix("SELF "+m.Weight, " TIME"), "%"), right: true})
	}
	if m.Diff {
		all = append(all, column{title: "BASE", right: true}, column{title: "CHANGE", right: true})
	}
	return append(all, column{title: "METHOD", flexible: true})
}

func (m Methods) row(g MethodGroup, r MethodRow) []span {
	var all []span
	if g.Samples > 0 {
		all = append(all, plain(withShare(count(int(r.Samples)), share(r.Samples, g.Samples))),
			plain(withShare(count(int(r.OnTop)), share(r.OnTop, g.Samples))))
	}
	if m.Unit != "count" || g.Samples == 0 {
		all = append(all, plain(withShare(m.amount(r.Total), share(r.Total, g.Total))),
			plain(withShare(m.amount(r.Self), share(r.Self, g.Total))))
	}
	if m.Diff {
		all = append(all, plain(m.amount(r.Base)), plain(m.change(r.Total-r.Base)))
	}
	return append(all, quoted(r.Name))
}

// withShare appends a percentage, or its title, to an amount.
func withShare(amount, share string) string {
	return fmt.Sprintf("%s  %*s", amount, len("100.00"), share)
}

// change is a difference with its sign.
func (m Methods) change(v int64) string {
	if v < 0 {
		return "-" + m.amount(-v)
	}
	return "+" + m.amount(v)
}

func share(part, whole int64) string {
	if whole == 0 {
		return unknown
	}
	return fmt.Sprintf("%.2f", 100*float64(part)/float64(whole))
}

func (m Methods) amount(v int64) string {
	switch m.Unit {
	case "nanoseconds":
		return duration(float64(v) / 1e9)
	case "bytes":
		return byteSize(float64(v))
	}
	return count(int(v))
}
