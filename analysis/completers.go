package analysis

import "slices"

// completers are the threads that stand in what runs on as soon as they complete a future:
// what others wait for stays undone meanwhile, as with a thread that reads the answers of a
// connection, and in a callback asks there again.
//
// Rule: on the stack code of the program, or of a library, calls complete or
// completeExceptionally of a CompletableFuture, and above that the program waits, for no lock
// and in no I/O, which are told of as such. The thread is no worker of an executor and no known
// loop, and at most a few are such. Others than main wait for such results in its classes over
// the whole capture: two at least, or one if this one waits for a result as well.
func (f *timeline) completers() []loop {
	const few = 8
	var found []loop
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || s.Stack.root != nil || !s.waits() || s.wait.forLock() || s.wait == waitIO || !s.Stack.inCompletion() {
			continue
		}
		if found = append(found, loop{history: h, kind: rootEvents, serves: "completes what others wait for"}); len(found) > few {
			return nil
		}
	}
	return slices.DeleteFunc(found, func(l loop) bool {
		waiting := slices.DeleteFunc(f.dependents([]*history{l.history}), func(h *history) bool {
			return h.last().Stack.op.kind != opResult || h.last().Stack.waitsForFutureTask()
		})
		return len(waiting) == 0 || len(waiting) == 1 && l.last().Stack.op.kind != opResult
	})
}

// inCompletion tells a stack in which somebody completes a future by hand, and the program
// is called by that.
func (s *Stack) inCompletion() bool {
	at := slices.Index(s.Frames, s.Application)
	if at < 0 {
		return false
	}
	for i, frame := range s.Frames[at:] {
		byHand := frame.Class == juc+"CompletableFuture" && (frame.Method == "complete" || frame.Method == "completeExceptionally")
		if below := at + i + 1; byHand && below < len(s.Frames) && originOf(s.Frames[below]) != ofJDK {
			return true
		}
	}
	return false
}
