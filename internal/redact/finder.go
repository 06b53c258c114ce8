package redact

import (
	"bytes"
	"regexp"
	"sync"
)

// scratch is memory that the search in the next line uses again.
type scratch struct {
	masked  []byte
	places  []place
	matches [][]int
	begins  []int
}

// finder collects the secrets of a line.
type finder struct {
	*scratch
	line []byte
	// masked is the line, with the found secrets overwritten.
	masked []byte
	edits  []edit
	// places are the beginnings of needles and shapes.
	places []place
	// open is the name whose value is in the following lines, nil for none.
	open *open
}

// add adds a secret, unless it is public, empty or already known.
func (f *finder) add(kind string, from, to int) {
	if to <= from || isPublic(f.masked[from:to]) {
		return
	}
	if len(f.edits) == 0 {
		f.scratch.masked = append(f.scratch.masked[:0], f.line...)
		f.masked = f.scratch.masked
	}
	f.edits = append(f.edits, edit{from, to, kind, f.line[from:to], len(f.edits)})
	for i := from; i < to; i++ {
		f.masked[i] = found
	}
}

// applyAll applies the rules of a set for which chosen returns true.
func (f *finder) applyAll(rules []Rule, set *ruleSet, chosen func(*Rule) bool) {
	for i := range set.all {
		if chosen(&rules[i]) {
			f.apply(&rules[i], i)
		}
	}
}

// apply finds the secrets of a rule. A rule of gitleaks may find more than was found before, so it searches the
// original line.
func (f *finder) apply(rule *Rule, number int) {
	line := f.masked
	if rule.group == firstGroup {
		line = f.line
	}
	done := 0
	f.matches = rule.places(f.matches[:0], line, f.begins(rule, number))
	for _, m := range f.matches {
		if m[0] < done { // a name within the value before
			continue
		}
		from, to := rule.secret(line, m)
		if rule.named && f.isElsewhere(rule, m, from, to) {
			continue
		}
		done = to
		if rule.Kind == "ipv4" && isVersion(line, from) {
			continue
		}
		f.add(rule.Kind, from, to)
	}
}

// begins returns the places of a rule's needles, nil if the rule does not need them.
func (f *finder) begins(rule *Rule, number int) []int {
	if rule.near == nil {
		return nil
	}
	begins := f.scratch.begins[:0]
	for _, p := range f.places {
		if p.rule == number {
			begins = append(begins, p.at)
		}
	}
	f.scratch.begins = begins
	return begins
}

// beforeVersion matches the text before the number of a version, which may have four parts: "Server version number:
// 10.1.31.0".
var beforeVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bversions?(?: number)?["']?[\s:=]{1,20}["']?v?$`)
})

// isVersion reports whether the number at a place in a line is that of a version.
func isVersion(line []byte, at int) bool {
	const near = 40
	return beforeVersion().Match(line[max(0, at-near):at])
}

// isElsewhere reports whether the value of a name is not in its line, or is not a secret. It notes what the name opens.
func (f *finder) isElsewhere(rule *Rule, match []int, from, to int) bool {
	begin, end := match[2*rule.group], match[2*rule.group+1]
	if end <= begin {
		return false
	}
	f.openColumns(rule.Kind, begin, end)
	if to <= from || isBlockMark(f.line[from:]) {
		isHead := f.open != nil && f.open.form == inColumns && f.open.columns.cells > 1
		if o := openedBy(rule.Kind, f.line, begin, end); o != nil && !isHead {
			f.open = o
		}
		return to > from
	}
	if f.line[to-1] == '\\' && to == len(bytes.TrimRight(f.line, "\r")) {
		f.open = &open{kind: rule.Kind, form: continued, indent: indentOf(f.line), left: mostOpen}
	}
	return isCount(f.line[begin:end], f.line[from:to])
}

// openColumns notes that a name is in the head of a table.
func (f *finder) openColumns(kind string, begin, end int) {
	c, ok := columnsOf(f.line, begin, end)
	if !ok {
		return
	}
	if f.open != nil && f.open.form == inColumns && f.open.columns.separator == c.separator {
		f.open.columns.secret |= c.secret
		return
	}
	f.open = &open{kind: kind, form: inColumns, left: mostOpen, columns: c}
}

// isCount reports whether a name with its value is a number of items: "secrets: 0".
func isCount(name, value []byte) bool {
	const most = 6 // digits
	return len(name) > 0 && (name[len(name)-1] == 's' || name[len(name)-1] == 'S') && len(value) <= most &&
		len(bytes.Trim(value, "0123456789")) == 0 && !bytes.HasSuffix(bytes.ToLower(name), []byte("pass"))
}

// word finds a value where it is not a part of a longer word.
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
