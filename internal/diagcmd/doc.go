// Package diagcmd parses the answers of HotSpot's diagnostic commands, one file per command: text to figures, pure.
// Each figure may be absent. The texts differ between releases; unknown parts are skipped. In JSON a value is under a
// key with its unit, and absent if unknown.
package diagcmd

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/jstall/jstall/internal/number"
)

// Opt is a value that an answer may not have. It can be converted to the Opt of other packages.
type Opt[T any] struct {
	Value T
	Known bool
}

func known[T any](v T) Opt[T] { return Opt[T]{Value: v, Known: true} }

// MarshalJSON writes the value alone. Fields of this type are omitzero, so that an
// unknown one is absent.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.Known {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// units are the letters that follow a size.
const units = "KMGT"

// size reads "1022Kb", "387072K", "12M", "2G" or plain bytes.
func size(word string) Opt[int64] {
	end := len(strings.TrimRight(word, "BbKkMmGgTt"))
	n, ok := number.Whole([]byte(word[:end]))
	if !ok || n < 0 {
		return Opt[int64]{}
	}
	if end == len(word) || word[end] == 'B' || word[end] == 'b' {
		return known(n)
	}
	power := strings.IndexByte(units, word[end]&^('a'-'A'))
	if power < 0 {
		return Opt[int64]{}
	}
	unit := int64(1) << (10 * (power + 1))
	if n > math.MaxInt64/unit {
		return Opt[int64]{}
	}
	return known(n * unit)
}

// decimalSize reads "4.05" and "MB", "0" and "bytes", with the decimal sign of any locale.
// The JVM has rounded it.
func decimalSize(word, unit string) Opt[int64] {
	d, ok := number.Parse([]byte(word), decimalPlaces)
	n := d.Float()
	if !ok || n < 0 || n > 1<<40 {
		return Opt[int64]{}
	}
	if unit == "bytes" || unit == "byte" {
		return known(int64(n))
	}
	if len(unit) != 2 || unit[1] != 'B' {
		return Opt[int64]{}
	}
	power := strings.IndexByte(units, unit[0])
	if power < 0 {
		return Opt[int64]{}
	}
	bytes := n * float64(int64(1)<<(10*(power+1)))
	if bytes > math.MaxInt64/2 {
		return Opt[int64]{}
	}
	return known(int64(math.Round(bytes)))
}

// whole parses a count, which is never negative.
func whole(word string) Opt[int64] {
	n, ok := number.Whole([]byte(word))
	if !ok || n < 0 {
		return Opt[int64]{}
	}
	return known(n)
}
