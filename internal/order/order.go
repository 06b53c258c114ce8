// Package order sorts slices of structs. The compiler repeats the dozen functions behind slices.SortFunc for each type
// of element, with their tables 0.6 MB for the types of jstall. Here places are sorted, so all types share one copy.
package order

import "slices"

// Sort does what slices.SortFunc does.
func Sort[E any](s []E, compare func(a, b E) int) {
	sortPlaces(len(s), func(i, j int) int { return compare(s[i], s[j]) }, func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// SortStable does what slices.SortStableFunc does.
func SortStable[E any](s []E, compare func(a, b E) int) {
	sortPlacesStable(len(s), func(i, j int) int { return compare(s[i], s[j]) },
		func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func sortPlaces(n int, compare func(i, j int) int, swap func(i, j int)) {
	from := places(n)
	slices.SortFunc(from, compare)
	move(from, swap)
}

func sortPlacesStable(n int, compare func(i, j int) int, swap func(i, j int)) {
	from := places(n)
	slices.SortStableFunc(from, compare)
	move(from, swap)
}

// places returns the places of n elements.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// move swaps elements until the one that was at from[i] is at i.
func move(from []int, swap func(i, j int)) {
	for first := range from {
		at := first
		for from[at] != first {
			next := from[at]
			swap(at, next)
			from[at], at = at, next
		}
		from[at] = at
	}
}
