package recorded

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// lock are the words of waits for a monitor (by its address and class), or for a lock of java.util.concurrent (by its
// class and the place in the code). A monitor has its last owner before each wait, a lock has not.
func lock(sort string) func(f figure) finding.Candidate {
	return func(f figure) finding.Candidate {
		w := f.waits
		owners, waiters := refs(w.Owners[:min(1, len(w.Owners))]), refs(w.Waiters)
		c := finding.Finding{
			Title: fmt.Sprintf("%s waited %s in total for a %s%s, %s", finding.Counted(w.Threads, "thread"),
				span(w.Total), w.Class, topPlace(w.Places, owners), f.Worst(f.when)),
			Evidence: waited(f), Culprits: owners, Victims: waiters,
			Resource: &finding.Resource{Type: sort, Class: w.Class},
		}
		for _, o := range w.Owners[:min(len(w.Owners), 3)] {
			c.Evidence = append(c.Evidence, finding.Figure(fmt.Sprintf("%s waited for what %s held", span(o.Total),
				finding.QuoteName(o.Name))))
		}
		return finding.Candidate{Finding: c, Unlisted: w.Threads - len(waiters), Behind: moments(w)}
	}
}

// moments tests for findings of dumps that show the same threads wait for a lock of the same class: they are moments of
// what the events show whole. What is critical was not over when the recording ended.
func moments(w flight.Waits) func(effect *finding.Finding) bool {
	known := map[string]bool{}
	for _, t := range slices.Concat(w.Waiters, w.Owners) {
		known[t.Name] = true
	}
	others := func(r finding.ThreadRef) bool { return !known[r.Name] }
	return func(effect *finding.Finding) bool {
		ofDump := func(e finding.Evidence) bool { return e.Dump != nil }
		return effect.Kind == finding.KindLockContention && effect.Severity != finding.Critical &&
			effect.Resource != nil && effect.Resource.Class == w.Class && len(effect.Victims) > 0 &&
			slices.ContainsFunc(effect.Evidence, ofDump) && !slices.ContainsFunc(effect.Victims, others)
	}
}

// pinned are the words of virtual threads that kept their carriers while they waited.
func pinned(f figure) finding.Candidate {
	w, culprits := f.waits, refs(f.waits.Waiters)
	return finding.Candidate{Finding: finding.Finding{
		Title: fmt.Sprintf("pinned virtual threads kept their carriers for %s%s, %s", span(w.Total),
			topPlace(w.Places, culprits), f.Worst(f.when)),
		Evidence: waited(f), Culprits: culprits,
	}}
}

// waitedFor are the words of threads that waited for a peer or a file: "to read " and its path.
func waitedFor(f figure, what string) finding.Candidate {
	w, culprits := f.waits, refs(f.waits.Waiters)
	return finding.Candidate{Finding: finding.Finding{
		Title: fmt.Sprintf("%s waited %s in total %s%s, %s; longest %s", finding.Counted(w.Threads, "thread"),
			span(w.Total), what+w.Peer, topPlace(w.Places, culprits), f.Worst(f.when), span(w.Longest)),
		Evidence: waited(f), Culprits: culprits,
	}}
}

// waited is the evidence of waits: when, how many, how long, and where.
func waited(f figure) []finding.Evidence {
	w := f.waits
	e := []finding.Evidence{finding.Figure(fmt.Sprintf("%s: %s, longest %s at %s", f.When(f.when),
		finding.Counted(int(w.Count), "recorded wait"), span(w.Longest), f.Clock(w.LongestAt)))}
	const most = 3
	for _, p := range w.Places[:min(len(w.Places), most)] {
		if p.Frame != "" {
			e = append(e, finding.Figure(fmt.Sprintf("%s waited in %s", span(p.Total), placeText(p))))
		}
	}
	return e
}
