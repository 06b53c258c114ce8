package flame

import (
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// TestWeightsThatAddUpToTooMuch: totals beyond 2^63 - 1 would turn negative.
func TestWeightsThatAddUpToTooMuch(t *testing.T) {
	read := func(text string) *profile.Profile {
		p, err := ReadCollapsed(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const most = "9223372036854775807"
	for name, text := range map[string]string{
		"one stack": "a;b " + most + "\na;b " + most + "\n",
		"two":       "a;b " + most + "\na;c 1\n",
		"halves":    "a 4611686018427387904\nb 4611686018427387904\n",
	} {
		p := read(text)
		for _, s := range p.Sample {
			if s.Value[0] < 0 {
				t.Errorf("%s: a weight of %d", name, s.Value[0])
			}
		}
		if err := CheckWeights(p); err == nil || !strings.Contains(err.Error(), "2^63") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	large := "a 4611686018427387904\n"
	if err := CheckWeights(read(large)); err != nil {
		t.Errorf("half of the most: %v", err)
	}
	if _, err := Merge([]*profile.Profile{read(large), read(large)}); err == nil {
		t.Error("two files with half of the most each were merged")
	}
	if _, err := Diff(read(large), read(large)); err == nil {
		t.Error("a difference that holds more than the most was made")
	}
}

func TestPlusAndTimes(t *testing.T) {
	for _, c := range [][3]int64{
		{1, 2, 3}, {math.MaxInt64, 1, math.MaxInt64}, {math.MinInt64, -1, math.MinInt64},
		{math.MaxInt64, math.MinInt64, -1}, {math.MinInt64, math.MinInt64, math.MinInt64},
	} {
		if got := plus(c[0], c[1]); got != c[2] {
			t.Errorf("%d + %d = %d, want %d", c[0], c[1], got, c[2])
		}
	}
	for _, c := range [][3]int64{
		{3, 4, 12}, {0, math.MaxInt64, 0}, {math.MaxInt64, 2, math.MaxInt64}, {1 << 40, 1 << 40, math.MaxInt64},
	} {
		if got := times(c[0], c[1]); got != c[2] {
			t.Errorf("%d · %d = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
