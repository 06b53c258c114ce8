package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

func markdownWithin(t *testing.T, v render.View, r *analysis.Report, tokens int) string {
	t.Helper()
	var out strings.Builder
	if err := render.Markdown(&out, v, r, render.Options{Full: true, MaxTokens: tokens}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// With any budget the verdict and the first finding stay, and the output names what it leaves out. An output above the
// budget says so.
func TestMarkdownWithinABudget(t *testing.T) {
	for name, r := range samples() {
		for _, view := range views() {
			if len(r.Threads) > 1000 && view != render.Status {
				continue // one view of thousands of threads is slow enough
			}
			whole := markdownWithin(t, view, r, 0)
			if got := markdownWithin(t, view, r, len(whole)); got != whole {
				t.Errorf("%s, %s: a budget that suffices leaves something out", name, view)
			}
			before := 0
			for tokens := 20; tokens*4 < utf8.RuneCountInString(whole); tokens *= 8 {
				got := markdownWithin(t, view, r, tokens)
				checkBudget(t, name+", "+string(view), whole, got, tokens)
				if len(got) < before {
					t.Errorf("%s, %s: %d tokens hold less than an eighth of them", name, view, tokens)
				}
				before = len(got) - len(" This still takes more.")
			}
		}
	}
}

func checkBudget(t *testing.T, name, whole, got string, tokens int) {
	t.Helper()
	verdict, _, _ := strings.Cut(whole, "\n")
	lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
	last := lines[len(lines)-1]
	if lines[0] != verdict || !strings.Contains(last, "Left out to stay within") ||
		strings.Contains(last, ": nothing") && !strings.Contains(last, "still") {
		t.Errorf("%s, %d tokens: from %q to %q", name, tokens, lines[0], last)
	}
	if n := utf8.RuneCountInString(got); n > tokens*4 && !strings.Contains(last, "This still takes more") {
		t.Errorf("%s: %d characters for %d tokens", name, n, tokens)
	}
	if _, first, found := strings.Cut(whole, "\n### 1. "); found {
		title, _, _ := strings.Cut(first, "\n")
		if _, kept, _ := strings.Cut(got, "\n### 1. "); !strings.HasPrefix(kept, title) {
			t.Errorf("%s, %d tokens: the first finding is gone", name, tokens)
		}
	}
	if strings.Contains(whole, "**Advice**") && !strings.Contains(got, "**Advice**") {
		t.Errorf("%s, %d tokens: the first finding lost its advice", name, tokens)
	}
}
