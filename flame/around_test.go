package flame

import (
	"fmt"
	"strings"
	"testing"
)

func TestAround(t *testing.T) {
	a := newAssembler(dumpTypes()...)
	a.add(a.stack("A.main", "A.walk", "A.walk", "A.leaf"), labels{}, 6)
	a.add(a.stack("A.start", "A.walk"), labels{}, 3)
	a.add(a.stack("A.walk", "A.other"), labels{}, 1)
	a.add(a.stack("A.main", "A.walk", "A.leaf"), labels{base: true}, -100)
	a.add(a.stack("A.never", "A.walk"), labels{}, 0)
	words := func(calls []Call) string {
		var all []string
		for _, c := range calls {
			all = append(all, fmt.Sprintf("%s %d", c.Function.Name, c.Weight))
		}
		return strings.Join(all, ", ")
	}
	got := Around(a.profile, atCPU, func(name string) bool { return name == "A.walk" || name == "A.leaf" })
	if len(got) != 2 {
		t.Fatalf("%d methods", len(got))
	}
	for i, want := range []string{
		"A.walk 10 self 3: called by A.main 6, A.start 3; calls A.walk 6, A.other 1",
		"A.leaf 6 self 6: called by A.walk 6; calls ",
	} {
		s := got[i]
		if text := fmt.Sprintf("%s %d self %d: called by %s; calls %s", s.Function.Name, s.Total, s.Self,
			words(s.Callers),
			words(s.Callees)); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}
