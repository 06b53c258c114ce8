package redact

import "strings"

// needles finds all of many texts in one pass, whatever their case (Aho and
// Corasick's automaton, with the bytes folded to the few classes that occur).
type needles struct {
	class [256]uint8
	// next is the state after a class, in rows of width; found the rules whose
	// needle ends in a state.
	next  []uint16
	width int
	found []hits
	// everywhere are the rules with needles that are told by other means.
	ipv4, ipv6 uint64
}

// hits are rules whose needle was found, and those whose needle is one if a word ends
// with it.
type hits struct{ rules, ifWordEnds uint64 }

func (h hits) and(other hits) hits {
	return hits{h.rules | other.rules, h.ifWordEnds | other.ifWordEnds}
}

func newNeedles(rules []Rule) *needles {
	n := &needles{}
	var texts []string
	var owners []hits
	for i, r := range rules {
		for _, text := range r.needles {
			switch text {
			case "{ipv4}":
				n.ipv4 |= 1 << i
			case "{ipv6}":
				n.ipv6 |= 1 << i
			default:
				owner := hits{rules: 1 << i}
				if word, ok := strings.CutSuffix(text, "$"); ok {
					text, owner = word, hits{ifWordEnds: 1 << i}
				}
				texts, owners = append(texts, text), append(owners, owner)
			}
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

func (n *needles) build(texts []string, owners []hits) {
	n.next, n.found = make([]uint16, n.width), make([]hits, 1)
	for i, text := range texts {
		at := 0
		for _, c := range []byte(text) {
			slot := at*n.width + int(n.class[c])
			if n.next[slot] == 0 {
				n.next[slot] = uint16(len(n.found))
				n.next = append(n.next, make([]uint16, n.width)...)
				n.found = append(n.found, hits{})
			}
			at = int(n.next[slot])
		}
		n.found[at] = n.found[at].and(owners[i])
	}
	n.link()
}

// link fills the missing transitions with those of the longest suffix that is a
// prefix of a needle too, breadth first.
func (n *needles) link() {
	fail := make([]int, len(n.found))
	queue := []int{}
	for c := range n.width {
		if s := int(n.next[c]); s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		n.found[s] = n.found[s].and(n.found[fail[s]])
		for c := range n.width {
			suffix := n.next[fail[s]*n.width+c]
			t := int(n.next[s*n.width+c])
			if t == 0 {
				n.next[s*n.width+c] = suffix
				continue
			}
			fail[t] = int(suffix)
			queue = append(queue, t)
		}
	}
}

// in returns the set of rules that a line is to be tried on.
func (n *needles) in(line []byte) uint64 {
	var set, ifWordEnds uint64
	at := 0
	dots, colons := 0, 0
	for _, c := range line {
		if ifWordEnds != 0 && !isLetter(c) {
			set |= ifWordEnds
		}
		at = int(n.next[at*n.width+int(n.class[c])])
		set |= n.found[at].rules
		ifWordEnds = n.found[at].ifWordEnds
		switch c {
		case '.':
			dots++
		case ':':
			colons++
		}
	}
	set |= ifWordEnds
	if dots >= 3 && holdsIPv4(line) {
		set |= n.ipv4
	}
	if colons >= 2 && holdsIPv6(line) {
		set |= n.ipv6
	}
	return set
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
