package redact

import (
	"slices"
	"strings"

	"github.com/coregx/ahocorasick"
)

// needles finds all needles of all rules in one pass over a line, ignoring case.
type needles struct {
	matcher *ahocorasick.Automaton
	// of are the needles of each text of the matcher.
	of [][]needle
	// shaped are the rules of each shape.
	shaped [len(shapes)]ruleSet
}

// needle is a text without which a rule cannot match.
type needle struct {
	rule int
	// beginsWord and endsWord report that it counts only at the beginning or end of a word.
	beginsWord, endsWord bool
}

// place is where a needle of a rule begins in a line.
type place struct{ rule, at int }

func newNeedles(rules []Rule) *needles {
	n := &needles{}
	var texts []string
	for i, r := range rules {
		for _, text := range r.needles {
			if shape := shapeOf(text); shape >= 0 {
				n.shaped[shape].add(i)
				continue
			}
			one := needle{rule: i}
			text, one.endsWord = strings.CutSuffix(text, "$")
			text, one.beginsWord = strings.CutPrefix(text, "^")
			at := slices.Index(texts, text)
			if at < 0 {
				at = len(texts)
				texts, n.of = append(texts, text), append(n.of, nil)
			}
			n.of[at] = append(n.of[at], one)
		}
	}
	if len(texts) > 0 { // an automaton without texts is an error
		n.matcher, _ = ahocorasick.NewBuilder().AddStrings(texts).Build()
	}
	return n
}

// texts adds the rules whose needles are in a line, and appends their places. lower is the line in lower case.
func (n *needles) texts(places []place, line, lower []byte, set *ruleSet) []place {
	if n.matcher == nil {
		return places
	}
	for _, m := range n.matcher.FindAllOverlapping(lower) {
		for _, one := range n.of[m.PatternID] {
			within := one.beginsWord && m.Start > 0 && isAlphanumeric(line[m.Start-1])
			if within || one.endsWord && !endsWord(line[m.End:]) {
				continue
			}
			set.add(one.rule)
			places = append(places, place{one.rule, m.Start})
		}
	}
	return places
}

// endsWord reports whether a word, or a dotted name, ends before a text.
func endsWord(rest []byte) bool {
	if len(rest) > 1 && rest[0] == '.' {
		rest = rest[1:]
	}
	return len(rest) == 0 || !isWordByte(rest[0])
}
