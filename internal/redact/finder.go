package redact

import (
	"bytes"
	"slices"
	"strings"
)

// finder collects the secrets of a line.
type finder struct {
	line []byte
	// masked is the line, with what was found already overwritten.
	masked []byte
	edits  []edit
}

// found overwrites the bytes of a secret in masked. It is neither a character of a name nor a blank.
const found = 1

// add adds a secret, unless it is public or nothing, or known already.
func (f *finder) add(kind string, from, to int) {
	if to <= from || isPublic(f.masked[from:to]) {
		return
	}
	if len(f.edits) == 0 {
		f.masked = bytes.Clone(f.line)
	}
	f.edits = append(f.edits, edit{from, to, kind, f.line[from:to], len(f.edits)})
	for i := from; i < to; i++ {
		f.masked[i] = found
	}
}

// applyAll applies those rules of a set that a condition chooses.
func (f *finder) applyAll(rules []Rule, set *ruleSet, chosen func(*Rule) bool) {
	for i := range set.all {
		if chosen(&rules[i]) {
			f.apply(&rules[i])
		}
	}
}

// apply finds what a rule is for. One of gitleaks may find more than was found already, and sees
// the line as it is.
func (f *finder) apply(rule *Rule) {
	line := f.masked
	if rule.group == firstGroup {
		line = f.line
	}
	done := 0
	for _, m := range rule.places(line) {
		if m[0] < done { // a name within the value before
			continue
		}
		from, to := rule.secret(line, m)
		f.add(rule.Kind, from, to)
		done = to
	}
}

// word finds a value where it is no part of a longer word.
func (f *finder) word(s secret) {
	for from := 0; ; {
		i := bytes.Index(f.masked[from:], s.value)
		if i < 0 {
			return
		}
		at, end := from+i, from+i+len(s.value)
		if (at == 0 || !isWordByte(f.masked[at-1])) && (end == len(f.masked) || !isWordByte(f.masked[end])) {
			f.add(s.kind, at, end)
		}
		from = end
	}
}

// isPublic tells values that are the same everywhere, our own pseudonyms, and what was found.
func isPublic(value []byte) bool {
	switch v := string(value); {
	case v == "127.0.0.1", v == "0.0.0.0", v == "::1", v == "null", v == "true", v == "false":
		return true
	case bytes.HasPrefix(value, []byte(mark)) && !bytes.ContainsRune(value, ' '), len(bytes.Trim(value, "\x01")) == 0:
		return true
	}
	return slices.Contains(public, strings.ToLower(string(value)))
}
