package flame

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/google/pprof/profile"
)

// whole is a number of an event as a weight; one that is too large for it is the largest.
func whole(v uint64) int64 { return int64(min(v, math.MaxInt64)) }

// plus adds two weights. A sum that is too large is the largest there is, of that sign.
func plus(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	}
	return sum
}

// times multiplies two weights that are not negative.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 {
		return math.MaxInt64
	}
	return whole(low)
}

// CheckWeights reports profiles whose weights add up to more than a profile can hold, 2^63 - 1: no
// total of theirs would be right.
func CheckWeights(parts ...*profile.Profile) error {
	sums := map[string]uint64{}
	for _, p := range parts {
		for _, s := range p.Sample {
			for i, v := range s.Value {
				t := p.SampleType[i].Type
				if sums[t] += magnitude(v); sums[t] >= math.MaxInt64 {
					return fmt.Errorf("the weights (%s) add up to more than 2^63 - 1, the most that a profile holds", t)
				}
			}
		}
	}
	return nil
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}
