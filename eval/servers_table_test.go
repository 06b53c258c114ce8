package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

// seen is one report on a JVM of a healthy server.
type seen struct {
	phase, role, form, name string
	said                    *said
}

// alarm reports whether the report has a warning, or its headline is not OK.
func (s seen) alarm() bool {
	if s.said.Verdict.State != analysis.Ok {
		return true
	}
	for _, f := range s.said.Findings {
		if f.Severity != finding.Info {
			return true
		}
	}
	return false
}

// healthTable is the reports on healthy servers, a row for each server, phase and form.
type healthTable struct {
	rows []healthRow
}

type healthRow struct {
	server, phase, form               string
	reports, alarms, clauses, crowded int
	places                            int
	complaints                        []string
}

func (h *healthTable) add(server string, all []seen) {
	for _, s := range all {
		r := h.row(server, s.phase, s.form)
		r.reports++
		r.alarms += one(s.alarm())
		r.clauses += one(hasClause(s.said.Report))
		r.crowded += one(s.said.places > placesAllowed)
		r.places = max(r.places, s.said.places)
		if s.alarm() || hasClause(s.said.Report) || s.said.places > placesAllowed {
			r.complaints = append(r.complaints, fmt.Sprintf("%s: %s: %s (%d places)", s.name, s.said.Verdict.State,
				s.said.Verdict.Summary, s.said.places)+waitingSection(s.said.text))
		}
	}
}

// waitingSection is the part of a report that lists waiting threads.
func waitingSection(text string) string {
	_, section, found := strings.Cut(text, "\n\nWaiting ")
	if !found {
		return ""
	}
	section, _, _ = strings.Cut(section, "\n\n")
	return "\nWaiting " + section
}

func (h *healthTable) row(server, phase, form string) *healthRow {
	for i := range h.rows {
		if r := &h.rows[i]; r.server == server && r.phase == phase && r.form == form {
			return r
		}
	}
	h.rows = append(h.rows, healthRow{server: server, phase: phase, form: form})
	return &h.rows[len(h.rows)-1]
}

func (h *healthTable) text() string {
	var b strings.Builder
	b.WriteString("| server | phase | form | reports | alarms | clauses | most places |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, r := range h.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d |\n", r.server, r.phase, r.form, r.reports, r.alarms,
			r.clauses, r.places)
	}
	for _, r := range h.rows {
		for _, c := range r.complaints {
			fmt.Fprintf(&b, "%s, %s: %s\n", r.server, r.form, c)
		}
	}
	return b.String()
}

// judge fails for every alarm, for crowded sections and for too many headlines that name threads.
func (h *healthTable) judge(t *testing.T, jdk jvmtest.JDK) {
	t.Helper()
	reports, clauses := map[string]int{}, map[string]int{}
	for _, r := range h.rows {
		reports[r.form] += r.reports
		clauses[r.form] += r.clauses
		if r.alarms > 0 || r.crowded > 0 {
			t.Errorf("JDK %d, %s, %s, %s: %d of %d reports alarm, %d list more than %d places", jdk.Version, r.server,
				r.phase, r.form, r.alarms, r.reports, r.crowded, placesAllowed)
		}
	}
	for form, n := range reports {
		if float64(clauses[form]) > clausesAllowed*float64(n) {
			t.Errorf("JDK %d, %s: %d of %d headlines name threads that wait", jdk.Version, form, clauses[form], n)
		}
	}
}
