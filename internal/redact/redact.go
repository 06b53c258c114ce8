// Package redact replaces secrets in text by pseudonyms: bytes to bytes. Equal secrets get equal pseudonyms under one
// key, so that an analysis of the text gives the same result, with other names.
//
// A text is redacted line by line (line.go), and continued lines as one too (joined.go). A line may leave something
// open, such as the head of a table. Its values are searched for in the next lines (open.go, columns.go):
//
//  1. One pass over the line finds the needles of all rules, which are fixed texts
//     (needles.go), and shapes such as addresses (shapes.go). It gives the few rules
//     to try, and the places.
//  2. The expression of each such rule is matched about these places (near.go), of a
//     rule that may match far from them on all of the line.
//  3. Where a rule matches a name, its value is the secret (links.go, value.go).
//  4. The same is done with the line's escapes decoded (escapes.go). Secrets that
//     overlap are merged, and replaced by pseudonyms (pseudonyms.go).
//
// The rules are in rules.txt (rules.go), and those of gitleaks (maintained.go).
package redact

import (
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Redactor replaces secrets. It may be used by several goroutines.
type Redactor struct {
	rules   []Rule
	needles *needles
	key     []byte
	// replaced is called for each secret, if it is not nil. Then only one goroutine may use the redactor.
	replaced func(kind string, value []byte)

	mu     sync.Mutex
	counts map[string]int
	known  []secret
}

// New makes a redactor with these rules. The pseudonyms depend on the key; nil means a random key.
func New(rules []Rule, key []byte) *Redactor {
	if key == nil {
		key = make([]byte, 32)
		rand.Read(key)
	}
	return &Redactor{rules: rules, needles: newNeedles(rules), key: key, counts: map[string]int{}}
}

// shortest is the minimum length of a known value, as shorter ones often mean something else.
const shortest = 3

// Know adds a value that is secret wherever it is a separate word: the name of a user or of the machine.
func (r *Redactor) Know(kind, value string) {
	if len(value) < shortest || slices.Contains(public, strings.ToLower(value)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = append(r.known, secret{kind, []byte(value)})
}

// Counts returns how many secrets of each kind were replaced.
func (r *Redactor) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counts)
}

// count adds secrets of a kind that were replaced.
func (r *Redactor) count(kind string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[kind] += n
}
