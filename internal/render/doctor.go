package render

import (
	"io"
	"slices"

	"github.com/jstall/jstall/analysis"
)

// Checkup is the output of `jstall doctor` about one JVM.
type Checkup struct {
	Target analysis.Target
	// Safe reports that an attach may be tried.
	Safe   bool
	Checks []CheckRow
}

// CheckRow is one check.
type CheckRow struct {
	// Name is a stable word: "process", "state", "credentials" …, and last "attach" for what an attach would do.
	Name string `json:"name"`
	// Result is "ok", "not ok" or "unknown".
	Result string `json:"result"`
	// Detail is the result in words, Remedy the next command if it is not ok.
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// DoctorJSON writes a checkup as one document on one line.
func DoctorJSON(w io.Writer, c Checkup, schema int) error {
	return writeJSON(w, struct {
		Schema int             `json:"schema"`
		Target analysis.Target `json:"target"`
		Safe   bool            `json:"safe"`
		Checks []CheckRow      `json:"checks"`
	}{schema, c.Target, c.Safe, list(c.Checks)})
}

// Doctor writes a checkup for a terminal: the verdict, then a line per check with its remedy.
func Doctor(w io.Writer, c Checkup, o Options) error {
	p := newPage(&analysis.Report{Target: c.Target}, o)
	word, style := "SAFE", styleCalm
	if !c.Safe {
		word, style = "NOT SAFE", styleAlarm
	}
	more := ""
	if slices.ContainsFunc(c.Checks, func(r CheckRow) bool { return r.Name == "debugger" }) {
		more = "; a Java debugger may hold its threads"
	}
	p.heading(1, span{word, style}, plain(" to attach to "+p.target()+more))
	t := table{columns: []column{{title: "CHECK"}, {title: "RESULT"}, {title: "DETAIL", flexible: true}}}
	styles := map[string]span{"ok": {"ok", styleCalm}, "not ok": {"not ok", styleAlarm},
		"unknown": {"unknown", styleCaution}}
	for _, row := range c.Checks {
		t.add(plain(row.Name), styles[row.Result], quoted(row.Detail))
	}
	p.table(t)
	for _, row := range c.Checks {
		if row.Remedy != "" && row.Result != "ok" {
			p.section("Repair", plain(row.Name+": "), prose(row.Remedy))
		}
	}
	return writeText(w, &p.document, o)
}
