package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

const caseFolder = "../../testdata/cases"

// expectation is a row of expected.tsv, by its columns.
type expectation map[string]string

func readTable(t *testing.T, name string) []expectation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(caseFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	rows := make([]expectation, 0, len(lines))
	for _, line := range lines[1:] {
		row := expectation{}
		for i, value := range strings.Split(line, "\t") {
			row[columns[i]] = value
		}
		rows = append(rows, row)
	}
	return rows
}

// TestCases holds the answers to the inputs of testdata/cases, but for what not-held.tsv lists.
func TestCases(t *testing.T) {
	t.Parallel()
	notHeld := map[string]bool{}
	for _, row := range readTable(t, "not-held.tsv") {
		for column := range strings.SplitSeq(row["columns"], " ") {
			notHeld[row["id"]+" "+column] = true
		}
	}
	for _, want := range readTable(t, "expected.tsv") {
		t.Run(want["id"], func(t *testing.T) {
			missed := want.judge(t)
			for _, column := range slices.Sorted(maps.Keys(missed)) {
				if key := want["id"] + " " + column; !notHeld[key] {
					t.Errorf("%s: %s (%s)", column, missed[column], want["why"])
				} else {
					delete(notHeld, key)
				}
			}
			for key := range notHeld {
				if id, column, _ := strings.Cut(key, " "); id == want["id"] {
					t.Errorf("%s is held now: take it out of not-held.tsv", column)
				}
			}
		})
	}
}

// judge runs a case and returns by column what is missed.
func (want expectation) judge(t *testing.T) map[string]string {
	t.Helper()
	args := strings.Fields(want["command"])
	for _, file := range strings.Fields(want["files"]) {
		args = append(args, filepath.Join(caseFolder, file))
	}
	text, document := run(t, "", append(args, "--color", "never")...), run(t, "", append(args, "--json")...)
	missed := map[string]string{}
	miss := func(column string, held bool, format string, args ...any) {
		if want[column] != "-" && !held {
			missed[column] = fmt.Sprintf(format, args...)
		}
	}
	said := text.stdout + text.stderr
	miss("exit", isOneOf(want["exit"], strconv.Itoa(text.code)), "exit %d", text.code)
	miss("must", saysSo(want["must"], said), "not in %.300q", said)
	miss("mustnot", want["mustnot"] == "-" || !saysSo(want["mustnot"], said), "in %.300q", said)
	var r analysis.Report
	lines := strings.Split(strings.TrimSpace(document.stdout), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil && document.stdout != "" {
		t.Fatal(err)
	}
	java := 0
	for _, th := range r.Threads {
		if th.Kind != "vm" {
			java++
		}
	}
	miss("threads", want["threads"] == strconv.Itoa(java), "%d Java threads", java)
	miss("state", isOneOf(want["state"], string(r.Verdict.State)), "%s", r.Verdict.State)
	miss("kind", want.findingFits(&r), "no finding fits: %.300s", summaryOf(&r))
	return missed
}

func isOneOf(allowed, got string) bool {
	if not, ok := strings.CutPrefix(allowed, "!"); ok {
		return !slices.Contains(strings.Split(not, "|"), got)
	}
	return slices.Contains(strings.Split(allowed, "|"), got)
}

func saysSo(expr, text string) bool {
	return expr == "-" || regexp.MustCompile("(?m)"+expr).MatchString(text)
}

func summaryOf(r *analysis.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %s; ", f.Severity, f.Confidence, f.Kind)
	}
	return b.String() + r.Verdict.Summary
}

// findingFits reports whether one finding has all that is asked of one.
func (want expectation) findingFits(r *analysis.Report) bool {
	if want["kind"] == "none" {
		return len(r.Findings) == 0
	}
	if want["kind"] == "-" && want["culprit"] == "-" && want["frame"] == "-" && want["severity"] == "-" {
		return true
	}
	return slices.ContainsFunc(r.Findings, func(f finding.Finding) bool {
		return want.fits(&f) && (want["severity"] != "info" || f.ID == r.Findings[0].ID && leads(&f, r.Verdict.Summary))
	})
}

var (
	severities  = []string{"info", "warning", "critical"}
	confidences = []string{"possible", "likely", "proven"}
)

func (want expectation) fits(f *finding.Finding) bool {
	severity, confidence, _ := strings.Cut(want["severity"], "/")
	if want["kind"] != "-" && !isOneOf(want["kind"], string(f.Kind)) {
		return false
	}
	if slices.Index(severities, string(f.Severity)) < slices.Index(severities, severity) ||
		slices.Index(confidences, string(f.Confidence)) < slices.Index(confidences, confidence) {
		return false
	}
	named := func(column string, of func(finding.ThreadRef) string, refs ...finding.ThreadRef) bool {
		return want[column] == "-" || slices.ContainsFunc(refs, func(ref finding.ThreadRef) bool {
			return saysSo(want[column], of(ref))
		})
	}
	return named("culprit", func(r finding.ThreadRef) string { return r.Name }, f.Culprits...) &&
		named("frame", func(r finding.ThreadRef) string {
			return r.Frame
		}, append(slices.Clone(f.Culprits), f.Victims...)...)
}

// leads reports that the summary names a finding.
func leads(f *finding.Finding, summary string) bool {
	words := []string{string(f.Kind), f.Title[:min(len(f.Title), 25)]}
	for _, c := range f.Culprits {
		words = append(words, c.Name, c.Frame)
	}
	return slices.ContainsFunc(words, func(w string) bool { return w != "" && strings.Contains(summary, w) })
}
