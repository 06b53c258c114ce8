package eval

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/source/file"
	observing "github.com/jstall/jstall/internal/source/observe"
)

// oneDumpAnswer is the result of the report on only the first dump of a program.
type oneDumpAnswer string

const (
	toldFully oneDumpAnswer = "found as a warning or more"
	toldHint  oneDumpAnswer = "found, leads as a hint"
	silent    oneDumpAnswer = "silent"
	otherHint oneDumpAnswer = "another hint leads"
	wrong     oneDumpAnswer = "wrong: another warning leads"
)

// TestFirstDump judges the first of the recorded dumps of each program alone, because users often have only one: none
// may raise a false alarm. With SAVE=1 the counts go to RESULTS.md.
func TestFirstDump(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	byAnswer, faults, healthy := map[oneDumpAnswer][]string{}, 0, 0
	for _, p := range all {
		path := filepath.Join(recorded, "jdk17", p.ID+".txt.zst")
		if _, err := os.Stat(path); err != nil || p.undetectable(17) {
			continue
		}
		r := diagnoseFirst(t, path)
		if p.Healthy {
			healthy++
			if s := judgeHealthy(r); !s.right() {
				t.Errorf("%s is healthy: %s", p.ID, r.Verdict.Summary)
			}
			continue
		}
		faults++
		answer := p.answerOf(r)
		byAnswer[answer] = append(byAnswer[answer], p.ID)
	}
	if faults < 100 || healthy < 30 {
		t.Errorf("%d faults and %d healthy programs are recorded", faults, healthy)
	}
	text := firstDumpTable(byAnswer, faults, healthy)
	t.Log(text)
	if os.Getenv("SAVE") != "" && !t.Failed() {
		saveSection(t, text)
	}
}

// answerOf classifies the leading finding of a report.
func (p program) answerOf(r *analysis.Report) oneDumpAnswer {
	lead, found := leading(r)
	if !found {
		return silent
	}
	right := slices.Contains(p.Kinds, lead.Kind) && (p.namesCulprits(lead) || p.namesFrames(lead))
	switch {
	case right && lead.Severity != finding.Info:
		return toldFully
	case right:
		return toldHint
	case lead.Severity != finding.Info:
		return wrong
	}
	return otherHint
}

// leading is the first finding that no other explains.
func leading(r *analysis.Report) (finding.Finding, bool) {
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			return f, true
		}
	}
	return finding.Finding{}, false
}

func diagnoseFirst(t *testing.T, path string) *analysis.Report {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	unpacked, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(t.TempDir(), "first.txt")
	if err := os.WriteFile(first, firstOf(text), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := observing.Take(t.Context(), &file.Files{Names: []string{first}}, observing.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Diagnose(result.Series, analysis.Options{})
}

// firstOf is the text up to the line with the date of the second dump.
func firstOf(text []byte) []byte {
	const head = "Full thread dump"
	first := bytes.Index(text, []byte(head))
	second := bytes.Index(text[first+1:], []byte("\n"+head))
	if first < 0 || second < 0 {
		return text
	}
	end := bytes.LastIndexByte(text[:first+1+second], '\n') + 1
	return text[:end]
}

func firstDumpTable(byAnswer map[oneDumpAnswer][]string, faults, healthy int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## The first dump alone\n\nWritten by `SAVE=1 go test ./eval -run TestFirstDump`, "+
		"from the recorded dumps of JDK 17: "+
		"%d programs with a fault, %d healthy ones, none of which raises a warning.\n\n| the first dump says | "+
		"programs | |\n|---|---|---|\n", faults, healthy)
	for _, answer := range []oneDumpAnswer{toldFully, toldHint, otherHint, silent, wrong} {
		ids := byAnswer[answer]
		named := ""
		if answer == wrong {
			named = strings.Join(ids, ", ")
		}
		fmt.Fprintf(&b, "| %s | %d (%.0f %%) | %s |\n", answer, len(ids), 100*float64(len(ids))/float64(faults), named)
	}
	return b.String()
}

// saveSection replaces the section of RESULTS.md with the same heading.
func saveSection(t *testing.T, section string) {
	t.Helper()
	const file = "RESULTS.md"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	heading, _, _ := strings.Cut(section, "\n")
	before, after, found := strings.Cut(string(old), heading+"\n")
	if found {
		if next := strings.Index(after, "\n## "); next >= 0 {
			after = after[next+1:]
		} else {
			after = ""
		}
	}
	text := strings.TrimRight(before, "\n") + "\n\n" + section + after
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
