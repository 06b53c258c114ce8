package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

const frameworksDir = "../testdata/frameworks"

// expectation is one row of testdata/frameworks/truth.tsv, whose head says what
// its columns mean.
type expectation struct {
	name                    string
	jdks                    []string
	kinds, culprits, frames []string
	victims                 int
}

func expectations(t *testing.T) []expectation {
	text, err := os.ReadFile(filepath.Join(frameworksDir, "truth.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []expectation
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(c) < 7 {
			continue
		}
		row := expectation{
			name: c[0] + "-" + c[1], jdks: strings.Split(c[2], ","), kinds: strings.Split(c[3], "|"),
			culprits: strings.Split(c[4], "|"), frames: strings.Split(c[5], "|"),
		}
		if c[6] != "-" {
			fmt.Sscan(c[6], &row.victims)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestFrameworks holds the diagnosis of three dumps of real servers, clients and
// libraries against what is the matter with each: nothing, or one fault.
func TestFrameworks(t *testing.T) {
	for _, row := range expectations(t) {
		for _, jdk := range row.jdks {
			t.Run(row.name+"-jdk"+jdk, func(t *testing.T) {
				row.judge(t, diagnoseDumps(parseFrameworks(t, row.name+"-jdk"+jdk)...))
			})
		}
	}
}

func parseFrameworks(t *testing.T, name string) []*threaddump.Dump {
	text, err := os.ReadFile(filepath.Join(frameworksDir, "dumps", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil || len(dumps) != 3 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	return dumps
}

func (row expectation) judge(t *testing.T, r *Report) {
	var shown strings.Builder
	listFindings(&shown, row.name, r)
	if row.kinds[0] == "healthy" {
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity != Info }) {
			t.Errorf("a false alarm:\n%s", &shown)
		}
		return
	}
	for _, kind := range row.kinds {
		if !slices.ContainsFunc(detectors[:], func(d detector) bool { return string(d.kind) == kind }) {
			t.Skipf("%s is not looked for", kind)
		}
	}
	if len(r.Findings) == 0 || !row.fits(r.Findings[0]) {
		t.Errorf("want first one of %q, culprit %q at %q, %d victims\n%s", row.kinds, row.culprits, row.frames, row.victims, &shown)
	}
}

func (row expectation) fits(f Finding) bool {
	return slices.Contains(row.kinds, string(f.Kind)) && f.Severity != Info && len(f.Culprits) > 0 &&
		fitsAny(row.culprits, f.Culprits[0].Name) && fitsAny(row.frames, f.Culprits[0].Frame) && f.VictimCount >= row.victims
}

func fitsAny(patterns []string, s string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return newGlob(p).fits(s) })
}
