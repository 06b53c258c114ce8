package redact

import "regexp"

// prefilter finds the matches of an expression. An automaton decides at each byte of a line
// whether a match may begin there. The expression itself, which is slow, is matched only at
// those places; there are few of them in most lines.
type prefilter struct {
	steps *automaton
	// at matches at the first byte of a text, behind at its second byte: an assertion such as \b
	// needs the byte before.
	at, behind *regexp.Regexp
}

// newPrefilter is nil for an expression that may begin nearly everywhere, or is too long.
func newPrefilter(expression string) *prefilter {
	const maxFirst = 40 // of the 95 printable characters
	steps := newAutomaton(expression)
	if steps == nil || steps.first() > maxFirst {
		return nil
	}
	at, errAt := regexp.Compile(`\A(?:` + expression + `)`)
	behind, errBehind := regexp.Compile(`\A(?s:.)(?:` + expression + `)`)
	if errAt != nil || errBehind != nil { // such as with \Q at the beginning
		return nil
	}
	return &prefilter{steps, at, behind}
}

// places are the matches that FindAllSubmatchIndex finds. It reports false for a line that it
// cannot search: one with more than ASCII, where not every byte is a character, and one in which
// the expression failed at maxFailed places, where the prefilter saves no time.
func (s *prefilter) places(line []byte) (all [][]int, ok bool) {
	const maxFailed = 8
	failed := 0
	for at := 0; at < len(line); {
		if line[at] >= ascii || failed == maxFailed {
			return nil, false
		}
		if !s.steps.mayBegin(line, at) {
			at++
			continue
		}
		m := s.match(line, at)
		if m == nil {
			failed++
			at++
			continue
		}
		all = append(all, m)
		at = m[1]
	}
	return all, true
}

// match is the match that begins at a byte, nil if none does.
func (s *prefilter) match(line []byte, at int) []int {
	if at == 0 {
		return s.at.FindSubmatchIndex(line)
	}
	m := s.behind.FindSubmatchIndex(line[at-1:])
	for i := range m {
		if m[i] >= 0 {
			m[i] += at - 1
		}
	}
	if m != nil {
		m[0] = at
	}
	return m
}
