package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// keepsUp tells the one thread for which the JVM still runs, as main is over and all
// others are daemons: to wait in the method that it was started with may be all that
// it is for, until it is told to end. Nobody waits so for a partner, a party or a
// result, or in the task of an executor.
func (w *world) keepsUp(g gathering) bool {
	keeper := g.waiters[0]
	stack := keeper.last().Stack
	if len(g.waiters) > 1 || keeper.thread.Daemon || len(inner(stack.program())) > 1 || isTask(stack) {
		return false
	}
	switch stack.op.kind {
	case opExchange, opBarrier, opResult:
		return false
	}
	return !slices.ContainsFunc(w.alive(), func(h *history) bool {
		return h != keeper.history && h.thread.Role == threaddump.Application && !h.thread.Daemon && len(h.last().Stack.Frames) > 0
	})
}

// strandedMain reports the main thread of a program without any other thread that waits
// for a latch: nothing of the program is left to open it. In main itself it may be meant
// to stay, and leaves a hint; so does one in a method that it calls, beside executors that
// have nothing left to do, unless a worker of theirs was ended by an exception.
func (f *facts) strandedMain() []candidate {
	for _, h := range f.alive() {
		s := h.last()
		if s.Thread.Name != "main" || s.Stack.op.kind != opLatch || s.Stack.op.caller == nil || !inWork(s.Stack.program(), 1) {
			continue
		}
		g := gathering{waiters: []still{f.standingStill(h)}}
		w, deep := f.worldOf([]gathering{g}), inWork(s.Stack.program(), 2)
		if w.acts || w.asking > 0 || w.outside || w.accepts || w.pending || !g.waiters[0].untimed() || untilTheEnd(s.Stack) {
			continue
		}
		switch {
		case (w.empty || w.done && len(f.replacedWorkers()) > 0) && deep && g.waiters[0].long():
			return []candidate{f.missedSignal(g, Warning)}
		case w.empty, deep && w.done:
			return []candidate{f.missedSignal(g, Info)}
		}
	}
	return nil
}

// mainAtWork reports that main waits for what happens once, two methods deep in work
// of its own: not the latch in which it stays until shutdown.
func mainAtWork(s *Sample) bool {
	kind := s.Stack.op.kind
	return s.Thread.Name == "main" && isOnce(kind) && kind != opPermit && inWork(s.Stack.program(), 3)
}

// inWork tells a stack of main with so many of the program's own frames at least: not
// counting the outermost, none of a method to stay in.
func inWork(own []*threaddump.Frame, least int) bool {
	return len(own) >= least && !slices.ContainsFunc(own[:len(own)-1], func(f *threaddump.Frame) bool {
		return slices.Contains(stays[:], f.Method) || strings.HasSuffix(f.Method, "Close") || strings.HasSuffix(f.Method, "Signal")
	})
}

// stays are names of methods in which main stays as long as the program does, as it
// does in awaitClose and waitForSignal.
var stays = [...]string{"run", "start", "serve", "await", "block", "hang", "listen", "launch", "loop", "park", "idle", "hold", "stay"}
