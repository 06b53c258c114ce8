package render_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// Each frame of the first culprit that the evidence of a finding quotes is in the excerpt of its
// stack, in real dumps.
func TestExcerptsShowTheFramesOfTheEvidence(t *testing.T) {
	quotes := 0
	for _, pattern := range []string{"dumps/incidents/*.txt", "dumps/holders/*.txt", "frameworks/dumps/*-fault-*.txt"} {
		names, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(names) < 5 {
			t.Fatal(pattern, names, err)
		}
		for _, name := range names {
			r := reportOf(t, strings.TrimPrefix(name, "../../testdata/"))
			for _, f := range r.Findings {
				f.ExplainedBy = ""
				quotes += checkExcerpt(t, r, f)
			}
		}
	}
	if quotes < 100 {
		t.Errorf("only %d quotes", quotes)
	}
}

// checkExcerpt shows one finding alone and counts the frames that it quotes.
func checkExcerpt(t *testing.T, r *analysis.Report, f finding.Finding) int {
	alone := *r
	alone.Findings = []finding.Finding{f}
	excerpts, _, _ := strings.Cut(text(t, render.Status, &alone, render.Options{}), "\n   Evidence")
	if !strings.Contains(excerpts, "\n               at ") {
		return 0
	}
	quoted := quotedOfCulprit(r, f)
	for _, method := range quoted {
		if !strings.Contains(excerpts, "at "+method) {
			t.Errorf("%s of %s is not in the excerpt:\n%s", method, r.Target.File, excerpts)
		}
	}
	return len(quoted)
}

// quotedOfCulprit are the methods that the evidence quotes and that the first culprit is in.
func quotedOfCulprit(r *analysis.Report, f finding.Finding) []string {
	var methods []string
	for _, e := range f.Evidence {
		frame, isFrame := strings.CutPrefix(e.Text, "at ")
		isCulprit := func(th analysis.ThreadReport) bool {
			return len(f.Culprits) > 0 && th.ID == f.Culprits[0].ID && th.Name == f.Culprits[0].Name
		}
		if isFrame && slices.ContainsFunc(r.Threads, func(th analysis.ThreadReport) bool {
			return isCulprit(th) && slices.Contains(th.Stack, frame)
		}) {
			method, _, _ := strings.Cut(frame, "(")
			methods = append(methods, method)
		}
	}
	return methods
}
