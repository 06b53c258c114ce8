package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

func TestExplanations(t *testing.T) {
	refs := func(ids string) []finding.ThreadRef {
		var all []finding.ThreadRef
		for _, c := range ids {
			all = append(all, finding.ThreadRef{Name: string(c), ID: int64(c)})
		}
		return all
	}
	result := func(kind finding.Kind, severity finding.Severity, culprits, victims string) finding.Candidate {
		return finding.Candidate{Finding: finding.Finding{ID: string(kind), Kind: kind, Severity: severity,
			Culprits: refs(culprits), Victims: refs(victims)}}
	}
	tests := []struct {
		name string
		all  []finding.Candidate // in the order of rank
		want string              // the IDs in the order of the report, "<" before the cause
	}{
		{"culprits that are victims of another", []finding.Candidate{
			result(finding.KindExecutorSaturated, finding.Warning, "abc", "xyz"), result(finding.KindLockContention,
				finding.Warning, "k", "abc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"one of the culprits is to blame in both", []finding.Candidate{
			result(finding.KindExecutorSaturated, finding.Warning, "abc", "xyz"), result(finding.KindLockContention,
				finding.Warning, "a", "bc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"a chain ends at its root", []finding.Candidate{
			result(finding.KindMissedSignal, finding.Warning, "xyz", ""), result(finding.KindExecutorSaturated,
				finding.Warning, "ab", "xyz"), result(finding.KindLockContention, finding.Warning, "k", "ab"),
		}, "lock-contention missed-signal<lock-contention executor-saturated<lock-contention"},
		{"the same culprits", []finding.Candidate{
			result(finding.KindLockContention, finding.Warning, "k", "ab"), result(finding.KindHotThread,
				finding.Warning, "k", ""),
		}, "lock-contention hot-thread<lock-contention"},
		{"no culprits", []finding.Candidate{
			result(finding.KindDeadlock, finding.Critical, "ab", "xy"), result(finding.KindLockContention,
				finding.Warning, "", "xy"),
		}, "deadlock lock-contention<deadlock"},
		{"nothing in common", []finding.Candidate{
			result(finding.KindDeadlock, finding.Critical, "ab", "xy"),
			result(finding.KindHotThread, finding.Warning, "k", ""),
		}, "deadlock hot-thread"},
		{"another culprit", []finding.Candidate{
			result(finding.KindDeadlock, finding.Critical, "ab", "xy"), result(finding.KindMissedSignal,
				finding.Warning, "xk", ""),
		}, "deadlock missed-signal"},
		{"a circle has no cause", []finding.Candidate{
			result(finding.KindExecutorSaturated, finding.Warning, "a", "bxyz"), result(finding.KindPoolDeadlock,
				finding.Warning, "ab", ""),
		}, "pool-deadlock executor-saturated<pool-deadlock"},
		{"a hint explains nothing that is more", []finding.Candidate{
			result(finding.KindMissedSignal, finding.Warning, "xy", ""), result(finding.KindExecutorSaturated,
				finding.Info, "ab", "xy"),
		}, "missed-signal executor-saturated"},
		{"what grows stands for itself", []finding.Candidate{
			result(finding.KindHotThread, finding.Warning, "k", ""),
			result(finding.KindHeapGrowth, finding.Warning, "k", ""),
		}, "hot-thread heap-growth"},
		{"victims of each other", []finding.Candidate{
			result(finding.KindLockContention, finding.Warning, "a", "b"), result(finding.KindExecutorSaturated,
				finding.Warning, "b", "a"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"what explains more comes first", []finding.Candidate{
			result(finding.KindDeadlock, finding.Warning, "ab", "c"), result(finding.KindLockContention,
				finding.Warning, "k", "l"), result(finding.KindExecutorSaturated, finding.Warning, "l", "xyz"),
		}, "lock-contention executor-saturated<lock-contention deadlock"},
		{"a critical deadlock comes before what explains more", []finding.Candidate{
			result(finding.KindLockContention, finding.Critical, "k", "lmn"), result(finding.KindDeadlock,
				finding.Critical, "ab", ""),
		}, "deadlock lock-contention"},
		{"a likely one does not", []finding.Candidate{
			result(finding.KindLockContention, finding.Critical, "k", "lmn"), result(finding.KindDeadlock,
				finding.Warning, "ab", ""),
		}, "lock-contention deadlock"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range analysis.Explain(test.all) {
				line := f.ID
				if f.ExplainedBy != "" {
					line += "<" + f.ExplainedBy
				}
				got = append(got, line)
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got  %s\nwant %s", s, test.want)
			}
		})
	}
}
