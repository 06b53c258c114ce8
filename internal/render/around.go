package render

import (
	"fmt"
	"io"
)

// MethodCalls is a method with its direct callers and callees.
type MethodCalls struct {
	Name        string
	Total, Self int64
	// Callers and Callees have Name and Total; MoreCallers and MoreCallees count those that are left out.
	Callers, Callees         []MethodRow
	MoreCallers, MoreCallees int
}

// CallTables writes two tables for each method: of its callers and of its callees. m describes the profile; its groups
// are not shown. whole is the sum of the weight, more the number of methods that are left out.
func CallTables(w io.Writer, m Methods, methods []MethodCalls, whole int64, more int, o Options) error {
	var d document
	d.heading(2, plain(m.Title))
	for _, c := range methods {
		d.gap()
		d.line("", quoted(c.Name), plain(fmt.Sprintf(": %s %s (%s %%), self %s (%s %%)", m.Weight, m.amount(c.Total),
			share(c.Total, whole), m.amount(c.Self), share(c.Self, whole))))
		m.calls(&d, "CALLED BY", c.Callers, c.Total, c.MoreCallers)
		m.calls(&d, "CALLS", c.Callees, c.Total, c.MoreCallees)
	}
	if more > 0 {
		d.gap()
		d.line("", faint(fmt.Sprintf("and %d more methods (--method)", more)))
	}
	if len(m.Notes) > 0 {
		d.gap()
	}
	for _, n := range m.Notes {
		d.line("", plain(n))
	}
	return writeText(w, &d, o)
}

// calls adds a table of callers or callees with their shares in the total of the method.
func (m Methods) calls(d *document, title string, rows []MethodRow, total int64, more int) {
	if len(rows) == 0 {
		return
	}
	t := table{columns: []column{{title: withShare(m.Weight, "%"), right: true}, {title: title, flexible: true}}}
	for _, r := range rows {
		t.rows = append(t.rows, []span{plain(withShare(m.amount(r.Total), share(r.Total, total))), quoted(r.Name)})
	}
	d.table(t)
	if more > 0 {
		d.line("", faint(fmt.Sprintf("and %d more (--top)", more)))
	}
}
