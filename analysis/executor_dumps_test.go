package analysis_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// Real dumps of an executor whose workers all wait, with an idle executor, a scheduler and a sleeping thread.
// testdata/README.md says what each is for.
func TestDumpsOfExecutorsThatWait(t *testing.T) {
	const ofExecutors = "pool-deadlock executor-saturated"
	for mode, want := range map[string]string{
		"get": "", "join": "", "latch": "", "send": "", "sendAsync": "", // another executor, or a server, brings it
		// its own tasks do, which lie in a queue that no dump shows
		"nested": "executor-saturated/warning/likely", "walk": "executor-saturated/warning/likely",
		"stages": "executor-saturated/warning/likely",
	} {
		paths, err := filepath.Glob("../testdata/dumps/executors/" + mode + "-jdk*.txt.gz")
		if err != nil || len(paths) < 2 {
			t.Fatalf("%s: %q %v", mode, paths, err)
		}
		for _, path := range paths {
			dumps := unpack(t, path)
			for n := 1; n <= len(dumps); n += len(dumps) - 1 {
				got := ""
				for _, f := range DiagnoseDumps(dumps[:n]...).Findings {
					blames := func(r finding.ThreadRef) bool { return strings.HasPrefix(r.Name, "report-") }
					if strings.Contains(ofExecutors, string(f.Kind)) && f.ExplainedBy == "" &&
						slices.ContainsFunc(f.Culprits, blames) {
						got = string(f.Kind) + "/" + string(f.Severity) + "/" + string(f.Confidence)
					}
				}
				if got != want {
					t.Errorf("%s, %d dumps: got %q, want %q", filepath.Base(path), n, got, want)
				}
			}
		}
	}
}

// A pool waits for results of a busy pool whose tasks are code of another package: the busy one
// leads, and nothing is a warning.
func TestAPoolThatWaitsForATaskOfAnotherPackage(t *testing.T) {
	r := DiagnoseDumps(unpack(t, "../testdata/dumps/executors/package-jdk17.txt.gz")...)
	if r.Verdict.State != analysis.Suspicious || r.Findings[0].Culprits[0].Name != "pricing-47" {
		t.Errorf("%+v", r.Verdict)
	}
	for _, f := range r.Findings {
		if f.Severity != finding.Info {
			t.Errorf("%s %s: %s", f.Severity, f.Kind, f.Title)
		}
	}
}

// unpack reads the dumps of a file that gzip has packed.
func unpack(t *testing.T, path string) []*threaddump.Dump {
	t.Helper()
	dumps, err := threaddump.Parse(unpackText(t, path))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return dumps
}

func unpackText(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
