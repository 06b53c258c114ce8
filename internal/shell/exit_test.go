package shell

import (
	"testing"
)

func TestWorst(t *testing.T) {
	for _, test := range []struct {
		codes []int
		want  int
	}{
		{[]int{0, 1, 2}, 2}, {[]int{0, 1}, 1}, {[]int{1, 4}, 4}, {[]int{3, 4, 0}, 3}, {[]int{0, 0}, 0}, {nil, 0},
		{[]int{1, 5}, 5},
	} {
		if got := WorstCode(test.codes); got != test.want {
			t.Errorf("worst(%v) = %d, want %d", test.codes, got, test.want)
		}
	}
}
