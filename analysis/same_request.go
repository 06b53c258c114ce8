package analysis

import "strings"

// trickleShare is the part of a core that it costs at most to be given an answer bit by bit, trickleBytes how much comes
// of it in a second: more is slow, but on its way.
const (
	trickleShare = 0.02
	trickleBytes = 1 << 10
)

// sameRequest reports that a thread has waited for one answer since the first dump, though parts of it have come
// and woken it. What tells is that it has written nothing since, and that by the class files the method that reads,
// or one that has called it, writes before each time. Where it reads in a loop the answer may have no end, as a
// stream of events.
func (f *facts) sameRequest(h *history) bool {
	s := h.last()
	if f.bytecode == nil || s.Stack.op.kind != opRead || len(h.samples) < len(f.snaps) || h.share().Value > trickleShare {
		return false
	}
	before, now := f.snaps[0].tasks[h.thread.NativeID], f.last().tasks[h.thread.NativeID]
	if !before.Writes.Known || before.Writes.Value == 0 || before.Writes != now.Writes || !f.bytecode.asksEachTime(s.Stack) {
		return false
	}
	came := gained(before.Received, now.Received)
	return came.Known && float64(came.Value) <= trickleBytes*max(1, f.wall().Value.Seconds()) && h.hasOneStack()
}

// asksEachTime reports that the program's methods on top of a stack read in no loop, up to one that writes first. What
// sockets of JDK 8 to 12 send is not counted, and streams of lines are loops of the JDK's own.
func (b *Bytecode) asksEachTime(s *Stack) bool {
	asks := frameAt(b.AsksAlways, s)
	for i, fr := range s.Frames {
		if fr.Name() == oldRead || hasAnyPrefix(fr.Method, "forEach tryAdvance transferTo") || strings.HasPrefix(fr.Class, "java.util.stream.") {
			return false
		}
		if i == 0 || CodeOf(fr) != CodeApplication {
			continue
		}
		if !b.Straight[PlaceOf(s.Frames, i)] {
			return false
		}
		if fr == asks {
			return true
		}
	}
	return false
}
