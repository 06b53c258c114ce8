// Package redact replaces secrets in text by pseudonyms: bytes to bytes. Equal
// secrets become equal pseudonyms under one key, so that what is analysed stays
// the same but for names.
package redact

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"hash"
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

	mu     sync.Mutex
	counts map[string]int
	known  []secret
}

// secret is a value that is secret wherever it stands.
type secret struct {
	kind  string
	value []byte
}

// New makes a redactor with these rules. The key decides about the pseudonyms;
// nil is a fresh one, which nobody knows.
func New(rules []Rule, key []byte) *Redactor {
	if key == nil {
		key = make([]byte, 32)
		rand.Read(key)
	}
	return &Redactor{rules: rules, needles: newNeedles(rules), key: key, counts: map[string]int{}}
}

// shortest is the length below which a known value is more often something else.
const shortest = 3

// public are the names that tell nothing of anybody.
var public = []string{"root", "nobody", "daemon", "user", "java", "jvm", "main", "app", "localhost", "unknown"}

// Know adds a value that is secret wherever it stands as a word of its own: the
// name of a user or of the machine.
func (r *Redactor) Know(kind, value string) {
	if len(value) < shortest || slices.Contains(public, strings.ToLower(value)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = append(r.known, secret{kind, []byte(value)})
}

// Counts says how many secrets of each kind were replaced.
func (r *Redactor) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counts)
}

// Text redacts text, line by line. It returns its argument if there is nothing to
// replace.
func (r *Redactor) Text(text []byte) []byte {
	t := r.begin()
	return t.run(text)
}

// begin takes the known values as they are now.
func (r *Redactor) begin() *pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &pass{r: r, known: r.known}
}

// pass is one text on its way.
type pass struct {
	r     *Redactor
	known []secret
	// inKey tells that the lines belong to a private key.
	inKey bool
	// fixed tells that every secret must keep its length.
	fixed bool
	// mac is of the redactor's key, made for the first secret.
	mac hash.Hash
}

func (p *pass) run(text []byte) []byte {
	var out []byte
	done := 0
	escapes := holdsEscape(text)
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if edits := p.find(text[at:end], escapes); len(edits) > 0 {
			out = append(out, text[done:at]...)
			out = p.replace(out, text[at:end], edits)
			done = end
		}
		at = end + 1
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// edit is a secret in a line, from one byte up to another, and the value that its pseudonym is of.
type edit struct {
	from, to int
	kind     string
	value    []byte
	// order is the number of secrets that were found before it in the line.
	order int
}

// find finds the secrets of a line, in order of their places.
func (p *pass) find(line []byte, escapes bool) []edit {
	if p.inKey || bytes.Contains(line, pemBegin) {
		if edits, isKey := p.keyLine(line); isKey {
			return edits
		}
	}
	inFrame := isFrame(line)
	edits := p.findPlain(line, inFrame)
	if escapes && !inFrame {
		edits = append(edits, p.findEscaped(line, deepest)...)
	}
	return merge(line, edits)
}

// findEscaped finds the secrets that show when the escapes of a line are taken away, layer by layer.
func (p *pass) findEscaped(line []byte, layers int) []edit {
	d, ok := decode(line)
	if !ok || layers == 0 {
		return nil
	}
	var edits []edit
	if d.changed {
		edits = append(p.findPlain(d.text, false), p.findEscaped(d.text, layers-1)...)
	}
	if d.isQuery {
		edits = append(edits, p.findPlain(bytes.ReplaceAll(d.text, []byte("+"), []byte(" ")), false)...)
	}
	for i := range edits {
		e := &edits[i]
		e.from, e.to, e.order = d.at[e.from], d.at[e.to], e.order+len(line)
	}
	return edits
}

// findPlain finds the secrets that stand in a line as they are.
func (p *pass) findPlain(line []byte, inFrame bool) []edit {
	f := finder{line: line, rest: line}
	var set ruleSet
	some := p.r.needles.texts(line, &set)
	if inFrame {
		f.applyAll(p.r.rules, &set, func(r *Rule) bool { return r.inFrames })
		return f.edits
	}
	if p.r.needles.shapes(line, &set) || some {
		f.applyAll(p.r.rules, &set, func(*Rule) bool { return true })
	}
	if bytes.Contains(line, optionMark) {
		f.options()
	}
	for _, s := range p.known {
		f.word(s)
	}
	return f.edits
}

// merge sorts secrets by their places, and makes one of those that overlap, of the kind that was
// found first.
func merge(line []byte, edits []edit) []edit {
	if len(edits) < 2 {
		return edits
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
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

// replace appends a line with pseudonyms for its secrets.
func (p *pass) replace(out, line []byte, edits []edit) []byte {
	done := 0
	for _, e := range edits {
		out = append(out, line[done:e.from]...)
		out = p.appendPseudonym(out, line[e.from:e.to], e)
		done = e.to
	}
	return append(out, line[done:]...)
}

// inCode are the characters of a frame's module, class and method. A name may have letters of
// any script.
var inCode = func() (set [256]bool) {
	for c := range set {
		set[c] = isLetter(byte(c)) || c >= 0x80 || strings.IndexByte("$./@-<>+", byte(c)) >= 0
	}
	return set
}()

var pemBegin, pemEnd = []byte("-----BEGIN "), []byte("-----END ")

// finder collects the secrets of a line.
type finder struct {
	line []byte
	// rest is the line, with what was found already overwritten.
	rest  []byte
	edits []edit
}

// found overwrites a secret that is known. It is no character of a name, and no blank.
const found = 1

// add adds a secret, unless it is public or nothing, or known already.
func (f *finder) add(kind string, from, to int) {
	if to <= from || isPublic(f.rest[from:to]) {
		return
	}
	if len(f.edits) == 0 {
		f.rest = bytes.Clone(f.line)
	}
	f.edits = append(f.edits, edit{from, to, kind, f.line[from:to], len(f.edits)})
	for i := from; i < to; i++ {
		f.rest[i] = found
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
	line := f.rest
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

// word finds a value where it is no part of a longer word.
func (f *finder) word(s secret) {
	for from := 0; ; {
		i := bytes.Index(f.rest[from:], s.value)
		if i < 0 {
			return
		}
		at, end := from+i, from+i+len(s.value)
		if (at == 0 || !isLetter(f.rest[at-1])) && (end == len(f.rest) || !isLetter(f.rest[end])) {
			f.add(s.kind, at, end)
		}
		from = end
	}
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// mark begins every pseudonym.
const mark = "redacted-"

// printable is the shortest run of text in binary data that is looked at.
const printable = 6

// Binary redacts the text within binary data, each secret by as many letters: what
// lies behind it stays in its place.
func (r *Redactor) Binary(data []byte) []byte {
	p := r.begin()
	p.fixed = true
	out := bytes.Clone(data)
	p.runsOf(out, 1)
	p.runsOf(out, 2)
	return out
}

// runsOf redacts the runs of printable characters in binary data, which are so many bytes wide:
// the further bytes of a character are zero.
func (p *pass) runsOf(data []byte, width int) {
	for at := 0; at < len(data); {
		end := at
		for isPrintable(data[end:], width) {
			end += width
		}
		if end-at >= printable*width {
			copy(data[at:end], p.run(data[at:end]))
		}
		at = end + 1
	}
}

// isPrintable tells that data begins with a printable character of that many bytes.
func isPrintable(data []byte, width int) bool {
	return len(data) >= width && data[0] >= ' ' && data[0] < 0x7f && (width == 1 || data[1] == 0)
}
