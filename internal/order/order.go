// Package order sorts slices of structs. The compiler repeats the dozen functions behind slices.SortFunc for each type
// of element, with their tables 0.6 MB for the types of jstall; those of package sort are there once.
package order

import "sort"

// Sort does what slices.SortFunc does.
func Sort[E any](s []E, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// SortStable does what slices.SortStableFunc does.
func SortStable[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}
