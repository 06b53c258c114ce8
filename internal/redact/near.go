package redact

import (
	"fmt"
	"regexp"
	"slices"
)

// usuallyBefore is how many characters before a needle a match may begin, unless the rule's kind says otherwise.
const usuallyBefore = "2"

// near finds the matches of an expression around the places of its needles. It does not try the expression elsewhere.
type near struct {
	// atBegin is for the beginning of a line, behind for places after a character, which an assertion such as \b needs.
	// The expression is in a separate group.
	atBegin, behind *regexp.Regexp
	// before is how many characters before a needle a match may begin.
	before int
}

func newNear(expression string, before int) *near {
	skip := fmt.Sprintf(`(?s:.{0,%d}?)`, before)
	return &near{
		regexp.MustCompile(`\A` + skip + `(` + expression + `)`),
		regexp.MustCompile(`\A(?s:.)` + skip + `(` + expression + `)`),
		before,
	}
}

// places appends the matches, as FindAllSubmatchIndex does, around the places of the needles.
func (n *near) places(all [][]int, line []byte, begins []int) [][]int {
	done := 0
	slices.Sort(begins)
	for _, begin := range begins {
		if begin < done {
			continue
		}
		if m := n.match(line, begin, done); m != nil {
			all = append(all, m)
			done = m[1]
		}
	}
	return all
}

// match returns the match around a needle at a place in a line and after the match before, nil without one.
func (n *near) match(line []byte, at, done int) []int {
	// most is how many bytes are searched, unless a match continues beyond.
	const most = 1 << 10
	from, pattern := max(done-1, at-n.before-1), n.behind
	if done == 0 && from < 0 {
		from, pattern = 0, n.atBegin
	}
	end := min(len(line), at+most)
	m := pattern.FindSubmatchIndex(line[from:end])
	if m != nil && from+m[1] == end && end < len(line) {
		m = pattern.FindSubmatchIndex(line[from:])
	}
	if m == nil {
		return nil
	}
	m = m[2:]
	for i := range m {
		if m[i] >= 0 {
			m[i] += from
		}
	}
	return m
}
