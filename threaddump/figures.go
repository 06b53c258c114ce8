package threaddump

import (
	"bytes"
	"math"
	"time"

	"github.com/jstall/jstall/internal/number"
)

func parseAddress(b []byte) (uint64, bool) {
	if len(b) < 3 || len(b) > 18 || b[0] != '0' || b[1] != 'x' {
		return 0, false
	}
	return parseHex(b[2:])
}

func parseHex(b []byte) (v uint64, ok bool) {
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	for _, c := range b {
		digit := hexDigits[c]
		if digit == 0 {
			return 0, false
		}
		v = v<<4 | uint64(digit-1)
	}
	return v, true
}

// hexDigits are their values and one, zero for other characters.
var hexDigits = [256]uint8{
	'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10,
	'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16,
	'A': 11, 'B': 12, 'C': 13, 'D': 14, 'E': 15, 'F': 16,
}

// parseNativeID reads hex (up to JDK 20) or decimal digits.
func parseNativeID(b []byte) (int64, bool) {
	if v, ok := parseAddress(b); ok {
		return int64(v), v <= math.MaxInt64
	}
	return parseInt(b)
}

func parseInt(b []byte) (v int64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	return v, true
}

func setInt(o *Opt[int64], b []byte) bool {
	v, ok := parseInt(b)
	if !ok {
		v, ok = number.Whole(b)
	}
	if ok && v >= 0 {
		*o = Known(v)
	}
	return ok && v >= 0
}

func setPriority(p *int8, b []byte) bool {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	v, ok := parseInt(b)
	if !ok {
		v, ok = number.Whole(b)
	}
	if !ok || v < 0 || v > 99 {
		return false
	}
	if *p = int8(v); negative {
		*p = -*p
	}
	return true
}

// setBytes reads "624K", or "1.2K" with the decimal sign of any locale.
func setBytes(o *Opt[int64], b []byte) bool {
	if len(b) < 2 {
		return false
	}
	shift := bytes.IndexByte([]byte("BKMGT"), b[len(b)-1])
	if shift < 0 {
		return false
	}
	v, ok := scaled(b[:len(b)-1], 1, int64(1)<<(10*shift))
	if ok {
		*o = Known(v)
	}
	return ok
}

// setDuration reads "209.29ms" or "0.98s", with the decimal sign of any locale.
func setDuration(o *Opt[time.Duration], b []byte) bool {
	unit := time.Second
	b, ok := bytes.CutSuffix(b, []byte("s"))
	if !ok {
		return false
	}
	if ms, ok := bytes.CutSuffix(b, []byte("m")); ok {
		b, unit = ms, time.Millisecond
	}
	const places = 2 // as HotSpot prints
	v, ok := scaled(b, places, int64(unit))
	if ok {
		*o = Known(time.Duration(v))
	}
	return ok
}

// scaled reads a number that is not negative, in units.
func scaled(b []byte, places int, unit int64) (int64, bool) {
	if v, ok := scaledPlain(b, unit); ok {
		return v, true
	}
	d, ok := number.Parse(b, places)
	if !ok || d.Negative {
		return 0, false
	}
	return d.Scale(unit)
}

// scaledPlain reads what most locales print, in a fraction of the time.
func scaledPlain(b []byte, unit int64) (v int64, ok bool) {
	whole, fraction := cutAt(b, '.')
	w, ok := parseInt(whole)
	if !ok || w > math.MaxInt64/unit {
		return 0, false
	}
	v = w * unit
	if len(fraction) == 0 {
		return v, len(whole) == len(b)
	}
	f, ok := parseInt(fraction)
	if !ok || f > math.MaxInt64/unit {
		return 0, false
	}
	power := int64(1)
	for range fraction {
		power *= 10
	}
	part := f * unit / power
	return v + part, v <= math.MaxInt64-part
}
