package redact

import (
	"crypto/hmac"
	"crypto/sha256"
)

// appendPseudonym appends the pseudonym of a secret. It has only letters: a digit could join a thread to a pool or
// separate it from one, and no encoding has to escape letters. They are as wide as the secret's characters, which in
// UTF-16 have a zero byte each.
func (p *pass) appendPseudonym(out, original []byte, e edit) []byte {
	wide := len(original) > 1 && original[1] == 0
	name := p.pseudonym(e.kind, e.value)
	switch {
	case p.fixed && wide:
		name = letters(p.sum(e.value), (len(original)+1)/2)
	case p.fixed:
		name = letters(p.sum(e.value), len(original))
	}
	if !wide {
		return append(out, name...)
	}
	for i, c := range name {
		out = append(out, c)
		if !p.fixed || 2*i+1 < len(original) {
			out = append(out, 0)
		}
	}
	return out
}

// pseudonym returns the pseudonym of a secret, and counts it.
func (p *pass) pseudonym(kind string, value []byte) []byte {
	if p.counts != nil {
		p.counts[kind]++
	} else {
		p.r.count(map[string]int{kind: 1})
	}
	if p.r.replaced != nil {
		p.r.replaced(kind, value)
	}
	return append([]byte(mark+kind+"-"), letters(p.sum(value), 8)...)
}

// sum is the keyed sum of a value.
func (p *pass) sum(value []byte) []byte {
	if p.mac == nil {
		p.mac = hmac.New(sha256.New, p.r.key)
	}
	p.mac.Reset()
	p.mac.Write(value)
	return p.mac.Sum(nil)
}

// letters spells a sum with n letters. After the end of the sum it starts again.
func letters(sum []byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = 'a' + sum[i%len(sum)]%26
	}
	return out
}
