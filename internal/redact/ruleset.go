package redact

import "math/bits"

// maxRules is how many rules a ruleSet can hold.
const maxRules = 512

// ruleSet is a set of rules by their numbers.
type ruleSet [maxRules / 64]uint64

func (s *ruleSet) add(rule int) { s[rule/64] |= 1 << (rule % 64) }

func (s *ruleSet) addAll(other *ruleSet) {
	for i := range s {
		s[i] |= other[i]
	}
}

// all are the rules of a set, in their order.
func (s *ruleSet) all(yield func(int) bool) {
	for i, bitsLeft := range s {
		for ; bitsLeft != 0; bitsLeft &= bitsLeft - 1 {
			if !yield(64*i + bits.TrailingZeros64(bitsLeft)) {
				return
			}
		}
	}
}
