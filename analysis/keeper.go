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

// mainAtWork reports that main waits for what happens once, two methods deep in work
// of its own: not the latch in which it stays until shutdown.
func mainAtWork(s *Sample) bool {
	own, kind := s.Stack.program(), s.Stack.op.kind
	if s.Thread.Name != "main" || !isOnce(kind) || kind == opPermit || len(own) < 3 {
		return false
	}
	return !slices.ContainsFunc(own[:len(own)-1], func(f *threaddump.Frame) bool {
		return slices.Contains(stays[:], f.Method) || strings.HasSuffix(f.Method, "Close") || strings.HasSuffix(f.Method, "Signal")
	})
}

// stays are names of methods in which main stays as long as the program does, as it
// does in awaitClose and waitForSignal.
var stays = [...]string{"run", "start", "serve", "await", "block", "hang", "listen", "launch", "loop", "park", "idle", "hold", "stay"}
