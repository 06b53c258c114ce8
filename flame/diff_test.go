package flame

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// oneStack is a profile of one stack and one sample type.
func oneStack(kind, unit, method string, value int64) *profile.Profile {
	a := newAssembler(&profile.ValueType{Type: kind, Unit: unit})
	a.add(a.stack(method), labels{}, value)
	return a.profile
}

func TestDiffOfUnits(t *testing.T) {
	for name, c := range map[string]struct {
		kind, now, before string
		base              int64 // of 40, to 1000 now
		warning           string
	}{
		"alike":       {CPU, "nanoseconds", "nanoseconds", 40, ""},
		"convertible": {CPU, "nanoseconds", "microseconds", 40_000, ""},
		"sizes":       {Alloc, "bytes", "kilobytes", 40 << 10, ""},
		"unlike": {CPU, "nanoseconds", "ticks", 1000,
			`Unlike units: cpu is in "nanoseconds", in the base in "ticks"`},
		"unknown":     {Unnamed, "count", "count", 40, "Units unknown"},
		"time, count": {CPU, "nanoseconds", "count", 1000, "Unlike units"},
	} {
		p, err := Diff(oneStack(c.kind, c.now, "A.now", 1000), oneStack(c.kind, c.before, "A.before", 40))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if now, base := totals(p, 0); now != 1000 || base != c.base || p.SampleType[0].Unit != c.now {
			t.Errorf("%s: %d %s, base %d, want 1000 and %d", name, now, p.SampleType[0].Unit, base, c.base)
		}
		said := strings.Join(p.Comments, " ")
		if c.warning == "" && strings.Contains(said, "nits") || !strings.Contains(said, c.warning) {
			t.Errorf("%s: said is %q, want %q", name, said, c.warning)
		}
	}
}

// TestDiffComparesShares: a base of twice the length has grown nothing.
func TestDiffComparesShares(t *testing.T) {
	now, before := newAssembler(dumpTypes()...), newAssembler(dumpTypes()...)
	now.add(now.stack("A.same"), labels{}, 30, 0, 0)
	now.add(now.stack("A.grown"), labels{}, 20, 0, 0)
	before.add(before.stack("A.same"), labels{}, 60, 0, 0)
	before.add(before.stack("A.grown"), labels{}, 20, 0, 0)
	before.add(before.stack("A.gone"), labels{}, 20, 0, 0)
	p, err := Diff(now.profile, before.profile)
	if err != nil {
		t.Fatal(err)
	}
	scale := BaseScale(p, atCPU)
	if scale != 0.5 || BaseScale(p, atWall) != 1 || BaseScale(oneStack(CPU, "nanoseconds", "A.b", 1), 0) != 1 {
		t.Errorf("the scale is %v, of a weight without values %v", scale, BaseScale(p, atWall))
	}
	table := Methods(p, MethodOptions{Index: atCPU, BaseScale: scale})
	if table.Total != 50 || table.Base != 100 {
		t.Errorf("total %d, base %d", table.Total, table.Base)
	}
	want := map[string][2]int64{"A.same": {30, 30}, "A.grown": {20, 10}, "A.gone": {0, 10}}
	for _, m := range table.Methods {
		if got := [2]int64{m.Total, m.Base}; got != want[m.Function.Name] {
			t.Errorf("%s is %v, want %v", m.Function.Name, got, want[m.Function.Name])
		}
	}
	if last := table.Methods[2].Function.Name; len(table.Methods) != 3 || last != "A.same" {
		t.Errorf("last is %s, which did not change the least", last)
	}
}
