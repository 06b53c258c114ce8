package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// stateCounts is how many threads are in each state. An unknown state is the empty key.
type stateCounts map[string]int

func (c stateCounts) sum() int {
	n := 0
	for _, m := range c {
		n += m
	}
	return n
}

// words is ": 20 WAITING, 1 RUNNABLE, 2 unknown", empty without a thread.
func (c stateCounts) words() string {
	states := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		if (a == "") != (b == "") {
			return strings.Compare(b, a)
		}
		return cmp.Or(c[b]-c[a], strings.Compare(a, b))
	})
	for i, s := range states {
		states[i] = count(c[s]) + " " + cmp.Or(s, "unknown")
	}
	if len(states) == 0 {
		return ""
	}
	return ": " + strings.Join(states, ", ")
}

func intOr(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

// mountedWords is " (2 mounted)", empty for 0 and if the number is unknown.
func mountedWords(n int) string {
	if n == 0 {
		return ""
	}
	return " (" + count(n) + " mounted)"
}
