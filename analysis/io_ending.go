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
func (f *facts) readEnds(h *history) bool {
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

// eachLooked is how many reads with a time limit are looked at one by one; of more, none
// is taken to be waited for.
const eachLooked = 64

// markEnding finds the reads that end by themselves and that nobody is seen to wait
// for.
func (f *facts) markEnding(all []ioWaiter) {
	var ending []int
	for i, w := range all {
		if !w.awaited && f.readEnds(w.h) && !calledByLibrary(w.h.last().Stack) {
			ending = append(ending, i)
		}
	}
	for _, i := range ending {
		one := []ioWaiter{all[i]}
		all[i].ends = len(ending) > eachLooked || len(f.behindIO(one)) == 0 && !f.anyHoldsUp(one)
	}
}

// anyHoldsUp reports that somebody waits for a lock of one of the threads.
func (f *facts) anyHoldsUp(waiters []ioWaiter) bool {
	return slices.ContainsFunc(f.queuesAt(len(f.snaps)-1), func(q *queue) bool {
		return q.root != nil && slices.ContainsFunc(waiters, func(w ioWaiter) bool { return w.h.last() == q.root })
	})
}
