package order_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jstall/jstall/internal/order"
)

type pair struct{ key, place int }

func byKey(a, b pair) int { return cmp.Compare(a.key, b.key) }

// TestOrderIsThatOfSlices compares the order, also of equal elements, with that of package slices.
func TestOrderIsThatOfSlices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 300 {
		for _, keys := range []int{1, 3, 1000} {
			all := make([]pair, size)
			for i := range all {
				all[i] = pair{random.IntN(keys), i}
			}
			for _, way := range []struct {
				name      string
				got, want func([]pair, func(a, b pair) int)
			}{
				{"Sort", order.Sort[pair], slices.SortFunc[[]pair]},
				{"SortStable", order.SortStable[pair], slices.SortStableFunc[[]pair]},
			} {
				got, want := slices.Clone(all), slices.Clone(all)
				way.got(got, byKey)
				way.want(want, byKey)
				if !slices.Equal(got, want) {
					t.Fatalf("%s of %v: %v, want %v", way.name, all, got, want)
				}
			}
		}
	}
}
