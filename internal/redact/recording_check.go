package redact

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/jstall/jstall/internal/order"
)

// mostTelling bounds how many secrets are searched for in a copy.
const mostTelling = 1 << 14

// isTelling reports whether the bytes of a secret are unlikely to occur in other data. A single word of letters may
// also be a name in code, and a path may be a file of the system. Hosts and addresses are recognised by their form, and
// version numbers look like them.
func isTelling(s secret) bool {
	switch s.kind {
	case "property", "host", "url-host", "ipv4", "ipv6":
		return false
	}
	if len(s.value) < window || len(s.value) > longestDone || s.value[0] == '/' {
		return false
	}
	isOdd := func(c byte) bool { return !inCode[c] || c >= ascii || '0' <= c && c <= '9' }
	return slices.ContainsFunc(s.value, isOdd)
}

// Check reads a copy again. It must have the chunks and events that were written. Check returns how many of the
// replaced secrets still occur in it, in texts that no rule covers. The next copy is without them.
func (c *Recording) Check(in io.Reader) (left int, err error) {
	s := newSearch(c.telling)
	err = c.copied.Check(in, s.look)
	for value := range s.found {
		c.everywhere = append(c.everywhere, secret{c.telling[value], []byte(value)})
	}
	order.Sort(c.everywhere, func(a, b secret) int { // one may be a part of another
		return len(b.value) - len(a.value)
	})
	return len(s.found), err
}

// window is how many bytes of a secret are compared at once. Shorter secrets are not searched for.
const window = 8

// search searches for many texts, in each encoding of a recording.
type search struct {
	// maybe has a bit for each sum of the first bytes of a text.
	maybe [1 << 16]bool
	texts map[uint64][]written
	found map[string]bool
}

// written is a text as bytes.
type written struct {
	bytes []byte
	text  string
}

func newSearch(texts map[string]string) *search {
	s := &search{texts: map[uint64][]written{}, found: map[string]bool{}}
	for text := range texts {
		for _, b := range bytesOf(text) {
			if len(b) >= window {
				first := binary.LittleEndian.Uint64(b)
				s.maybe[sumOfWindow(first)] = true
				s.texts[first] = append(s.texts[first], written{b, text})
			}
		}
	}
	return s
}

func sumOfWindow(v uint64) uint64 { return v * 0x9e3779b97f4a7c15 >> 48 }

// look searches bytes.
func (s *search) look(data []byte) {
	if len(s.texts) == 0 {
		return
	}
	for at := 0; at+window <= len(data); at++ {
		first := binary.LittleEndian.Uint64(data[at:])
		if !s.maybe[sumOfWindow(first)] {
			continue
		}
		for _, w := range s.texts[first] {
			if bytes.HasPrefix(data[at:], w.bytes) {
				s.found[w.text] = true
			}
		}
	}
}

// bytesOf returns the bytes of a text in each encoding of recordings: UTF-8, Latin-1, and 16 bits a character, which
// are packed like other whole numbers. They are equal for ASCII.
func bytesOf(text string) [][]byte {
	all := [][]byte{[]byte(text)}
	if isASCII([]byte(text)) {
		return all
	}
	var latin, packed []byte
	isLatin := !strings.ContainsFunc(text, func(c rune) bool { return c > 0xff })
	for _, c := range text {
		if isLatin {
			latin = append(latin, byte(c))
		}
		packed = appendPacked(packed, c)
	}
	return append(all, latin, packed)
}

// appendPacked appends a character with 7 bits a byte, as two halves if it is beyond 16 bits.
func appendPacked(b []byte, c rune) []byte {
	if high, low := utf16.EncodeRune(c); c > 0xffff {
		return appendPacked(appendPacked(b, high), low)
	}
	return binary.AppendUvarint(b, uint64(c))
}
