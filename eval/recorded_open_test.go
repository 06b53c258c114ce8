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

// openFloor is the least share, in percent, of programs with a fault whose leading finding stays the same with other
// work.
const openFloor = 97

// change is how the report on a program with other work differs from that on the program alone.
type change string

const (
	same         change = "same kind, severity and culprits"
	weaker       change = "same kind and culprits, lower severity"
	stronger     change = "same kind and culprits, higher severity"
	otherThreads change = "same kind, other culprits"
	otherKind    change = "another kind leads"
	lost         change = "nothing is found"
	appeared     change = "a finding where the program alone has none"
)

// TestRecordedOpen compares the dumps of each program with an idle connection pool, web server, event loops and
// scheduler with those of the program alone: idle work may not change a finding. With SAVE=1 the counts go to
// RESULTS.md.
func TestRecordedOpen(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(recorded, "open17", "*.txt.zst"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	byChange, faults, healthy := map[change][]string{}, 0, 0
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), ".txt.zst")
		n := slices.IndexFunc(all, func(p program) bool { return p.ID == id })
		if n < 0 || !all[n].isRecorded("17") {
			t.Errorf("%s: delete it, truth.json or recorded/jdk17 has no %s", path, id)
			continue
		}
		together := diagnoseSaved(t, path)
		if all[n].Healthy {
			healthy++
			if s := judgeHealthy(together); !s.right() {
				t.Errorf("%s is healthy: %s", id, s.why)
			}
			continue
		}
		faults++
		c := changeOf(diagnoseSaved(t, filepath.Join(recorded, "jdk17", id+".txt.zst")), together)
		byChange[c] = append(byChange[c], id)
	}
	if faults < 80 || healthy < 25 {
		t.Errorf("%d faults and %d healthy programs are recorded with other work in the JVM", faults, healthy)
	}
	if share := percent(len(byChange[same]), faults); share < openFloor {
		t.Errorf("%.1f %% of the findings stay the same, want %d %% or more", share, openFloor)
	}
	text := openTable(byChange, faults, healthy)
	t.Log(text)
	if os.Getenv("SAVE") != "" && !t.Failed() {
		saveSection(t, text)
	}
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// changeOf compares the leading findings of two reports.
func changeOf(alone, together *analysis.Report) change {
	want, wanted := leading(alone)
	got, found := leading(together)
	switch {
	case !wanted && !found:
		return same
	case !wanted:
		return appeared
	case !found:
		return lost
	case got.Kind != want.Kind:
		return otherKind
	case !sameCulprits(got, want):
		return otherThreads
	case got.Severity == want.Severity:
		return same
	case atLeast(got.Severity, want.Severity):
		return stronger
	}
	return weaker
}

// sameCulprits reports whether two findings blame the same threads, or both blame no thread. It is chance which of
// several equal threads is at a place, so numbers in names may differ if the frame is the same.
func sameCulprits(got, want finding.Finding) bool {
	known := map[string]bool{}
	for _, ref := range want.Culprits {
		known[ref.Name], known[placeOf(ref)] = true, true
	}
	return (len(got.Culprits) == 0) == (len(known) == 0) &&
		!slices.ContainsFunc(got.Culprits, func(ref finding.ThreadRef) bool {
			return !known[ref.Name] &&
				!known[placeOf(ref)]
		})
}

var digits = regexp.MustCompile("[0-9]+")

// placeOf is the name of a thread without its numbers, and its frame.
func placeOf(ref finding.ThreadRef) string {
	return digits.ReplaceAllString(ref.Name, "#") + " in " + ref.Frame
}

func openTable(byChange map[change][]string, faults, healthy int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## With other work in the JVM\n\nWritten by `SAVE=1 go test ./eval -run TestRecordedOpen`, "+
		"from the recorded dumps of JDK 17: "+
		"what leads the report on a program\nwith an idle connection pool, web server, event loops and scheduler, "+
		"compared with the program alone. %d programs have a fault;\nthe %d healthy ones are without a warning.\n\n"+
		"| with other work | programs | |\n|---|---|---|\n", faults, healthy)
	for _, c := range []change{same, stronger, weaker, otherThreads, otherKind, lost, appeared} {
		ids := byChange[c]
		named := ""
		if c != same {
			named = strings.Join(ids, ", ")
		}
		fmt.Fprintf(&b, "| %s | %d (%.0f %%) | %s |\n", c, len(ids), percent(len(ids), faults), named)
	}
	return b.String()
}
