package analysis_test

import (
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

// Dumps of JVMs with the virtual threads that were read from memory next to them.
func TestDumpsWithVirtualThreads(t *testing.T) {
	for _, test := range []struct {
		file     string
		kind     finding.Kind
		severity finding.Severity
		culprits []string
		victims  int
		title    string
	}{
		{"accounts-25", finding.KindDeadlock, finding.Critical, []string{"transfer-1001", "transfer-1002"}, 3, ""},
		{"inventory-21", finding.KindDeadlock, finding.Critical, []string{"rebalance-north", "rebalance-south"}, 2, ""},
		{"inventory-25", finding.KindDeadlock, finding.Critical, []string{"rebalance-north", "rebalance-south"}, 2, ""},
		{"devices-25", finding.KindDeadlock, finding.Critical, []string{"register-pump-7", "probe-pump-7"}, 10,
			`"register-pump-7" holds a lock and waits for the end of "probe-pump-7"; "probe-pump-7" waits for that lock`},
		{"stages-25", finding.KindDeadlock, finding.Critical,
			[]string{"stage-extract", "stage-transform", "stage-load"}, 0,
			`3 threads wait for each other to end: "stage-extract", "stage-load" and "stage-transform"`},
		{"audit-25", finding.KindDeadlock, finding.Critical, []string{"audit-seal", "audit-writer"}, 0,
			`"audit-seal" holds a lock and waits for "audit-writer", a subtask of its scope; ` +
				`"audit-writer" waits for that lock`},
		{"codec-21", finding.KindDeadlock, finding.Critical, []string{"download-1", "upload-1"}, 1, ""},
		{"shipping-25", finding.KindLockContention, finding.Warning, []string{"label-0"}, 50,
			`50 threads wait for a ReentrantLock held by "label-0", which waits to read`},
		{"plugins-25", finding.KindVirtualThreadPinned, finding.Warning, []string{"checkout-de", "checkout-fr"}, 30,
			""},
	} {
		t.Run(test.file, func(t *testing.T) {
			text := virtualDump(t, test.file)
			r := DiagnoseDumps(parseOne(t, text))
			if len(r.Findings) == 0 {
				t.Fatalf("nothing: %s", r.Verdict.Summary)
			}
			f := r.Findings[0]
			var culprits []string
			for _, c := range f.Culprits {
				culprits = append(culprits, c.Name)
			}
			if f.Kind != test.kind || f.Severity != test.severity || f.VictimCount != test.victims ||
				!sameNames(culprits, test.culprits) || test.title != "" && f.Title != test.title {
				t.Errorf("%s %s %q, %d victims: %s", f.Severity, f.Kind, culprits, f.VictimCount, f.Title)
			}
			checkQuotedLines(t, text, r)
		})
	}
}

// An idle JVM whose virtual threads wait for work has no finding.
func TestDumpWithIdleVirtualThreads(t *testing.T) {
	r := DiagnoseDumps(parseOne(t, virtualDump(t, "gateway-25")))
	if len(r.Findings) > 0 || r.Verdict.State != analysis.Ok || r.VirtualThreads == nil {
		t.Errorf("%s: %+v", r.Verdict.Summary, r.Findings)
	}
}

func virtualDump(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("../testdata/dumps/virtual", name+".txt")
	if _, err := os.Stat(path); err != nil {
		return string(unpackText(t, path+".gz"))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parseOne(t *testing.T, text string) *threaddump.Dump {
	t.Helper()
	dumps, err := threaddump.Parse([]byte(text))
	if err != nil || len(dumps) != 1 || !dumps[0].VirtualListed || len(dumps[0].Problems) > 0 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	return dumps[0]
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// checkQuotedLines checks that evidence with a line quotes the text of that line.
func checkQuotedLines(t *testing.T, text string, r *analysis.Report) {
	t.Helper()
	lines, quoted := strings.Split(text, "\n"), 0
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			if e.Line == nil {
				continue
			}
			quoted++
			if line := strings.TrimSpace(lines[*e.Line-1]); line != e.Text {
				t.Errorf("line %d is %q, not %q", *e.Line, line, e.Text)
			}
		}
	}
	if quoted == 0 {
		t.Error("no evidence has a line")
	}
}
