package shell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// Nearest are the names that are most like a word, the nearest first. A name is also compared by its end after each dot
// or dollar sign.
func Nearest(word string, names []string, most int) []string {
	distance := func(name string) int {
		least := unlike(word, name)
		for i, c := range name {
			if c == '.' || c == '$' {
				least = min(least, unlike(word, name[i+1:]))
			}
		}
		return least
	}
	near := make(map[string]int, len(names))
	for _, name := range names {
		near[name] = distance(name)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(near[a], near[b]) })
	return sorted[:min(most, len(sorted))]
}

// mostCompared is how many bytes of a name are compared, as the effort grows with the square.
const mostCompared = 200

func unlike(a, b string) int {
	a, b = strings.ToLower(a[:min(len(a), mostCompared)]), strings.ToLower(b[:min(len(b), mostCompared)])
	return smetrics.WagnerFischer(a, b, 1, 1, 1)
}
