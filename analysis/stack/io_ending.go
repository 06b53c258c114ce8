package stack

import (
	"slices"

	"jstall/threaddump"
)

// timedReads are the methods of the JDK that read with a time limit: its sockets since
// 13, its channels' adaptors since 11.
var timedReads = [...]string{
	"sun.nio.ch.NioSocketImpl.timedRead", "sun.nio.ch.SocketChannelImpl.timedRead",
}

// HasTimedRead reports that a frame shows the time limit of a read.
func (s *Stack) HasTimedRead() bool {
	return slices.ContainsFunc(s.Frames[:s.Op.Index+1], func(f *threaddump.Frame) bool {
		return slices.Contains(timedReads[:], f.Name())
	})
}
