package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// rowsOfChange is how much of each list a comparison shows: all of it on a screen.
const rowsOfChange = 6

// CompareJSON writes a comparison as one document on one line.
func CompareJSON(w io.Writer, c *analysis.Comparison, schema int) error {
	as := *c
	as.Schema = schema
	if schema == analysis.OldestSchema {
		withoutVirtual(&as)
	}
	return writeJSON(w, as)
}

// Compare writes the differences between two captures: as much as fits one screen, or all with Full.
func Compare(w io.Writer, c *analysis.Comparison, o Options) error {
	return writeText(w, comparison(c, o), o)
}

// CompareMarkdown writes the same for a ticket.
func CompareMarkdown(w io.Writer, c *analysis.Comparison, o Options) error {
	return writeMarkdownWithin(w, comparison(c, o), o.MaxTokens)
}

func comparison(c *analysis.Comparison, o Options) *document {
	d := &document{}
	d.heading(1, changeOfVerdict(c.Good.Verdict.State, c.Bad.Verdict.State)...)
	d.line("Good", sideText(c.Good)...)
	d.line("Bad", sideText(c.Bad)...)
	limit := rowsOfChange
	switch {
	case o.Full:
		limit = 0
	case o.Top > 0:
		limit = o.Top
	}
	findingChanges(d, "New", "findings that are not in the good capture", c.Appeared, limit)
	findingChanges(d, "Gone", "findings that are no longer in the bad capture", c.Gone, limit)
	tableOfChanges(d, "Stacks", "changed numbers of threads per stack", stackChanges(c), limit)
	tableOfChanges(d, "Locks", "changed numbers of waiting threads per class of the lock or object", lockChanges(c),
		limit)
	tableOfChanges(d, "Pools", "changed numbers of threads per name", poolChanges(c), limit)
	tableOfChanges(d, "CPU", "changed CPU use per thread name, in percent of a core", cpuChanges(c), limit)
	if len(c.Appeared)+len(c.Gone)+len(c.Stacks)+len(c.Locks)+len(c.Pools)+len(c.CPU) == 0 {
		d.gap()
		d.line("", plain("No significant difference."))
	}
	return d
}

// changeOfVerdict is "Verdict changed from OK to STALLED" or "Verdict unchanged: OK".
func changeOfVerdict(good, bad analysis.VerdictState) []span {
	if good == bad {
		return []span{plain("Verdict unchanged: "), stateSpan(bad)}
	}
	return []span{plain("Verdict changed from "), stateSpan(good), plain(" to "), stateSpan(bad)}
}

func sideText(s analysis.Side) []span {
	name := s.Target.MainClass
	switch of := s.Target; {
	case name == "":
		name = of.File
	case of.File != "":
		name += " in " + of.File
	case of.PID != 0:
		name += fmt.Sprintf(" (pid %d)", of.PID)
	}
	text := fmt.Sprintf(": %s, %s", counted(s.Dumps, "dump"), counted(s.Threads, "thread"))
	if n := s.VirtualThreads; n > 0 {
		text += fmt.Sprintf(" (%s virtual)", count(n))
	}
	if s.CPUPercent != nil {
		text += fmt.Sprintf(", %.1f %% of a core", *s.CPUPercent)
	}
	if s.HeapUsedBytes != nil && s.HeapMaxBytes != nil {
		text += fmt.Sprintf(", heap %s of %s", byteSize(float64(*s.HeapUsedBytes)), byteSize(float64(*s.HeapMaxBytes)))
	}
	return []span{strong(orUnknown(name)), plain(text + "; "), prose(s.Verdict.Summary)}
}

func findingChanges(d *document, title, about string, all []analysis.FindingRef, limit int) {
	if len(all) == 0 {
		return
	}
	d.gap()
	d.section(title, faint(about))
	for _, f := range shown(all, limit) {
		d.line("", stateSpan(analysis.StateOf(&finding.Finding{Kind: f.Kind, Severity: f.Severity})),
			plain(" "+string(f.Kind)+": "), prose(f.Title))
	}
	more(d, len(all), limit)
}

func tableOfChanges(d *document, title, about string, t table, limit int) {
	if len(t.rows) == 0 {
		return
	}
	n := len(t.rows)
	t.rows = shown(t.rows, limit)
	d.gap()
	d.section(title, faint(about))
	d.table(t)
	more(d, n, limit)
}

// shown are the first of a list; 0 is no limit.
func shown[T any](all []T, limit int) []T {
	if limit > 0 && len(all) > limit {
		return all[:limit]
	}
	return all
}

func more(d *document, n, limit int) {
	if limit > 0 && n > limit {
		d.line("", faint(fmt.Sprintf("and %d more (--full)", n-limit)))
	}
}

func changeTable(last ...column) table {
	return table{columns: append([]column{{title: "GOOD", right: true}, {title: "BAD", right: true}}, last...)}
}

func stackChanges(c *analysis.Comparison) table {
	t := changeTable(column{title: "STATE", spare: true}, column{title: "METHOD", flexible: true},
		column{title: "EXAMPLE", flexible: true})
	for _, s := range c.Stacks {
		at := s.Stack[0]
		if s.Frame != "" && s.Frame != at {
			at = s.Frame + " ← " + at
		}
		t.add(plain(fmt.Sprint(s.Good)), plain(fmt.Sprint(s.Bad)), plain(s.State), quoted(at), strong(sampleName(s)))
	}
	return t
}

func lockChanges(c *analysis.Comparison) table {
	t := changeTable(column{title: "WAIT FOR", flexible: true}, column{title: "METHOD", flexible: true})
	for _, l := range c.Locks {
		t.add(plain(fmt.Sprint(l.Good)), plain(fmt.Sprint(l.Bad)), strong(l.Class), quoted(l.Frame))
	}
	return t
}

func poolChanges(c *analysis.Comparison) table {
	t := changeTable(column{title: "THREADS NAMED", flexible: true})
	for _, p := range c.Pools {
		t.add(plain(fmt.Sprint(p.Good)), plain(fmt.Sprint(p.Bad)), strong(poolName(p)))
	}
	return t
}

// sampleName is one of the threads at a stack.
func sampleName(s analysis.StackChange) string {
	if s.Virtual && strings.HasPrefix(s.Sample, "virtual #") {
		return s.Sample
	}
	return quote(s.Sample)
}

// poolName is the pattern of names of a pool.
func poolName(p analysis.PoolChange) string {
	if p.Virtual && p.Pattern == "" {
		return "virtual threads without a name"
	}
	return quote(starred(p.Pattern))
}

func cpuChanges(c *analysis.Comparison) table {
	t := changeTable(column{title: "THREADS NAMED", flexible: true})
	for _, p := range c.CPU {
		t.add(plain(fmt.Sprintf("%.1f", p.Good)), plain(fmt.Sprintf("%.1f", p.Bad)), strong(quote(starred(p.Pattern))))
	}
	return t
}
