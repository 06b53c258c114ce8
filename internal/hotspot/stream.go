package hotspot

// stream reads the numbers that HotSpot writes in few bytes, UNSIGNED5: code/compressedStream.hpp,
// utilities/unsigned5.hpp. A byte of 192 or more is followed by another one, at most five in all.
type stream struct {
	bytes []byte
	at    int
	// excludesZero: no byte of a number is zero (20 and newer), each has one added.
	excludesZero bool
}

func (s *stream) byte() byte {
	if s.at >= len(s.bytes) {
		s.at = len(s.bytes) + 1
		return 0
	}
	s.at++
	return s.bytes[s.at-1]
}

// ended tells that more was read than there is, or that there is no more.
func (s *stream) ended() bool { return s.at >= len(s.bytes) }

// overrun tells that more was read than there is.
func (s *stream) overrun() bool { return s.at > len(s.bytes) }

func (s *stream) number() uint32 {
	const (
		low     = 192 // the lowest byte that another one follows
		bits    = 6
		highest = 4 * bits
	)
	excluded := byte(0)
	if s.excludesZero {
		excluded = 1
	}
	c := s.byte()
	sum := uint32(c) - uint32(excluded)
	for shift := bits; c >= low && shift <= highest; shift += bits {
		c = s.byte()
		sum += (uint32(c) - uint32(excluded)) << shift
	}
	return sum
}

// signed reads a number with its sign in the lowest bit.
func (s *stream) signed() int32 {
	n := s.number()
	return int32(n>>1) ^ -int32(n&1)
}

// long reads two signed numbers, the lower half first.
func (s *stream) long() int64 {
	low, high := s.signed(), s.signed()
	return int64(high)<<32 | int64(uint32(low))
}
