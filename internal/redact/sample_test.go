package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// samples are texts that an expression matches, made up from it, so that no secret of such a form
// has to be written down.
func samples(t testing.TB, expression string, n int) []string {
	t.Helper()
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	s := &sampler{random: rand.New(rand.NewPCG(3, uint64(len(expression))))}
	all := make([]string, n)
	for i := range all {
		s.out.Reset()
		s.write(tree)
		all[i] = s.out.String()
	}
	return all
}

type sampler struct {
	random *rand.Rand
	out    strings.Builder
}

func (s *sampler) write(tree *syntax.Regexp) {
	switch tree.Op {
	case syntax.OpLiteral:
		for _, c := range tree.Rune {
			s.out.WriteRune(c)
		}
	case syntax.OpCharClass:
		s.out.WriteRune(s.oneOf(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.out.WriteRune('.')
	case syntax.OpAlternate:
		s.write(tree.Sub[s.random.IntN(len(tree.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range tree.Sub {
			s.write(sub)
		}
	default:
		s.repeat(tree)
	}
}

// repeat writes what is repeated, of no set number at most twice more often than it must be.
func (s *sampler) repeat(tree *syntax.Regexp) {
	least, most := 0, 0
	switch tree.Op {
	case syntax.OpStar:
		most = 2
	case syntax.OpPlus:
		least, most = 1, 3
	case syntax.OpQuest:
		most = 1
	case syntax.OpRepeat:
		least, most = tree.Min, tree.Max
		if most < 0 || most > least+2 {
			most = least + 2
		}
	}
	for range least + s.random.IntN(most-least+1) {
		s.write(tree.Sub[0])
	}
}

// oneOf is a printable character of a class, a letter or digit if there are some.
func (s *sampler) oneOf(ranges []rune) rune {
	var plain, others []rune
	for c := rune(' '); c < 0x7f; c++ {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] > c || c > ranges[i+1] {
				continue
			}
			if isAlphanumeric(byte(c)) {
				plain = append(plain, c)
			} else {
				others = append(others, c)
			}
		}
	}
	if len(plain) == 0 {
		plain = others
	}
	return plain[s.random.IntN(len(plain))]
}
