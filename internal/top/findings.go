package top

import (
	"slices"
	"strconv"
	"time"

	"github.com/jstall/jstall/analysis/finding"
)

// maxGone is how many findings that are over are remembered.
const maxGone = 20

// findings are those of the latest reading, and the latest ones that are over.
type findings struct {
	present []seenFinding // in the order of the report
	gone    []seenFinding // the latest first
}

// seenFinding is a finding with the times at which it was first and last seen.
type seenFinding struct {
	key         string
	since, over time.Time
	severity    finding.Severity
	kind        finding.Kind
	title       string
}

// follow takes the findings of a reading. One that others explain is left out, as in the report.
func (f *findings) follow(at time.Time, now []finding.Finding) {
	var present []seenFinding
	for _, n := range now {
		if n.ExplainedBy != "" {
			continue
		}
		seen := seenFinding{key: f.unique(present, keyOfFinding(n)), since: at, severity: n.Severity, kind: n.Kind,
			title: n.Title}
		if i := slices.IndexFunc(f.present, seen.same); i >= 0 {
			seen.since = f.present[i].since
		}
		present = append(present, seen)
	}
	f.gone = slices.DeleteFunc(f.gone, func(g seenFinding) bool { return slices.ContainsFunc(present, g.same) })
	for _, old := range f.present {
		if !slices.ContainsFunc(present, old.same) {
			old.over = at
			f.gone = slices.Insert(f.gone, 0, old)
		}
	}
	f.gone = f.gone[:min(len(f.gone), maxGone)]
	f.present = present
}

func (s seenFinding) same(other seenFinding) bool { return s.key == other.key }

// keyOfFinding is what stays the same of a finding from reading to reading: its figures do not.
func keyOfFinding(f finding.Finding) string {
	key := string(f.Kind)
	if len(f.Culprits) > 0 {
		key += "\x00" + f.Culprits[0].Name
	}
	if f.Resource != nil {
		key += "\x00" + f.Resource.Class
	}
	return key
}

// unique distinguishes findings with one key by their place in the report.
func (f *findings) unique(present []seenFinding, key string) string {
	taken := func(s string) bool {
		return slices.ContainsFunc(present, func(p seenFinding) bool { return p.key == s })
	}
	candidate := key
	for n := 2; taken(candidate); n++ {
		candidate = key + "\x00" + strconv.Itoa(n)
	}
	return candidate
}
