package analysis

// trickleShare is the part of a core that it costs at most to be given an answer bit by bit.
const trickleShare = 0.02

// sameRequest reports that a thread has waited for one answer since the first dump, though parts of it have come
// and woken it. What tells is that it has written nothing since, and that by the class files the method that reads,
// or one that has called it, writes before each time. Where it reads in a loop the answer may have no end, as a
// stream of events.
func (f *facts) sameRequest(h *history) bool {
	s := h.last()
	if f.bytecode == nil || s.Stack.op.kind != opRead || len(h.samples) < len(f.snaps) || h.share().Value > trickleShare {
		return false
	}
	before := f.snaps[0].tasks[h.thread.NativeID].Writes
	now := f.last().tasks[h.thread.NativeID].Writes
	if !before.Known || before.Value == 0 || before != now || !f.bytecode.asksEachTime(s.Stack) {
		return false
	}
	for _, o := range h.samples {
		if o.Stack != s.Stack {
			return false
		}
	}
	return true
}

// asksEachTime reports that the program's methods on top of a stack read in no loop, up to one that writes first.
func (b *Bytecode) asksEachTime(s *Stack) bool {
	asks := frameAt(b.Asks, s)
	for i, fr := range s.Frames {
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
