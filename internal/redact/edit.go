package redact

import (
	"bytes"
	"cmp"

	"github.com/jstall/jstall/internal/order"
)

// edit is a secret in a line, from one byte to before another, and the value from which its pseudonym is made.
type edit struct {
	from, to int
	kind     string
	value    []byte
	// order is how many secrets of the line were found before it.
	order int
}

// secret is a value that is secret in every place.
type secret struct {
	kind  string
	value []byte
}

// merge sorts secrets by their places, and joins those that overlap to one of the kind that was found first.
func merge(line []byte, edits []edit) []edit {
	if len(edits) < 2 {
		return edits
	}
	order.SortStable(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	merged := edits[:1]
	for _, e := range edits[1:] {
		last := &merged[len(merged)-1]
		if e.from >= last.to {
			merged = append(merged, e)
			continue
		}
		if e.order < last.order {
			last.order, last.kind = e.order, e.kind
		}
		if e.to > last.to {
			last.to, last.value = e.to, line[last.from:e.to]
		}
	}
	return merged
}

// without returns a line in which the secrets are overwritten.
func without(line []byte, edits []edit) []byte {
	line = bytes.Clone(line)
	for _, e := range edits {
		for i := e.from; i < e.to; i++ {
			line[i] = found
		}
	}
	return line
}
