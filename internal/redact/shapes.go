package redact

import "bytes"

// shapes are forms of text without a fixed part, by the needles that represent them.
var shapes = [...]struct {
	needle string
	// mark is a text that the shape contains at least atLeast times.
	mark    []byte
	atLeast int
	// begins returns the places of such shapes in a line. One is enough if its rules are tried on the whole line.
	begins func(line []byte) []int
}{
	{"{ipv4}", []byte("."), 3, beginsOfIPv4},
	{"{ipv6}", []byte(":"), 2, ifHeld(holdsIPv6)},
	{"{email}", []byte("@"), 1, ifHeld(holdsEmail)},
	{"{login}", []byte("@"), 1, ifHeld(holdsLogin)},
}

// ifHeld only reports whether a shape is in a line, not where.
func ifHeld(holds func(line []byte) bool) func(line []byte) []int {
	return func(line []byte) []int {
		if holds(line) {
			return []int{0}
		}
		return nil
	}
}

// shapeOf is the number of the shape that a needle represents, -1 for a text.
func shapeOf(needle string) int {
	for i, s := range shapes {
		if s.needle == needle {
			return i
		}
	}
	return -1
}

// shapes adds the rules whose shape is in a line, and appends the places.
func (n *needles) shapes(places []place, line []byte, set *ruleSet) []place {
	for i := range shapes {
		s := &shapes[i]
		if bytes.Count(line, s.mark) < s.atLeast {
			continue
		}
		begins := s.begins(line)
		if len(begins) == 0 {
			continue
		}
		set.addAll(&n.shaped[i])
		for rule := range n.shaped[i].all {
			for _, at := range begins {
				places = append(places, place{rule, at})
			}
		}
	}
	return places
}

// holdsEmail finds "@" between a name and a name with a dot and a word at its end. A hash, as in Pool@5f2a, does not
// match, and neither does the version of a module.
func holdsEmail(line []byte) bool {
	for {
		at := bytes.IndexByte(line, '@')
		if at < 0 {
			return false
		}
		named := at > 0 && isInName(line[at-1])
		line = line[at+1:]
		if named && holdsTopDomain(line) {
			return true
		}
	}
}

// holdsTopDomain reports whether a text begins with the name of a host that has two letters after a dot.
func holdsTopDomain(text []byte) bool {
	for i, c := range text {
		if !isAlphanumeric(c) && c != '-' && c != '.' {
			return false
		}
		if i > 1 && text[i-2] == '.' && isLetter(text[i-1]) && isLetter(c) {
			return true
		}
	}
	return false
}

// isInName recognises a character of the name before the "@" of an address.
func isInName(c byte) bool { return isWordByte(c) || bytes.IndexByte([]byte(".%+-"), c) >= 0 }

// holdsLogin finds "/" before "@", as in scott/tiger@db.
func holdsLogin(line []byte) bool {
	slash := bytes.IndexByte(line, '/')
	return slash > 0 && bytes.IndexByte(line[slash:], '@') > 0
}

// beginsOfIPv4 finds four short numbers with dots between.
func beginsOfIPv4(line []byte) (begins []int) {
	if dotsInNumbers(line) < 3 {
		return nil
	}
	digits, dots, begin := 0, 0, 0
	for i, c := range line {
		switch {
		case isDigit(c):
			if digits+dots == 0 {
				begin = i
			}
			digits++
			if dots == 3 && digits == 1 {
				begins = append(begins, begin)
			}
		case c == '.' && 1 <= digits && digits <= 3:
			dots++
			digits = 0
		default:
			digits, dots = 0, 0
		}
	}
	return begins
}

// dotsInNumbers counts the dots between two digits, which is faster than to look at each byte.
func dotsInNumbers(line []byte) (n int) {
	for at := bytes.IndexByte(line, '.'); at >= 0 && at+1 < len(line); {
		if at > 0 && isDigit(line[at-1]) && isDigit(line[at+1]) {
			n++
		}
		next := bytes.IndexByte(line[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return n
}

// holdsIPv6 finds hexadecimal numbers with seven colons between them, or two colons in a row; times of day have fewer.
// Two colons between words are the name of a C++ method.
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
