package dumptest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Diagnose diagnoses observations.
func Diagnose(all ...timeline.Observation) *analysis.Report {
	s := timeline.NewSeries()
	for _, o := range all {
		s.Add(o)
	}
	return analysis.Diagnose(s, analysis.Options{})
}

func DiagnoseAll(all [][]*threaddump.Thread) *analysis.Report {
	var looks []timeline.Observation
	for i, threads := range all {
		looks = append(looks, Observe(float64(i), threads...))
	}
	return Diagnose(looks...)
}

func DiagnoseDumps(dumps ...*threaddump.Dump) *analysis.Report {
	s := timeline.NewSeries()
	for _, d := range dumps {
		s.Add(Saved(d))
	}
	return analysis.Diagnose(s, analysis.Options{})
}

// OneDump diagnoses a single dump.
func OneDump(threads ...*threaddump.Thread) *analysis.Report {
	return Diagnose(Saved(Dump(threads...)))
}

func FactsOf(threads ...*threaddump.Thread) *facts.Facts {
	s := timeline.NewSeries()
	s.Add(Observe(0, threads...))
	return facts.New(timeline.Arrange(s.Snaps))
}

// Found lists the findings of a report as "kind/severity/confidence: culprits | victims".
func Found(r *analysis.Report) []string {
	all := []string{}
	for _, f := range r.Findings {
		line := string(f.Kind) + "/" + string(f.Severity) + "/" + string(f.Confidence) +
			": " + strings.Join(NamesOf(f.Culprits), ",") + " | " + strings.Join(NamesOf(f.Victims), ",")
		if f.ExplainedBy != "" {
			line += " < " + f.ExplainedBy
		}
		all = append(all, line)
	}
	return all
}

func NamesOf(refs []finding.ThreadRef) []string {
	var names []string
	for _, r := range refs {
		names = append(names, r.Name)
	}
	return names
}

// OfKinds lists the findings of some kinds, as Found does, without those that another one explains.
func OfKinds(r *analysis.Report, kinds ...finding.Kind) []string {
	var own []string
	for i, line := range Found(r) {
		if slices.Contains(kinds, r.Findings[i].Kind) && r.Findings[i].ExplainedBy == "" {
			own = append(own, line)
		}
	}
	return own
}

func Expect(t *testing.T, r *analysis.Report, want ...string) {
	t.Helper()
	if got := Found(r); !slices.Equal(got, want) {
		t.Errorf("findings:\n %s\nwant:\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

// ExpectOnly fails unless the findings of a kind are exactly want; an empty want is no finding.
func ExpectOnly(t *testing.T, r *analysis.Report, kind finding.Kind, want string) {
	t.Helper()
	if got := strings.Join(OfKinds(r, kind), "\n"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func Warned(r *analysis.Report, text string) bool {
	return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, text) })
}

func OnlyDeadlocks(r *analysis.Report) *analysis.Report {
	r2 := *r
	r2.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool {
		return f.Kind != finding.KindDeadlock
	})
	return &r2
}

func Deadlocked(r *analysis.Report) []string {
	sets := []string{}
	for _, f := range r.Findings {
		if f.Kind == finding.KindDeadlock && f.Confidence != finding.Possible {
			sets = append(sets, strings.Join(NamesOf(f.Culprits), "+"))
		}
	}
	slices.Sort(sets)
	return sets
}

// SummaryOf is the first finding of a kind in one line; empty without such a finding.
func SummaryOf(r *analysis.Report, kind finding.Kind) string {
	for _, f := range r.Findings {
		if f.Kind == kind {
			names := ""
			for _, c := range f.Culprits {
				names += "," + c.Name
			}
			return fmt.Sprintf("%s %s %s +%d: %s", f.Severity, f.Confidence, names[min(1, len(names)):],
				f.VictimCount, f.Title)
		}
	}
	return ""
}
