package vm

// Stream reads the numbers that HotSpot writes in few bytes, UNSIGNED5: code/compressedStream.hpp,
// utilities/unsigned5.hpp. A byte of 192 or more is followed by another one, at most five in all.
type Stream struct {
	Bytes []byte
	At    int
	// ExcludesZero: no byte of a number is zero (20 and newer), each has one added.
	ExcludesZero bool
}

func (s *Stream) Byte() byte {
	if s.At >= len(s.Bytes) {
		s.At = len(s.Bytes) + 1
		return 0
	}
	s.At++
	return s.Bytes[s.At-1]
}

// Ended reports that more was read than there is, or that there is no more.
func (s *Stream) Ended() bool { return s.At >= len(s.Bytes) }

// Overrun reports that more was read than there is.
func (s *Stream) Overrun() bool { return s.At > len(s.Bytes) }

func (s *Stream) Number() uint32 {
	const (
		low     = 192 // the lowest byte that another one follows
		bits    = 6
		highest = 4 * bits
	)
	excluded := byte(0)
	if s.ExcludesZero {
		excluded = 1
	}
	c := s.Byte()
	sum := uint32(c) - uint32(excluded)
	for shift := bits; c >= low && shift <= highest; shift += bits {
		c = s.Byte()
		sum += (uint32(c) - uint32(excluded)) << shift
	}
	return sum
}

// Signed reads a number with its sign in the lowest bit.
func (s *Stream) Signed() int32 {
	n := s.Number()
	return int32(n>>1) ^ -int32(n&1)
}

// Long reads two signed numbers, the lower half first.
func (s *Stream) Long() int64 {
	low, high := s.Signed(), s.Signed()
	return int64(high)<<32 | int64(uint32(low))
}
