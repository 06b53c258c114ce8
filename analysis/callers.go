package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// callersOf are the threads that wait for results of an executor, or for room in
// its queue.
func (f *poolFacts) callersOf(p *pool) []*history {
	if f.callers == nil {
		f.callers = f.assignCallers()
	}
	return f.callers[p]
}

// assignCallers finds for each caller the executors that it may wait for. No dump
// tells which: it is one with something in common, and of several that are all busy
// the one whose workers run most code of the same class. More than a few of equal
// claim are no answer.
func (f *poolFacts) assignCallers() map[*pool][]*history {
	type kind struct {
		stack *Stack
		pool  *pool
	}
	callers, known := map[*pool][]*history{}, map[kind][]*pool{}
	executors := indexPools(f.executors())
	for _, h := range f.alive() {
		if !f.isCaller(h) {
			continue
		}
		k := kind{h.last().Stack, f.poolOf(h)}
		best, ok := known[k]
		if !ok {
			best = executors.best(h)
			known[k] = best
		}
		if len(best) > fewPools {
			continue
		}
		for _, p := range best {
			callers[p] = append(callers[p], h)
		}
	}
	return callers
}

// isCaller tells threads that wait, through the capture, for a result or to hand in
// a task.
func (f *timeline) isCaller(h *history) bool {
	s := h.last()
	switch {
	case h.thread.Role != threaddump.Application:
		return false
	case submits(h):
		return len(f.snaps) < 2 || f.standsStill(h)
	}
	return waitsForResult(s) && !s.asksByLibrary() && (len(f.snaps) < 2 || f.neverWoke(h))
}

// waitsForResult tells threads inside Future.get and its sisters.
func waitsForResult(s *Sample) bool {
	waits := s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
	return waits && s.Stack.op.kind == opResult && s.Stack.op.caller != nil
}

// submits tells threads that are held up in handing a task to an executor: its
// handler for rejected ones waits for room, or runs the task.
func submits(h *history) bool {
	for _, f := range h.last().Stack.Frames {
		if f.Class == juc+"ThreadPoolExecutor" && f.Method == "reject" {
			return true
		}
	}
	return false
}

// runsItself tells threads that were made to run the task that they hand in.
func runsItself(h *history) bool {
	return h.last().Stack.isInside(juc+"ThreadPoolExecutor$CallerRunsPolicy", "rejectedExecution")
}

// kinship counts the workers of an executor that are inside a class of the caller.
func kinship(h *history, p *pool) int {
	most := 0
	for _, class := range h.last().Stack.outer {
		most = max(most, p.classes[class])
	}
	return most
}

// runsAsWaited reports that a worker runs a task of the kind that a stack waits
// for.
func (p *pool) runsAsWaited(s *Stack) bool {
	switch {
	case s.waitsForFutureTask():
		return p.futures
	case s.isInside(juc+"CompletableFuture", ""):
		return p.stages
	case s.isInside(libraryFutures, "get"):
		return false // it may be anybody's
	}
	return p.kind == rootForkJoin
}

// waitsForFutureTask tells waits for what only executors make.
func (s *Stack) waitsForFutureTask() bool {
	return s.isInside(juc+"FutureTask", "awaitDone") || s.isInside(juc+"ExecutorCompletionService", "")
}

// isInside reports a frame of a class and method that begin like this.
func (s *Stack) isInside(class, method string) bool {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Class, class) && strings.HasPrefix(f.Method, method) {
			return true
		}
	}
	return false
}

// outermost is the class that a nested one is written in.
func outermost(class string) string {
	class, _, _ = strings.Cut(class, "$")
	return class
}

// fewClasses are found faster one by one.
const fewClasses = 32

// outerClasses are the application's classes on a stack, without what is nested.
func outerClasses(frames []*threaddump.Frame, origins []origin) []string {
	var classes []string
	var seen map[string]bool // once there are many
	for i, f := range frames {
		if origins[i] > ofGenerator {
			continue
		}
		class := outermost(f.Class)
		switch {
		case seen[class] || seen == nil && slices.Contains(classes, class):
			continue
		case seen == nil && len(classes) == fewClasses:
			seen = map[string]bool{}
			for _, c := range classes {
				seen[c] = true
			}
		}
		if classes = append(classes, class); seen != nil {
			seen[class] = true
		}
	}
	return classes
}
