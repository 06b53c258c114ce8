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
	result := func(kind Kind, severity Severity, culprits, victims string) candidate {
		return candidate{Finding: Finding{ID: string(kind), Kind: kind, Severity: severity, Culprits: refs(culprits), Victims: refs(victims)}}
	}
	tests := []struct {
		name string
		all  []candidate // in the order of rank
		want string      // the IDs in the order of the report, "<" before the cause
	}{
		{"culprits that are victims of another", []candidate{
			result(KindExecutorSaturated, Warning, "abc", "xyz"), result(KindLockContention, Warning, "k", "abc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"one of the culprits is to blame in both", []candidate{
			result(KindExecutorSaturated, Warning, "abc", "xyz"), result(KindLockContention, Warning, "a", "bc"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"a chain ends at its root", []candidate{
			result(KindMissedSignal, Warning, "xyz", ""), result(KindExecutorSaturated, Warning, "ab", "xyz"), result(KindLockContention, Warning, "k", "ab"),
		}, "lock-contention missed-signal<lock-contention executor-saturated<lock-contention"},
		{"the same culprits", []candidate{
			result(KindLockContention, Warning, "k", "ab"), result(KindHotThread, Warning, "k", ""),
		}, "lock-contention hot-thread<lock-contention"},
		{"nobody to blame", []candidate{
			result(KindDeadlock, Critical, "ab", "xy"), result(KindLockContention, Warning, "", "xy"),
		}, "deadlock lock-contention<deadlock"},
		{"nothing in common", []candidate{
			result(KindDeadlock, Critical, "ab", "xy"), result(KindHotThread, Warning, "k", ""),
		}, "deadlock hot-thread"},
		{"a culprit of its own", []candidate{
			result(KindDeadlock, Critical, "ab", "xy"), result(KindMissedSignal, Warning, "xk", ""),
		}, "deadlock missed-signal"},
		{"a circle has no cause", []candidate{
			result(KindExecutorSaturated, Warning, "a", "bxyz"), result(KindPoolDeadlock, Warning, "ab", ""),
		}, "pool-deadlock executor-saturated<pool-deadlock"},
		{"a hint explains nothing that is more", []candidate{
			result(KindMissedSignal, Warning, "xy", ""), result(KindExecutorSaturated, Info, "ab", "xy"),
		}, "missed-signal executor-saturated"},
		{"what grows stands for itself", []candidate{
			result(KindHotThread, Warning, "k", ""), result(KindHeapGrowth, Warning, "k", ""),
		}, "hot-thread heap-growth"},
		{"victims of each other", []candidate{
			result(KindLockContention, Warning, "a", "b"), result(KindExecutorSaturated, Warning, "b", "a"),
		}, "lock-contention executor-saturated<lock-contention"},
		{"what explains more stands first", []candidate{
			result(KindDeadlock, Warning, "ab", "c"), result(KindLockContention, Warning, "k", "l"), result(KindExecutorSaturated, Warning, "l", "xyz"),
		}, "lock-contention executor-saturated<lock-contention deadlock"},
		{"a critical deadlock stands before what explains more", []candidate{
			result(KindLockContention, Critical, "k", "lmn"), result(KindDeadlock, Critical, "ab", ""),
		}, "deadlock lock-contention"},
		{"a likely one does not", []candidate{
			result(KindLockContention, Critical, "k", "lmn"), result(KindDeadlock, Warning, "ab", ""),
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
