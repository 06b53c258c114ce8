package redact

import "strings"

// needles finds all of many texts in one pass over a line, whatever their case (Aho and
// Corasick's automaton, with the bytes folded to the few classes that occur).
type needles struct {
	class [256]uint8
	// next is the row of the state after a class. A row is the state times width.
	next  []uint32
	width int
	// found are the needles that end in a state.
	found [][]needle
	// shaped are the rules of each shape.
	shaped [len(shapes)]ruleSet
}

// needle is a text that makes a rule worth trying.
type needle struct {
	rule, length int
	// beginsWord and endsWord tell that it counts at the beginning or end of a word only.
	beginsWord, endsWord bool
}

func newNeedles(rules []Rule) *needles {
	n := &needles{}
	var texts []string
	var owners []needle
	for i, r := range rules {
		for _, text := range r.needles {
			if shape := shapeOf(text); shape >= 0 {
				n.shaped[shape].add(i)
				continue
			}
			owner := needle{rule: i}
			text, owner.endsWord = strings.CutSuffix(text, "$")
			text, owner.beginsWord = strings.CutPrefix(text, "^")
			owner.length = len(text)
			texts, owners = append(texts, text), append(owners, owner)
		}
	}
	n.classify(texts)
	n.build(texts, owners)
	return n
}

// classify gives each byte that occurs a class of its own, the others 0.
func (n *needles) classify(texts []string) {
	count := uint8(0)
	for _, text := range texts {
		for _, c := range []byte(text) {
			if n.class[c] == 0 {
				count++
				n.class[c] = count
			}
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		n.class[c-'a'+'A'] = n.class[c]
	}
	n.width = int(count) + 1
}

func (n *needles) build(texts []string, owners []needle) {
	n.next, n.found = make([]uint32, n.width), make([][]needle, 1)
	for i, text := range texts {
		row := 0
		for _, c := range []byte(text) {
			slot := row + int(n.class[c])
			if n.next[slot] == 0 {
				n.next[slot] = uint32(len(n.next))
				n.next = append(n.next, make([]uint32, n.width)...)
				n.found = append(n.found, nil)
			}
			row = int(n.next[slot])
		}
		n.found[row/n.width] = append(n.found[row/n.width], owners[i])
	}
	n.link()
}

// link fills the missing transitions with those of the longest suffix that is a
// prefix of a needle too, breadth first.
func (n *needles) link() {
	fail := make([]int, len(n.found)) // rows
	queue := []int{}
	for c := range n.width {
		if row := int(n.next[c]); row != 0 {
			queue = append(queue, row)
		}
	}
	for len(queue) > 0 {
		row := queue[0]
		queue = queue[1:]
		suffixRow := fail[row/n.width]
		n.found[row/n.width] = append(n.found[row/n.width], n.found[suffixRow/n.width]...)
		for c := range n.width {
			suffix := n.next[suffixRow+c]
			t := int(n.next[row+c])
			if t == 0 {
				n.next[row+c] = suffix
				continue
			}
			fail[t/n.width] = int(suffix)
			queue = append(queue, t)
		}
	}
	n.mark()
}

// hit is the bit of a row number that tells that needles end there.
const hit = 1 << 31

// mark sets the bit in all transitions to rows where needles end.
func (n *needles) mark() {
	for i, row := range n.next {
		if len(n.found[int(row)/n.width]) > 0 {
			n.next[i] |= hit
		}
	}
}

// texts adds the rules whose needles are in a line. It reports whether there are any.
func (n *needles) texts(line []byte, set *ruleSet) bool {
	next, class, row, some := n.next, &n.class, uint32(0), false
	for i, c := range line {
		row = next[row+uint32(class[c])]
		if row&hit != 0 {
			row &^= hit
			some = n.addFound(set, int(row)/n.width, line, i+1) || some
		}
	}
	return some
}

// addFound adds the rules whose needles end in a state, before a place in the line.
func (n *needles) addFound(set *ruleSet, state int, line []byte, end int) bool {
	some := false
	for _, f := range n.found[state] {
		begin := end - f.length
		if f.beginsWord && begin > 0 && isAlphanumeric(line[begin-1]) || f.endsWord && !endsWord(line[end:]) {
			continue
		}
		set.add(f.rule)
		some = true
	}
	return some
}

// endsWord reports that what is before a text is the end of a word, or of a dotted name.
func endsWord(rest []byte) bool {
	if len(rest) > 1 && rest[0] == '.' {
		rest = rest[1:]
	}
	return len(rest) == 0 || !isWordByte(rest[0])
}
