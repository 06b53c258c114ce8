package render

import (
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// waiting are the waiting threads of a report, sorted for the views of them.
type waiting struct {
	// all are the shown threads; brief are those that did something else in an earlier dump.
	all, brief []*analysis.ThreadReport
	// idle counts the threads without work.
	idle int
}

// waitingThreads returns the threads that wait over the whole capture, without the idle ones. A thread that a finding
// names is not idle. A carrier is left out if the virtual thread that it runs is listed itself.
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

// namedInFindings returns the threads of findings other than hints.
func namedInFindings(p *page) map[threadKey]bool {
	return namedIn(slices.DeleteFunc(slices.Clone(p.report.Findings), func(f finding.Finding) bool {
		return f.Severity == finding.Info
	}))
}

// namedIn returns the threads that findings name.
func namedIn(findings []finding.Finding) map[threadKey]bool {
	named := map[threadKey]bool{}
	for _, f := range findings {
		for _, r := range slices.Concat(f.Culprits, f.Victims) {
			named[threadKey{r.Name, r.ID, r.NativeID}] = true
		}
	}
	return named
}

// virtualIDs returns the ids of virtual threads with separate rows.
func virtualIDs(p *page) map[int64]bool {
	ids := map[int64]bool{}
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; t.Virtual() && t.ID != 0 {
			ids[t.ID] = true
		}
	}
	return ids
}
