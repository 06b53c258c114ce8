package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// timedReads are the methods of the JDK that read with a time limit: its sockets since
// 13, its channels' adaptors since 11.
var timedReads = [...]string{
	"sun.nio.ch.NioSocketImpl.timedRead", "sun.nio.ch.SocketChannelImpl.timedRead",
}

// oldRead reads from sockets of JDK 8 to 12: with a limit it waits in poll, without one
// in recv, of which the kernel tells.
const oldRead = "java.net.SocketInputStream.socketRead0"

// readEnds tells a thread of the last dump in a read that has a time limit.
func (f *timeline) readEnds(h *history) bool {
	s := h.last()
	if s.Stack.op.kind != opRead {
		return false
	}
	frames := s.Stack.Frames
	if frames[0].Name() == oldRead {
		return strings.Contains(f.last().tasks[h.thread.NativeID].WaitChannel, "poll")
	}
	return s.Stack.hasTimedRead()
}

// hasTimedRead reports that a frame shows the time limit of a read.
func (s *Stack) hasTimedRead() bool {
	return slices.ContainsFunc(s.Frames[:s.op.index+1], func(f *threaddump.Frame) bool {
		return slices.Contains(timedReads[:], f.Name())
	})
}

// markEnding finds the reads that end by themselves, whoever waits for them: a time limit bounds
// that too.
func (f *timeline) markEnding(all []ioWaiter) {
	for i, w := range all {
		all[i].ends = f.readEnds(w.h)
	}
}
