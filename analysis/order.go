package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

// number gives every finding its ID and full lists. The findings of before have their IDs already.
func number(all []finding.Candidate, before ...finding.Finding) {
	next := map[finding.Kind]int{}
	for i := range before {
		next[before[i].Kind]++
	}
	for i := range all {
		f := &all[i].Finding
		next[f.Kind]++
		f.ID = fmt.Sprintf("%s-%d", f.Kind, next[f.Kind])
		f.Culprits = notNil(f.Culprits)
		f.Victims = notNil(f.Victims)
		f.Evidence = notNil(f.Evidence)
		f.VictimCount = len(f.Victims) + all[i].Unlisted
		for j := range f.Victims {
			f.Victims[j].Stack = nil // there may be thousands
		}
	}
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// compareCandidates is the total order of findings: severity, then the number of threads that each explains, then kind,
// then the first culprit, then all other fields.
func compareCandidates(a, b finding.Candidate) int {
	return cmp.Or(
		cmp.Compare(severityOrder(&a.Finding), severityOrder(&b.Finding)),
		cmp.Compare(len(b.Culprits)+len(b.Victims), len(a.Culprits)+len(a.Victims)),
		cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
		cmp.Compare(firstName(a.Culprits), firstName(b.Culprits)),
		cmp.Compare(firstName(a.Victims), firstName(b.Victims)),
		cmp.Compare(firstID(a.Culprits), firstID(b.Culprits)),
		cmp.Compare(firstID(a.Victims), firstID(b.Victims)),
		cmp.Compare(a.Title, b.Title),
	)
}

// severityOrder ranks by severity. A fault that only a restart ends ranks above one that may end by itself.
func severityOrder(f *finding.Finding) int {
	rank := 2 * severityRank(f.Severity)
	if f.Severity == finding.Critical && StateOf(f) == Deadlocked {
		rank--
	}
	return rank
}

func severityRank(s finding.Severity) int {
	return slices.Index([]finding.Severity{finding.Critical, finding.Warning, finding.Info}, s)
}

func kindRank(k finding.Kind) int { return slices.Index(finding.Kinds[:], k) }

func firstName(refs []finding.ThreadRef) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0].Name
}

func firstID(refs []finding.ThreadRef) int64 {
	if len(refs) == 0 {
		return 0
	}
	return refs[0].ID
}
