package analysis

import (
	"slices"

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
