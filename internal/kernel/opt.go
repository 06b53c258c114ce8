package kernel

import (
	"bytes"
	"strings"
)

// Opt is a value that the kernel may or may not tell. Absent is not zero.
type Opt[T any] struct {
	Value T
	Known bool
}

// Known wraps a value that was there.
func Known[T any](v T) Opt[T] { return Opt[T]{Value: v, Known: true} }

// number reads a file of one number.
func number(text []byte) Opt[int64] {
	p := numbers{kind: "number"}
	n := p.decimal(bytes.TrimSpace(text))
	return Opt[int64]{Value: n, Known: p.err == nil}
}

// keyed reads lines of a word and a number.
func keyed(text []byte) map[string]Opt[int64] {
	values := map[string]Opt[int64]{}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		if n := number([]byte(value)); ok && n.Known {
			values[key] = n
		}
	}
	return values
}
