package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

const (
	incidentSources = "../testdata/incidents"
	incidentDumps   = "../testdata/dumps/incidents"
)

// incidentForms are the dumps of each incident, by the suffix of their names, and the number of incidents with a fault
// that must be found in this form.
var incidentForms = []struct {
	suffix, title string
	floor         int
}{
	{"", "plain", 10},
	{"-l", "-l", 10},
	{"-bystanders", "bystanders", 10},
	{"-bystanders-l", "bystanders, -l", 10},
}

// incident is one row of testdata/incidents/incidents.tsv, whose head describes the columns.
type incident struct {
	id                string
	culprits, methods *regexp.Regexp
	kinds             []string
	severity          finding.Severity
}

func (i incident) healthy() bool { return i.kinds[0] == "healthy" }

func incidents(t *testing.T) []incident {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(incidentSources, "incidents.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []incident
	for line := range strings.Lines(string(text)) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(c) != 8 || c[0] == "id" {
			continue
		}
		rows = append(rows, incident{
			id: c[0], culprits: regexp.MustCompile("^(?:" + c[4] + ")$"), methods: regexp.MustCompile(c[5]),
			kinds: strings.Split(c[6], ","), severity: finding.Severity(c[7]),
		})
	}
	if len(rows) != 15 {
		t.Fatalf("%d incidents, want 15", len(rows))
	}
	return rows
}

// answer is the result of comparing a report with an incident.
type answer string

const (
	yes  answer = "yes"
	hint answer = "hint" // its severity is too low
	no   answer = "**no**"
)

// judge compares a report with the row: the leading finding must be of one of the kinds, severe enough, and name one of
// the threads or methods. A healthy incident must be without a problem.
func (i incident) judge(r *analysis.Report) answer {
	lead, led := leading(r)
	switch {
	case i.healthy() && r.Verdict.State == analysis.Ok && judgeHealthy(r).right():
		return yes
	case i.healthy() || !led || !slices.Contains(i.kinds, string(lead.Kind)) || !i.names(lead):
		return no
	case !atLeast(lead.Severity, i.severity):
		return hint
	}
	return yes
}

func (i incident) names(f finding.Finding) bool {
	return slices.ContainsFunc(blamed(f), func(ref finding.ThreadRef) bool {
		return i.culprits.MatchString(ref.Name) || i.methods.MatchString(ref.Frame)
	})
}

// blamed are the culprits of a finding, or its victims if it has no culprit.
func blamed(f finding.Finding) []finding.ThreadRef {
	if len(f.Culprits) > 0 {
		return f.Culprits
	}
	return f.Victims
}

// cell is the entry of a table for a report on the incident.
func (i incident) cell(r *analysis.Report) string {
	lead, led := leading(r)
	if !led {
		return fmt.Sprintf("%s: %s", i.judge(r), r.Verdict.State)
	}
	text := fmt.Sprintf("%s: %s %s", i.judge(r), lead.Severity, lead.Kind)
	if threads := blamed(lead); len(threads) > 0 {
		text += fmt.Sprintf(", `%s` in `%s`", threads[0].Name, threads[0].Frame)
	}
	return text
}

// TestIncidentsFromOneDump judges one dump of each incident, because users often have only one. With SAVE=1 the table
// goes to RESULTS.md.
func TestIncidentsFromOneDump(t *testing.T) {
	table := incidentTable{rows: incidents(t)}
	for _, form := range incidentForms {
		column := incidentColumn{title: form.title, cells: map[string]string{}}
		for _, row := range table.rows {
			r := diagnoseSaved(t, filepath.Join(incidentDumps, row.id+form.suffix+".txt"))
			column.add(row, r)
			if row.healthy() && row.judge(r) != yes {
				t.Errorf("%s%s is healthy: %s", row.id, form.suffix, r.Verdict.Summary)
			}
		}
		if column.found < form.floor {
			t.Errorf("%s: %d incidents are found, want %d or more", form.title, column.found, form.floor)
		}
		table.columns = append(table.columns, column)
	}
	table.save(t, "Incidents from one dump",
		"Written by `SAVE=1 go test ./eval -run TestIncidentsFromOneDump`, from the dumps of testdata/dumps/incidents.")
}

// incidentTable has a row for each incident and a column for each form.
type incidentTable struct {
	rows    []incident
	columns []incidentColumn
}

// incidentColumn holds the results for one form.
type incidentColumn struct {
	title string
	// cells are by the incident's id.
	cells map[string]string
	// found and hints count incidents with a fault, quiet the healthy ones without a problem.
	found, hints, quiet int
}

func (c *incidentColumn) add(row incident, r *analysis.Report) {
	c.cells[row.id] = row.cell(r)
	got := row.judge(r)
	if row.healthy() {
		c.quiet += one(got == yes)
		return
	}
	c.found += one(got == yes)
	c.hints += one(got == hint)
}

// save logs the table and, with SAVE=1, puts it into RESULTS.md.
func (table incidentTable) save(t *testing.T, heading, origin string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n", heading, origin)
	b.WriteString("yes: the leading finding is what testdata/incidents/incidents.tsv accepts; hint: its " +
		"severity is too low.\n\n")
	healthy := 0
	for _, row := range table.rows {
		healthy += one(row.healthy())
	}
	head, rule, total := "| incident |", "|---|", "| total |"
	for _, column := range table.columns {
		head += " " + column.title + " |"
		rule += "---|"
		total += fmt.Sprintf(" %d of %d found, %d as a hint; %d of %d healthy ones quiet |",
			column.found, len(table.rows)-healthy, column.hints, column.quiet, healthy)
	}
	fmt.Fprintln(&b, head+"\n"+rule+"\n"+total)
	for _, row := range table.rows {
		b.WriteString("| " + row.id + " |")
		for _, column := range table.columns {
			b.WriteString(" " + column.cells[row.id] + " |")
		}
		b.WriteString("\n")
	}
	t.Log(b.String())
	if os.Getenv("SAVE") != "" && os.Getenv("EVAL_ONLY") == "" && !t.Failed() {
		saveSection(t, b.String())
	}
}
