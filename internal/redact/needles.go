package redact

import (
	"bytes"
	"math/bits"
	"strings"
)

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

// shapes are what a line may hold that no fixed text tells, by the needles that stand for them.
var shapes = [...]struct {
	needle string
	// mark is a text that the shape holds at least so often.
	mark    []byte
	atLeast int
	holds   func(line []byte) bool
}{
	{"{ipv4}", []byte("."), 3, holdsIPv4},
	{"{ipv6}", []byte(":"), 2, holdsIPv6},
	{"{email}", []byte("@"), 1, holdsEmail},
	{"{login}", []byte("@"), 1, holdsLogin},
}

// shapeOf is the number of the shape that a needle stands for, -1 for a text.
func shapeOf(needle string) int {
	for i, s := range shapes {
		if s.needle == needle {
			return i
		}
	}
	return -1
}

// needle is a text that makes a rule worth trying.
type needle struct {
	rule, length int
	// beginsWord and endsWord tell that it counts at the beginning or end of a word only.
	beginsWord, endsWord bool
}

// maxRules is how many fit a ruleSet.
const maxRules = 512

// ruleSet is a set of rules by their numbers.
type ruleSet [maxRules / 64]uint64

func (s *ruleSet) add(rule int) { s[rule/64] |= 1 << (rule % 64) }

func (s *ruleSet) addAll(other *ruleSet) {
	for i := range s {
		s[i] |= other[i]
	}
}

// all are the rules of a set, in their order.
func (s *ruleSet) all(yield func(int) bool) {
	for i, bitsLeft := range s {
		for ; bitsLeft != 0; bitsLeft &= bitsLeft - 1 {
			if !yield(64*i + bits.TrailingZeros64(bitsLeft)) {
				return
			}
		}
	}
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

// shapes adds the rules whose shape is in a line. It reports whether there are any.
func (n *needles) shapes(line []byte, set *ruleSet) bool {
	some := false
	for i := range shapes {
		s := &shapes[i]
		if bytes.Count(line, s.mark) >= s.atLeast && s.holds(line) {
			set.addAll(&n.shaped[i])
			some = true
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

// endsWord tells that what is before a text is the end of a word, or of a dotted name.
func endsWord(rest []byte) bool {
	if len(rest) > 1 && rest[0] == '.' {
		rest = rest[1:]
	}
	return len(rest) == 0 || !isLetter(rest[0])
}

func isAlphanumeric(c byte) bool { return c != '_' && isLetter(c) }

// holdsEmail finds "@" between a name and a name with a dot. A hash, as in Pool@5f2a, has none.
func holdsEmail(line []byte) bool {
	for {
		at := bytes.IndexByte(line, '@')
		if at < 0 {
			return false
		}
		named := at > 0 && isInName(line[at-1])
		line = line[at+1:]
		end := 0
		for end < len(line) && (isAlphanumeric(line[end]) || line[end] == '-') {
			end++
		}
		if named && end > 0 && end+1 < len(line) && line[end] == '.' && isAlphanumeric(line[end+1]) {
			return true
		}
	}
}

// isInName tells a character of the name before the "@" of an address.
func isInName(c byte) bool { return isLetter(c) || bytes.IndexByte([]byte(".%+-"), c) >= 0 }

// holdsLogin finds "/" before "@", as in scott/tiger@db.
func holdsLogin(line []byte) bool {
	slash := bytes.IndexByte(line, '/')
	return slash > 0 && bytes.IndexByte(line[slash:], '@') > 0
}

// holdsIPv4 finds four short numbers with dots between.
func holdsIPv4(line []byte) bool {
	digits, dots := 0, 0
	for _, c := range line {
		switch {
		case '0' <= c && c <= '9':
			digits++
			if dots == 3 {
				return true
			}
		case c == '.' && 1 <= digits && digits <= 3:
			dots++
			digits = 0
		default:
			digits, dots = 0, 0
		}
	}
	return false
}

// holdsIPv6 finds hexadecimal numbers with seven colons between, or two colons in
// a row; times of day have less. Words alone on both sides are the name of a C++ method.
func holdsIPv6(line []byte) bool {
	if bytes.Count(line, []byte(":")) < 7 && !bytes.Contains(line, []byte("::")) {
		return false
	}
	colons, numbers, double, digit := 0, 0, false, false
	var before byte
	for _, c := range line {
		switch {
		case c == ':':
			colons++
			double = double || before == ':'
		case isHex(c):
			if before == ':' || colons+numbers == 0 {
				numbers++
			}
			digit = digit || c <= '9'
			if colons == 7 || double && (numbers >= 3 || numbers == 2 && digit) {
				return true
			}
		default:
			colons, numbers, double, digit = 0, 0, false, false
		}
		before = c
	}
	return false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
