package redact

import "bytes"

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

// isInName recognises a character of the name before the "@" of an address.
func isInName(c byte) bool { return isWordByte(c) || bytes.IndexByte([]byte(".%+-"), c) >= 0 }

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
