package render

import (
	"fmt"
	"io"

	"github.com/jstall/jstall/analysis"
)

// MethodCallReport is the output of `jstall methods` about one JVM.
type MethodCallReport struct {
	Target analysis.Target
	// Source is "jfr" or "memory", empty if nothing was counted; Seconds is the length of the count.
	Source  string
	Seconds float64
	Methods []MethodCallRow
	// Notes say what was done to the JVM and how exact the numbers are.
	Notes []string
	Error *analysis.Failure
}

// MethodCallRow is a method: all methods of a class with one name.
type MethodCallRow struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	// Calls is nil if they were not counted. AtLeast reports that there may have been more.
	Calls   *int64 `json:"calls,omitempty"`
	AtLeast bool   `json:"atLeast"`
	// TotalSeconds is the time of all calls, LongestSeconds that of the longest; nil if they were not timed.
	TotalSeconds   *float64 `json:"totalSeconds,omitempty"`
	LongestSeconds *float64 `json:"longestSeconds,omitempty"`
	// Overloads are the methods of that name.
	Overloads []MethodOverload `json:"overloads"`
}

// MethodOverload is one method, by the descriptor of its class file.
type MethodOverload struct {
	Descriptor string `json:"descriptor"`
	Calls      int64  `json:"calls"`
}

// CallCountsJSON writes a report as one line of JSON.
func CallCountsJSON(w io.Writer, r MethodCallReport, schema int) error {
	type capture struct {
		Source  string  `json:"source,omitempty"`
		Seconds float64 `json:"elapsedSeconds,omitempty"`
	}
	return writeJSON(w, struct {
		Schema   int               `json:"schema"`
		Target   analysis.Target   `json:"target"`
		Capture  capture           `json:"capture"`
		Methods  []MethodCallRow   `json:"methods"`
		Warnings []string          `json:"warnings"`
		Error    *analysis.Failure `json:"error,omitempty"`
	}{schema, r.Target, capture{r.Source, r.Seconds}, list(r.Methods), list(r.Notes), r.Error})
}

// CallCounts writes a report for a terminal.
func CallCounts(w io.Writer, r MethodCallReport, o Options) error {
	p := newPage(&analysis.Report{Target: r.Target}, o)
	if target := p.target(); target != "" {
		p.heading(1, plain(target))
	}
	d := &p.document
	d.section("Calls", plain(fmt.Sprintf("in %s", duration(r.Seconds))))
	isTimed := r.Source == "jfr"
	t := table{columns: []column{{title: "CALLS", right: true}, {title: "CALLS/S", right: true}}}
	if isTimed {
		t.columns = append(t.columns, column{title: "AVERAGE", right: true}, column{title: "LONGEST", right: true},
			column{title: "TOTAL", right: true})
	}
	t.columns = append(t.columns, column{title: "METHOD", flexible: true})
	for _, m := range r.Methods {
		t.rows = append(t.rows, m.cells(r.Seconds, isTimed))
	}
	d.table(t)
	for i, note := range r.Notes {
		if i == 0 {
			d.section("Notes", prose(note))
			continue
		}
		d.under(prose(note))
	}
	return writeText(w, d, o)
}

func (m MethodCallRow) cells(seconds float64, isTimed bool) []span {
	calls, rate := unknown, unknown
	if m.Calls != nil {
		calls = count(int(*m.Calls))
		if m.AtLeast {
			calls = "≥ " + calls
		}
	}
	if m.Calls != nil && seconds > 0 {
		rate = fmt.Sprintf("%.1f", float64(*m.Calls)/seconds)
	}
	cells := []span{plain(calls), plain(rate)}
	if isTimed {
		average, longest, total := unknown, unknown, unknown
		if m.TotalSeconds != nil && m.Calls != nil && *m.Calls > 0 {
			average, total = preciseDuration(*m.TotalSeconds/float64(*m.Calls)), preciseDuration(*m.TotalSeconds)
		}
		if m.LongestSeconds != nil {
			longest = preciseDuration(*m.LongestSeconds)
		}
		cells = append(cells, plain(average), plain(longest), plain(total))
	}
	name := m.Class + "." + m.Method
	if len(m.Overloads) > 1 {
		name += fmt.Sprintf(" (%d overloads)", len(m.Overloads))
	}
	return append(cells, plain(name))
}

// preciseDuration is a duration that may be far below a millisecond.
func preciseDuration(seconds float64) string {
	if seconds > 0 && seconds < 0.0001 {
		return fmt.Sprintf("%.3g µs", seconds*1e6)
	}
	return duration(seconds)
}
