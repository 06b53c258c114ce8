package eval

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/cli"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/threaddump"
)

// lawInput is one file of testdata that holds thread dumps.
type lawInput struct {
	// name is its path below testdata.
	name string
	text string
	// dumps are the dumps in the file, in its order.
	dumps []*threaddump.Dump
	// whole is the report on all of them.
	whole *analysis.Report
	// healthy reports whether the tables of the expected answers list its program as healthy.
	healthy bool
}

// lawInputs reads all files of testdata that hold dumps, unpacked, in the order of their names.
func lawInputs(t *testing.T) []*lawInput {
	t.Helper()
	var all []*lawInput
	healthy := healthyInputs(t)
	err := filepath.WalkDir("../testdata", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"golden", "hotspot", "mcp", "views"}, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !mayHoldDumps(path):
			return nil
		}
		text, err := textIn(t, path)
		if err != nil {
			return nil // not a dump: the folder also has other answers of a JVM
		}
		dumps, err := threaddump.Parse([]byte(text))
		if err != nil || len(dumps) == 0 {
			return nil
		}
		name, err := filepath.Rel("../testdata", path)
		name = filepath.ToSlash(name)
		all = append(all, &lawInput{name: name, text: text, dumps: dumps, healthy: healthy(name)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func mayHoldDumps(path string) bool {
	bare := strings.TrimSuffix(strings.TrimSuffix(path, ".zst"), ".gz")
	return slices.Contains([]string{".txt", ".log", ".json", ".md", ".jfr", ".zip"}, filepath.Ext(bare)) &&
		!strings.HasSuffix(path, "README.md")
}

// textIn is the text of the dumps in a file. Recordings and flight recordings are printed by jstall dump.
func textIn(t *testing.T, path string) (string, error) {
	t.Helper()
	if !strings.HasSuffix(path, ".zip") && !strings.Contains(path, ".jfr") {
		return unpackedText(t, path)
	}
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), &shell.Env{Args: []string{"dump", path}, Stdin: &bytes.Buffer{}, Stdout: &out,
		Stderr: &errs, Getenv: func(string) string { return "" }, ProcRoot: "/proc", Version: "test", Commit: "none"})
	if code != 0 && out.Len() == 0 {
		return "", errors.New(errs.String())
	}
	return out.String(), nil
}

func unpackedText(t *testing.T, path string) (string, error) {
	t.Helper()
	in := file.Unpacked(t.Context(), []string{path}, nil)
	defer func() { _ = in.Close() }()
	var b bytes.Buffer
	_, err := b.ReadFrom(in)
	return b.String(), err
}

// healthyInputs returns a test for names of inputs whose program is healthy by the tables of expected answers.
func healthyInputs(t *testing.T) func(name string) bool {
	t.Helper()
	healthy := map[string]bool{}
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		healthy["eval/"+p.ID] = p.Healthy
	}
	expected, err := os.ReadFile("../testdata/cases/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(expected)) {
		if c := strings.Split(line, "\t"); len(c) > 6 && c[5] == "ok" && c[6] == "none" {
			healthy["cases/"+c[1]] = true
		}
	}
	return func(name string) bool {
		base := filepath.Base(name)
		id, _, _ := strings.Cut(base, ".")
		program, _, _ := strings.Cut(base, "-threaddump")
		switch {
		case strings.HasPrefix(name, "eval/"):
			return healthy["eval/"+id]
		case strings.HasPrefix(name, "frameworks/"):
			return strings.Contains(base, "-idle-")
		case strings.HasPrefix(name, "dumps/incidents/"):
			return slices.ContainsFunc([]string{"storefront", "statements", "knowledge-base"}, func(p string) bool {
				return strings.HasPrefix(base, p)
			})
		case strings.HasPrefix(name, "dumps/jdk"):
			return program == "idle"
		}
		return healthy[name]
	}
}

// reportOn is the report on some dumps of one JVM.
func reportOn(dumps ...*threaddump.Dump) *analysis.Report {
	s := timeline.NewSeries()
	for _, d := range dumps {
		s.Add(timeline.Observation{Dump: d})
	}
	return analysis.Diagnose(s, analysis.Options{})
}

// calm reports whether a report has no problem.
func calm(r *analysis.Report) bool {
	return r.Error == nil && (r.Verdict.State == analysis.Ok || r.Verdict.State == analysis.NoDeadlock)
}

var severityRank = map[finding.Severity]int{finding.Info: 0, finding.Warning: 1, finding.Critical: 2}

// involved are the names of the threads of a finding.
func involved(f *finding.Finding) map[string]bool {
	names := map[string]bool{}
	for _, ref := range slices.Concat(f.Culprits, f.Victims) {
		names[sample(*f, ref)] = true
	}
	return names
}

// says reports whether a report has a finding at least as severe on the same problem: of the same kind with one of its
// threads, or of another kind that names all its culprits.
func says(r *analysis.Report, f *finding.Finding) bool {
	return slices.ContainsFunc(r.Findings, func(g finding.Finding) bool {
		if severityRank[g.Severity] < severityRank[f.Severity] {
			return false
		}
		threads := involved(&g)
		names := func(ref finding.ThreadRef) bool { return threads[sample(*f, ref)] }
		if g.Kind == f.Kind && (len(f.Culprits)+len(f.Victims) == 0 || g.VictimCount > len(g.Victims) ||
			slices.ContainsFunc(slices.Concat(f.Culprits, f.Victims), names)) {
			return true
		}
		return f.Kind != finding.KindDeadlock && len(f.Culprits) > 0 &&
			!slices.ContainsFunc(f.Culprits, func(ref finding.ThreadRef) bool { return !names(ref) })
	})
}

// unsaid describes the findings of a report that satisfy a test and that another report lacks.
func unsaid(r *analysis.Report, of *analysis.Report, chosen func(*finding.Finding) bool) []string {
	var missing []string
	for i := range of.Findings {
		f := &of.Findings[i]
		if f.Severity != finding.Info && chosen(f) && !says(r, f) {
			missing = append(missing, string(f.Severity)+" "+string(f.Kind)+" "+f.Title)
		}
	}
	return missing
}
