package redact

import (
	"bytes"
	"regexp"
	"sync"
)

// finder collects the secrets of a line.
type finder struct {
	line []byte
	// masked is the line, with what was found already overwritten.
	masked []byte
	edits  []edit
	// places are where needles and shapes begin.
	places []place
	// open is the name whose value is in the lines that follow, nil for none.
	open *open
}

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
			f.apply(&rules[i], i)
		}
	}
}

// apply finds what a rule is for. One of gitleaks may find more than was found already, and sees
// the line as it is.
func (f *finder) apply(rule *Rule, number int) {
	line := f.masked
	if rule.group == firstGroup {
		line = f.line
	}
	done := 0
	for _, m := range rule.places(line, f.begins(rule, number)) {
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

// begins are the places of a rule, if it needs to know them.
func (f *finder) begins(rule *Rule, number int) (begins []int) {
	if rule.near == nil {
		return nil
	}
	for _, p := range f.places {
		if p.rule == number {
			begins = append(begins, p.at)
		}
	}
	return begins
}

// beforeVersion is before the number of a version, which may have four parts: "Server version number: 10.1.31.0".
var beforeVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bversions?(?: number)?["']?[\s:=]{1,20}["']?v?$`)
})

// isVersion reports that the number at a place in a line is that of a version.
func isVersion(line []byte, at int) bool {
	const near = 40
	return beforeVersion().Match(line[max(0, at-near):at])
}

// isElsewhere reports that the value of a name is not in its line, or is no secret. It notes what the name opens.
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

// openColumns notes that the head of a table has a name.
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

// isCount recognises how many there are of something: "secrets: 0".
func isCount(name, value []byte) bool {
	const most = 6 // digits
	return len(name) > 0 && (name[len(name)-1] == 's' || name[len(name)-1] == 'S') && len(value) <= most &&
		len(bytes.Trim(value, "0123456789")) == 0 && !bytes.HasSuffix(bytes.ToLower(name), []byte("pass"))
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
