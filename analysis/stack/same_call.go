package stack

import (
	"jstall/threaddump"
)

// Decisive is the frame that tells most of a wait: the call of a library that the program
// made, or the program's own first frame; without a program the first that is not the JDK's.
func (s *Stack) Decisive() *threaddump.Frame {
	var call *threaddump.Frame
	for _, f := range s.Frames {
		switch {
		case f == s.Application && call == nil:
			return f
		case f == s.Application:
			return call
		case OriginOf(f) == OfJDK:
		case s.Application == nil:
			return f
		default:
			call = f
		}
	}
	return call
}
