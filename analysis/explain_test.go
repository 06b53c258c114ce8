package analysis

import (
	"strings"
	"testing"
)

func TestExplanations(t *testing.T) {
	refs := func(ids string) []ThreadRef {
		var all []ThreadRef
		for _, c := range ids {
			all = append(all, ThreadRef{Name: string(c), ID: int64(c)})
		}
		return all
	}
	finding := func(kind Kind, severity Severity, culprits, victims string) candidate {
		return candidate{Finding: Finding{ID: string(kind), Kind: kind, Severity: severity, Culprits: refs(culprits), Victims: refs(victims)}}
	}
	tests := []struct {
		name string
		all  []candidate // in the order of rank
		want string      // the IDs in the order of the report, "<" before the cause
	}{
		{"culprits that are victims of another", []candidate{
			finding(KindExecutorSaturated, Warning, "abc", "xyz"), finding(KindLockContention, Warning, "k", "abc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"one of the culprits is to blame in both", []candidate{
			finding(KindExecutorSaturated, Warning, "abc", "xyz"), finding(KindLockContention, Warning, "a", "bc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"a chain ends at its root", []candidate{
			finding(KindMissedSignal, Warning, "xyz", ""), finding(KindExecutorSaturated, Warning, "ab", "xyz"), finding(KindLockContention, Warning, "k", "ab"),
		}, "lock-contention missed-signal<lock-contention executor-saturated<lock-contention"},
		{"the same culprits", []candidate{
			finding(KindLockContention, Warning, "k", "ab"), finding(KindHotThread, Warning, "k", ""),
		}, "lock-contention hot-thread<lock-contention"},
		{"nobody to blame", []candidate{
			finding(KindDeadlock, Critical, "ab", "xy"), finding(KindLockContention, Warning, "", "xy"),
		}, "deadlock lock-contention<deadlock"},
		{"nothing in common", []candidate{
			finding(KindDeadlock, Critical, "ab", "xy"), finding(KindHotThread, Warning, "k", ""),
		}, "deadlock hot-thread"},
		{"a culprit of its own", []candidate{
			finding(KindDeadlock, Critical, "ab", "xy"), finding(KindMissedSignal, Warning, "xk", ""),
		}, "deadlock missed-signal"},
		{"a circle has no cause", []candidate{
			finding(KindExecutorSaturated, Warning, "a", "bxyz"), finding(KindPoolDeadlock, Warning, "ab", ""),
		}, "pool-deadlock executor-saturated<pool-deadlock"},
		{"a hint explains nothing that is more", []candidate{
			finding(KindMissedSignal, Warning, "xy", ""), finding(KindExecutorSaturated, Info, "ab", "xy"),
		}, "missed-signal executor-saturated"},
		{"what grows stands for itself", []candidate{
			finding(KindHotThread, Warning, "k", ""), finding(KindHeapGrowth, Warning, "k", ""),
		}, "hot-thread heap-growth"},
		{"victims of each other", []candidate{
			finding(KindLockContention, Warning, "a", "b"), finding(KindExecutorSaturated, Warning, "b", "a"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"what explains more stands first", []candidate{
			finding(KindDeadlock, Warning, "ab", "c"), finding(KindLockContention, Warning, "k", "l"), finding(KindExecutorSaturated, Warning, "l", "xyz"),
		}, "lock-contention executor-saturated<lock-contention deadlock"},
		{"a critical deadlock stands before what explains more", []candidate{
			finding(KindLockContention, Critical, "k", "lmn"), finding(KindDeadlock, Critical, "ab", ""),
		}, "deadlock lock-contention"},
		{"a likely one does not", []candidate{
			finding(KindLockContention, Critical, "k", "lmn"), finding(KindDeadlock, Warning, "ab", ""),
		}, "lock-contention deadlock"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range explain(test.all) {
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
