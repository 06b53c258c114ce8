package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// elsewhere returns the deadlocks in dumps of other JVMs, for which nothing else is diagnosed. own are the findings on
// the diagnosed JVM.
func elsewhere(f *timeline.Timeline, opts Options, own []finding.Candidate) []finding.Candidate {
	where := ", not in the last"
	if slices.ContainsFunc(own, func(c finding.Candidate) bool { return isDeadlock(&c) }) {
		where = ""
	}
	var found []finding.Candidate
	for _, other := range f.Others {
		o := facts.New(other)
		for _, d := range detectors {
			if !isDeadlockKind(d.Kind) || !opts.wants(d.Kind) {
				continue
			}
			for _, c := range d.Run(o) {
				if c.Kind = d.Kind; isDeadlock(&c) {
					c.Title = "in another JVM of the input" + inFiles(o.Timeline) + where + ": " + c.Title
					c.Elsewhere = true
					withoutIDs(c.Culprits)
					withoutIDs(c.Victims)
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// isDeadlock reports whether a candidate is a deadlock and more than a hint.
func isDeadlock(c *finding.Candidate) bool {
	return isDeadlockKind(c.Kind) && c.Severity != finding.Info
}

func isDeadlockKind(k finding.Kind) bool {
	return k == finding.KindDeadlock || k == finding.KindPoolDeadlock
}

// withoutIDs removes the ids of threads of another JVM, which could be mistaken for threads of the diagnosed one.
func withoutIDs(refs []finding.ThreadRef) {
	for i := range refs {
		refs[i].ID, refs[i].NativeID = 0, 0
	}
}

// inFiles names the files that the dumps are from, without their folders; empty if they are from no file.
func inFiles(f *timeline.Timeline) string {
	names := sources(f.Snaps)
	for i := range names {
		names[i] = path.Base(names[i])
	}
	if len(names) > 0 {
		return " (" + strings.Join(names, " ") + ")"
	}
	return ""
}

// sources returns the files that dumps are from, each once.
func sources(snaps []*timeline.Snapshot) []string {
	var names []string
	for _, s := range snaps {
		if s.Source != "" && !slices.Contains(names, s.Source) {
			names = append(names, s.Source)
		}
	}
	return names
}

// files returns the files of all dumps by the index of the dump, nil if they are from no file.
func files(s *timeline.Series) []string {
	if len(sources(s.Snaps)) == 0 {
		return nil
	}
	names := make([]string, len(s.Snaps))
	for i, snap := range s.Snaps {
		names[i] = snap.Source
	}
	return names
}
