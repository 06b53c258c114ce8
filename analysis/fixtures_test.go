package analysis_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

var update = flag.Bool("update", false, "write the goldens")

// fixtures are the saved dumps of all JDKs, as "jdk21/mondl-threaddump-l.txt".
func fixtures(t testing.TB) []string {
	paths, err := filepath.Glob(filepath.Join(DumpsDir, "jdk*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range paths {
		name, _ := filepath.Rel(DumpsDir, p)
		if !strings.Contains(name, "-jcmd-") {
			names = append(names, filepath.ToSlash(name))
		}
	}
	if len(names) == 0 {
		t.Fatal("no saved dumps in " + DumpsDir)
	}
	return names
}

// TestGoldenFindings lists every finding on every saved dump, and on the two
// dumps of one JVM that some workloads have. Read each new line of it: is it
// true?
func TestGoldenFindings(t *testing.T) {
	var out strings.Builder
	for _, name := range fixtures(t) {
		dumps := Parse(t, name)
		listFindings(&out, name, DiagnoseDumps(dumps...))
		if first := strings.TrimSuffix(name, "-l-e.txt") + "-l.txt"; first != name+"-l.txt" {
			listFindings(&out, name+" after "+filepath.Base(first), DiagnoseDumps(append(Parse(t, first), dumps...)...))
		}
	}
	checkGolden(t, FindingsFile, out.String())
}

// Frameworks that have nothing to do are left alone: their idle workers, selectors and timers are not findings.
func TestIdleFrameworksAreLeftAlone(t *testing.T) {
	paths, err := filepath.Glob("../testdata/frameworks/dumps/*-idle-*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no dumps of frameworks: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dumps, err := threaddump.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, f := range DiagnoseDumps(dumps...).Findings {
			if f.Severity != finding.Info {
				t.Errorf("%s: %s %s: %s", filepath.Base(path), f.Severity, f.Kind, f.Title)
			}
		}
	}
}

func listFindings(out *strings.Builder, name string, r *analysis.Report) {
	fmt.Fprintf(out, "%s\n  %s: %s\n", name, r.Verdict.State, r.Verdict.Summary)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "    %s %s %s: %s", f.ID, f.Severity, f.Confidence, f.Title)
		if f.ExplainedBy != "" {
			fmt.Fprintf(out, " < %s", f.ExplainedBy)
		}
		fmt.Fprintln(out)
		for _, c := range f.Culprits {
			fmt.Fprintf(out, "      culprit %s %s %s\n", finding.QuoteName(c.Name), c.State, c.Where())
		}
		for _, v := range f.Victims {
			fmt.Fprintf(out, "      victim %s %s %s\n", finding.QuoteName(v.Name), v.State, v.Where())
		}
		for _, e := range f.Evidence {
			fmt.Fprintf(out, "      %s\n", quoted(e))
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "    warning: %s\n", w)
	}
}

func quoted(e finding.Evidence) string {
	if e.Line == nil {
		return e.Text
	}
	return fmt.Sprintf("%d:%d %s", *e.Dump, *e.Line, e.Text)
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s:%d differs (-update writes it anew)\n got %s\nwant %s", path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s has %d lines, got %d", path, len(wantLines), len(gotLines))
}
