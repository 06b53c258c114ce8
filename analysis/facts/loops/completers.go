package loops

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// completers are threads that are blocked in a callback of a future which they complete, so that they complete no
// other future meanwhile: such as a thread that reads the answers of a connection and calls there in a callback.
//
// Rule: on the stack code of the program, or of a library, calls complete or
// completeExceptionally of a CompletableFuture, and above that the program waits, for no lock
// and in no I/O, which are told of as such. The thread is no worker of an executor and no known
// loop, and at most a few are such. Others than main wait for such results in its classes over
// the whole capture: two at least, or one if this one waits for a result as well.
func completers(f *timeline.Timeline) []Loop {
	const few = 8
	var found []Loop
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Stack.Root != nil || !s.Waits() || s.Wait.ForLock() || s.Wait == stack.WaitIO ||
			!inCompletion(s.Stack) {
			continue
		}
		found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "completes what others wait for"})
		if len(found) > few {
			return nil
		}
	}
	return slices.DeleteFunc(found, func(l Loop) bool {
		waiting := slices.DeleteFunc(WaitersOn(f, []*timeline.History{l.History}), func(h *timeline.History) bool {
			return h.Last().Stack.Op.Kind != stack.OpResult || pools.WaitsForFutureTask(h.Last().Stack)
		})
		return len(waiting) == 0 || len(waiting) == 1 && l.Last().Stack.Op.Kind != stack.OpResult
	})
}

// inCompletion tells a stack in which somebody completes a future by hand, and the program
// is called by that.
func inCompletion(s *stack.Stack) bool {
	at := slices.Index(s.Frames, s.Application)
	if at < 0 {
		return false
	}
	for i, frame := range s.Frames[at:] {
		byHand := frame.Class == stack.JUC+"CompletableFuture" &&
			(frame.Method == "complete" || frame.Method == "completeExceptionally")
		if below := at + i + 1; byHand && below < len(s.Frames) && stack.OriginOf(s.Frames[below]) != stack.OfJDK {
			return true
		}
	}
	return false
}
