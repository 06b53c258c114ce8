// Package diagcmd reads what HotSpot's diagnostic commands answer, one file per
// command: text to figures, pure, every one of them possibly absent. The words
// differ from release to release; what is not known is passed over.
package diagcmd

import "strconv"

// Opt is a value that an answer may not hold. It converts to the Opt of other
// rooms.
type Opt[T any] struct {
	Value T
	Known bool
}

func known[T any](v T) Opt[T] { return Opt[T]{Value: v, Known: true} }

// size reads "1022Kb", "387072K", "12M", "2G" or plain bytes.
func size(word string) Opt[int64] {
	end := 0
	for end < len(word) && word[end] >= '0' && word[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(word[:end], 10, 64)
	if err != nil {
		return Opt[int64]{}
	}
	unit := int64(1)
	switch {
	case end == len(word) || word[end] == 'B' || word[end] == 'b':
	case word[end] == 'K' || word[end] == 'k':
		unit = 1 << 10
	case word[end] == 'M':
		unit = 1 << 20
	case word[end] == 'G':
		unit = 1 << 30
	default:
		return Opt[int64]{}
	}
	if n > (1<<63-1)/unit {
		return Opt[int64]{}
	}
	return known(n * unit)
}
