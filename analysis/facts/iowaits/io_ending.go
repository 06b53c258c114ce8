package iowaits

import (
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// oldRead reads from sockets of JDK 8 to 12: with a limit it waits in poll, without one
// in recv, of which the kernel tells.
const oldRead = "java.net.SocketInputStream.socketRead0"

// ReadEnds tells a thread of the last dump in a read that has a time limit.
func ReadEnds(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	if s.Stack.Op.Kind != stack.OpRead {
		return false
	}
	frames := s.Stack.Frames
	if frames[0].Name() == oldRead {
		return strings.Contains(f.Last().Tasks[h.Thread.NativeID].WaitChannel, "poll")
	}
	return s.Stack.HasTimedRead()
}
