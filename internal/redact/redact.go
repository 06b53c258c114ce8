// Package redact replaces secrets in text by pseudonyms: bytes to bytes. Equal
// secrets become equal pseudonyms under one key, so that what is analysed stays
// the same but for names.
package redact

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"
	"maps"
	"math/bits"
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
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if line := text[at:end]; !isFrame(line) {
			if clean := p.line(line); !bytes.Equal(clean, line) {
				out = append(append(out, text[done:at]...), clean...)
				done = end
			}
		}
		at = end + 1
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// isFrame tells a line of a stack, which is code.
func isFrame(line []byte) bool { return bytes.HasPrefix(line, []byte("\tat ")) }

func (p *pass) line(line []byte) []byte {
	if p.inKey || bytes.Contains(line, pemBegin) {
		return p.keyLine(line)
	}
	for set := p.r.needles.in(line); set != 0; set &= set - 1 {
		line = p.apply(p.r.rules[bits.TrailingZeros64(set)], line)
	}
	if bytes.Contains(line, optionMark) {
		line = p.options(line)
	}
	for _, s := range p.known {
		line = p.replaceWord(line, s)
	}
	return line
}

var pemBegin, pemEnd = []byte("PRIVATE KEY-----"), []byte("-----END ")

// keyLine replaces the lines of a private key.
func (p *pass) keyLine(line []byte) []byte {
	begin := bytes.Contains(line, []byte("-----BEGIN "))
	end := bytes.Contains(line, pemEnd)
	inside := p.inKey && !end && !begin
	p.inKey = (p.inKey || begin) && !end
	switch {
	case begin && end: // the whole key in one line, as in a property
		from := bytes.Index(line, []byte("-----BEGIN "))
		return append(bytes.Clone(line[:from]), p.pseudonym("private-key", line[from:])...)
	case inside:
		return p.pseudonym("private-key", line)
	}
	return line
}

func (p *pass) apply(rule Rule, line []byte) []byte {
	places := rule.places(line)
	if places == nil {
		return line
	}
	var out []byte
	done := 0
	for _, m := range places {
		from, to := m[2*rule.group], m[2*rule.group+1]
		if from < done || to <= from || isPublic(line[from:to]) {
			continue
		}
		out = append(append(out, line[done:from]...), p.pseudonym(rule.Kind, line[from:to])...)
		done = to
	}
	return append(out, line[done:]...)
}

// isPublic tells values that are the same everywhere, and our own pseudonyms.
func isPublic(value []byte) bool {
	switch v := string(value); {
	case v == "127.0.0.1", v == "0.0.0.0", v == "::1", v == "null", v == "true", v == "false":
		return true
	case bytes.HasPrefix(value, []byte(mark)):
		return true
	}
	return slices.Contains(public, strings.ToLower(string(value)))
}

// replaceWord replaces a value where it is no part of a longer word.
func (p *pass) replaceWord(line []byte, s secret) []byte {
	from := 0
	for {
		i := bytes.Index(line[from:], s.value)
		if i < 0 {
			return line
		}
		at, end := from+i, from+i+len(s.value)
		if at > 0 && isLetter(line[at-1]) || end < len(line) && isLetter(line[end]) {
			from = end
			continue
		}
		name := p.pseudonym(s.kind, s.value)
		line = slices.Concat(line[:at], name, line[end:])
		from = at + len(name)
	}
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// mark begins every pseudonym.
const mark = "redacted-"

// pseudonym is what stands for a secret: letters only, so that no digit joins a
// thread to a pool or parts it from one.
func (p *pass) pseudonym(kind string, value []byte) []byte {
	p.r.mu.Lock()
	p.r.counts[kind]++
	p.r.mu.Unlock()
	if p.mac == nil {
		p.mac = hmac.New(sha256.New, p.r.key)
	}
	p.mac.Reset()
	p.mac.Write(value)
	sum := p.mac.Sum(nil)
	if p.fixed {
		return letters(sum, len(value))
	}
	return append([]byte(mark+kind+"-"), letters(sum, 8)...)
}

// letters spells a sum with n letters; beyond its length it begins again.
func letters(sum []byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = 'a' + sum[i%len(sum)]%26
	}
	return out
}

// printable is the shortest run of text in binary data that is looked at.
const printable = 6

// Binary redacts the text within binary data, each secret by as many letters: what
// lies behind it stays in its place.
func (r *Redactor) Binary(data []byte) []byte {
	p := r.begin()
	p.fixed = true
	out := bytes.Clone(data)
	from := 0
	for i := 0; i <= len(out); i++ {
		if i < len(out) && out[i] >= ' ' && out[i] < 0x7f {
			continue
		}
		if i-from >= printable {
			copy(out[from:i], p.run(out[from:i]))
		}
		from = i + 1
	}
	return out
}
