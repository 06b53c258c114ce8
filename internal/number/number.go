// Package number parses the numbers that programs print for people: with a decimal point, a decimal comma or another
// decimal sign, with grouping signs, and with the digits of any script. HotSpot prints with the C library's printf,
// which uses the decimal sign of the locale (LC_NUMERIC): cpu=29.45ms is cpu=29,45ms under de_DE and cpu=29٫45ms under
// fa_IR. Java code also prints the digits of the locale. A text that could be two different numbers is not accepted.
package number

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Decimal is a number as printed.
type Decimal struct {
	Negative bool
	// Whole is the part before the decimal sign, Fraction the digits after it, and Places their number.
	Whole, Fraction int64
	Places          int
}

// Whole reads a number without fraction, which may be negative.
func Whole(text []byte) (int64, bool) {
	d, ok := Parse(text, 0)
	if !ok || d.Places > 0 {
		return 0, false
	}
	if d.Negative {
		return -d.Whole, true
	}
	return d.Whole, true
}

// Parse parses a number that is printed with that many decimal places. "1,234" is 1.234 if three are expected, and an
// error for another number of places, as it may be more than a thousand. A point without other signs is always a
// decimal point.
func Parse(text []byte, places int) (Decimal, bool) {
	var s scan
	if !s.read(text) {
		return Decimal{}, false
	}
	return s.decimal(places)
}

// Scale is the number times unit: 1536 for 1.5 (KB) and 1024. Fractions of the result are cut off. ok is false if the
// result is too large.
func (d Decimal) Scale(unit int64) (int64, bool) {
	if unit < 1 || d.Whole > math.MaxInt64/unit {
		return 0, false
	}
	v := d.Whole * unit
	part := int64(float64(d.Fraction) / math.Pow10(d.Places) * float64(unit))
	if d.Places > 0 && d.Fraction <= math.MaxInt64/unit {
		part = d.Fraction * unit / pow10(d.Places)
	}
	if v > math.MaxInt64-part {
		return 0, false
	}
	v += part
	if d.Negative {
		v = -v
	}
	return v, true
}

// Float is the number as a float64.
func (d Decimal) Float() float64 {
	v := float64(d.Whole) + float64(d.Fraction)/math.Pow10(d.Places)
	if d.Negative {
		return -v
	}
	return v
}

// maxDigits is the number of digits that always fit an int64.
const maxDigits = 18

func pow10(n int) int64 {
	v := int64(1)
	for range min(n, maxDigits) {
		v *= 10
	}
	return v
}

// maxSigns bounds the separators of one number.
const maxSigns = 8

// scan is a parsed number: groups of digits with a sign between each two.
type scan struct {
	negative bool
	digits   [maxDigits + 1]byte
	n        int
	ends     [maxSigns]int  // in digits, where a group ends
	signs    [maxSigns]rune // that is there
	count    int
}

func (s *scan) read(text []byte) bool {
	for first := true; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if isMark(r) {
			continue
		}
		digit, isDigit := digit(r)
		switch {
		case isDigit && s.n < maxDigits:
			s.digits[s.n] = byte(digit)
			s.n++
		case first && (r == '-' || r == '−' || r == '+'):
			s.negative = r != '+'
		case kindOf(r) != noSign && s.n > 0 && s.count < maxSigns:
			s.ends[s.count], s.signs[s.count] = s.n, r
			s.count++
		default:
			return false
		}
		first = false
	}
	return s.n > 0 && (s.count == 0 || s.ends[s.count-1] < s.n)
}

// isMark recognises the marks of writing direction that are around a number.
func isMark(r rune) bool { return r == '\u200e' || r == '\u200f' || r == '\u061c' }

// signKind is what a sign between digits can be.
type signKind uint8

const (
	noSign signKind = iota
	decimalSign
	groupSign
	eitherSign
)

func kindOf(r rune) signKind {
	switch r {
	case '.', ',', '．', '，':
		return eitherSign
	case '٫':
		return decimalSign
	case '٬', '\'', '’', '\u00a0', '\u202f', '\u2009':
		return groupSign
	}
	return noSign
}

func (s *scan) decimal(places int) (Decimal, bool) {
	groups, point := s.count, -1 // number of signs between groups, and index of the decimal sign
	if s.count > 0 && s.lastIsPoint(places) {
		groups--
		point = s.ends[groups]
	}
	if !s.grouped(groups, point) {
		return Decimal{}, false
	}
	if point < 0 {
		return Decimal{Negative: s.negative, Whole: s.value(0, s.n)}, true
	}
	return Decimal{
		Negative: s.negative, Whole: s.value(0, point), Fraction: s.value(point, s.n), Places: s.n - point,
	}, true
}

// lastIsPoint reports whether the last sign is the decimal sign.
func (s *scan) lastIsPoint(places int) bool {
	last := s.signs[s.count-1]
	after := s.n - s.ends[s.count-1]
	switch kindOf(last) {
	case decimalSign:
		return true
	case groupSign:
		return false
	}
	if s.count > 1 {
		return s.signs[s.count-2] != last
	}
	return isPoint(last) || after == places || after != 3 || s.ends[0] > 3 || s.digits[0] == 0
}

func isPoint(r rune) bool { return r == '.' || r == '．' }

// grouped reports whether the first signs separate groups in a usual way: always the same sign, three digits after the
// last, and two or three after each other one. A single comma can be either kind of sign.
func (s *scan) grouped(n, point int) bool {
	end := point
	if end < 0 {
		end = s.n
	}
	for i := range n {
		if s.signs[i] != s.signs[0] || kindOf(s.signs[i]) == decimalSign {
			return false
		}
		next, least := end, 3
		if i+1 < n {
			next, least = s.ends[i+1], 2
		}
		if size := next - s.ends[i]; size < least || size > 3 {
			return false
		}
	}
	if n > 0 && s.ends[0] > 3 {
		return false
	}
	return n != 1 || point >= 0 || kindOf(s.signs[0]) == groupSign
}

func (s *scan) value(from, to int) (v int64) {
	for _, d := range s.digits[from:to] {
		v = 10*v + int64(d)
	}
	return v
}

// digit is the value of a digit of any script.
func digit(r rune) (int, bool) {
	if r >= '0' && r <= '9' {
		return int(r - '0'), true
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	// The digits of a script are consecutive, zero first. Some scripts are next to each other.
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	return 0, false
}

// Latin replaces the digits of other scripts by 0 to 9, and removes marks of writing direction. Signs between digits
// stay.
func Latin(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		if d, ok := digit(r); ok {
			return rune('0' + d)
		}
		return r
	}, text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
