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
		name = appendLetters(nil, p.sum(e.value), (len(original)+1)/2)
	case p.fixed:
		name = appendLetters(nil, p.sum(e.value), len(original))
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

// pseudonym returns the pseudonym of a secret, until the next call, and counts it.
func (p *pass) pseudonym(kind string, value []byte) []byte {
	if p.counts != nil {
		p.counts[kind]++
	} else {
		p.r.count(kind, 1)
	}
	if p.r.replaced != nil {
		p.r.replaced(kind, value)
	}
	p.name = append(append(append(p.name[:0], mark...), kind...), '-')
	p.name = appendLetters(p.name, p.sum(value), 8)
	return p.name
}

// Bounds of the sums that are kept: how many, and of values of which length.
const (
	mostSums   = 4 << 10
	longestSum = 256
)

// sum is the keyed sum of a value. The same value is often in many lines.
func (p *pass) sum(value []byte) []byte {
	if known := p.sums[string(value)]; known != nil {
		return known
	}
	if p.mac == nil {
		p.mac, p.sums = hmac.New(sha256.New, p.r.key), map[string][]byte{}
	}
	p.mac.Reset()
	p.mac.Write(value)
	sum := p.mac.Sum(nil)
	if len(value) <= longestSum && len(p.sums) < mostSums {
		p.sums[string(value)] = sum
	}
	return sum
}

// appendLetters spells a sum with n letters. After the end of the sum it starts again.
func appendLetters(to, sum []byte, n int) []byte {
	for i := range n {
		to = append(to, 'a'+sum[i%len(sum)]%26)
	}
	return to
}
