package render

import (
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// waiting are the threads of a report that wait, sorted out for the views of them.
type waiting struct {
	// all are those shown; brief are those that did something else in an earlier
	// dump.
	all, brief []*analysis.ThreadReport
	// idle counts the threads that have nothing to do.
	idle int
}

// waitingThreads are those that wait over the whole capture, without the idle ones.
// One that looks idle is not where a finding names it. A carrier is left out
// where the virtual thread that it runs is there itself.
func waitingThreads(p *page) waiting {
	var w waiting
	named, virtual := namedInFindings(p), virtualIDs(p)
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		switch {
		case !p.chosen(t) || !t.Virtual() && virtual[t.Carrier]:
		case t.Idle != "" && (t.WaitsFor == nil || !named[threadKey{t.Name, t.ID, t.NativeID}]):
			if t.Role == "application" {
				w.idle += t.Size()
			}
		case t.WaitsFor == nil:
		case t.WaitsFor.Dumps < p.report.Capture.Dumps && !p.options.Full:
			w.brief = append(w.brief, t)
		default:
			w.all = append(w.all, t)
		}
	}
	return w
}

// namedInFindings are the threads that findings other than hints are about.
func namedInFindings(p *page) map[threadKey]bool {
	return namedIn(slices.DeleteFunc(slices.Clone(p.report.Findings), func(f finding.Finding) bool {
		return f.Severity == finding.Info
	}))
}

// namedIn are the threads that findings name.
func namedIn(findings []finding.Finding) map[threadKey]bool {
	named := map[threadKey]bool{}
	for _, f := range findings {
		for _, r := range slices.Concat(f.Culprits, f.Victims) {
			named[threadKey{r.Name, r.ID, r.NativeID}] = true
		}
	}
	return named
}

// virtualIDs are the ids of those that have their own rows.
func virtualIDs(p *page) map[int64]bool {
	ids := map[int64]bool{}
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; t.Virtual() && t.ID != 0 {
			ids[t.ID] = true
		}
	}
	return ids
}
