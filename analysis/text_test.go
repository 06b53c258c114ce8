package analysis

import "testing"

func TestCountSetsThousandsApart(t *testing.T) {
	for n, want := range map[int]string{0: "0 threads", 1: "1 thread", 999: "999 threads", 1002: "1,002 threads", 1234567: "1,234,567 threads"} {
		if got := Counted(n, "thread"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
