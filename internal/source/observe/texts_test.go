package observe

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/source/file"
)

// Two dumps in one file and one in another: each text begins at its dump, and the
// line that evidence names holds what it quotes.
func TestTextsOfFiles(t *testing.T) {
	var dumps [][]byte
	for _, name := range []string{"1.txt", "2.txt", "3.txt"} {
		text, err := os.ReadFile(filepath.Join("../../../testdata/demo", name))
		if err != nil {
			t.Fatal(err)
		}
		dumps = append(dumps, text)
	}
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.log"), filepath.Join(dir, "second.log")
	before := []byte("a line of the log\nand another\n")
	if err := os.WriteFile(first, bytes.Join([][]byte{before, dumps[0], dumps[1]}, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(second, dumps[2], 0o600); err != nil {
		t.Fatal(err)
	}
	var texts Texts
	result, err := Take(t.Context(), &file.Files{Names: []string{first, second}}, Plan{Texts: &texts})
	if err != nil {
		t.Fatal(err)
	}
	got := texts.Dumps()
	if len(got) != 3 || got[0].Source != first || got[2].Source != second {
		t.Fatalf("%d texts", len(got))
	}
	for i, text := range got {
		if !bytes.HasPrefix(text.Text, []byte("2026-")) || bytes.Count(text.Text, []byte("Full thread dump")) != 1 ||
			!bytes.Contains(dumps[i], bytes.TrimSpace(text.Text)) {
			t.Errorf("dump %d, from line %d, is %.80q … %d bytes", i, text.Line, text.Text, len(text.Text))
		}
	}
	checkQuotes(t, result, got)
}

// checkQuotes compares the lines that evidence names with what it quotes.
func checkQuotes(t *testing.T, result *Result, got []Text) {
	t.Helper()
	quoted := 0
	for _, f := range analysis.Diagnose(result.Series, analysis.Options{}).Findings {
		for _, e := range f.Evidence {
			if e.Line == nil {
				continue
			}
			quoted++
			text := got[*e.Dump]
			line, _, _ := bytes.Cut(fromLine(text.Text, *e.Line-text.Line+1), []byte("\n"))
			if !bytes.Contains(line, []byte(e.Text)) {
				t.Errorf("line %d of dump %d is %q, not %q", *e.Line, *e.Dump, line, e.Text)
			}
		}
	}
	if quoted == 0 {
		t.Error("no evidence quotes a line")
	}
}
