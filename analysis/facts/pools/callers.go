package pools

import (
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// CallersOf are the threads that wait for results of an executor, or for room in
// its queue.
func (f *Pools) CallersOf(p *Pool) []*timeline.History {
	return f.callers()[p]
}

// assignCallers finds for each caller the executors that it may wait for. The JVM's memory tells which, and no dump
// does: it is one with something in common, and of several that are all busy
// the one whose workers run most code of the same class. If more than a few fit equally
// well, none is assigned.
func (f *Pools) assignCallers() map[*Pool][]*timeline.History {
	type kind struct {
		stack *stack.Stack
		pool  *Pool
	}
	callers, known := map[*Pool][]*timeline.History{}, map[kind][]*Pool{}
	executors := indexPools(f.Executors())
	for _, h := range f.Alive() {
		if !IsCaller(f.Timeline, h) {
			continue
		}
		if p, known := f.asked(h); known {
			if p != nil {
				callers[p] = append(callers[p], h)
			}
			continue
		}
		k := kind{h.Last().Stack, f.PoolOf(h)}
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

// asked is the executor that must run a task before a thread can go on; nil if its workers are not in the dump. It is
// known only where the JVM's memory was read.
func (f *Pools) asked(h *timeline.History) (p *Pool, known bool) {
	future := f.Objects.FutureOf(h)
	if future == nil || future.Done() {
		return nil, false
	}
	e := f.Objects.Source(f.Timeline, future)
	if e == nil {
		return nil, false
	}
	if len(e.Threads) > 0 {
		p = f.PoolOf(e.Threads[0])
	}
	return p, p == nil || !p.Has(h)
}

// IsCaller tells threads that wait, through the capture, for a result or to hand in
// a task.
func IsCaller(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	switch {
	case h.Thread.Role != threaddump.Application:
		return false
	case Submits(h):
		return len(f.Snaps) < 2 || f.StandsStill(h)
	}
	return WaitsForResult(s) && !s.AsksByLibrary() && (len(f.Snaps) < 2 || f.NeverWoke(h))
}

// WaitsForResult tells threads inside Future.get and its sisters.
func WaitsForResult(s *timeline.Sample) bool {
	waits := s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
	return waits && s.Stack.Op.Kind == stack.OpResult && s.Stack.Op.Caller != nil
}

// Submits tells threads that are held up in handing a task to an executor: its
// handler for rejected ones waits for room, or runs the task.
func Submits(h *timeline.History) bool {
	for _, f := range h.Last().Stack.Frames {
		if f.Class == stack.JUC+"ThreadPoolExecutor" && f.Method == "reject" {
			return true
		}
	}
	return false
}

// RunsItself tells threads that were made to run the task that they hand in.
func RunsItself(h *timeline.History) bool {
	return h.Last().Stack.IsInside(stack.JUC+"ThreadPoolExecutor$CallerRunsPolicy", "rejectedExecution")
}

// RelatedWorkers counts the workers of an executor that are inside a class of the caller.
func RelatedWorkers(h *timeline.History, p *Pool) int {
	most := 0
	for _, class := range h.Last().Stack.Outer {
		most = max(most, p.classes[class])
	}
	return most
}

// RunsAsWaited reports that a worker runs a task of the kind that a stack waits
// for.
func (p *Pool) RunsAsWaited(s *stack.Stack) bool {
	switch {
	case WaitsForFutureTask(s):
		return p.futures
	case s.IsInside(stack.JUC+"CompletableFuture", ""):
		return p.stages
	case s.IsInside(stack.LibraryFutures, "get"):
		return false // it may be anybody's
	}
	return p.Kind == stack.RootForkJoin
}

// WaitsForFutureTask tells waits for what only executors make.
func WaitsForFutureTask(s *stack.Stack) bool {
	return s.IsInside(stack.JUC+"FutureTask", "awaitDone") || s.IsInside(stack.JUC+"ExecutorCompletionService", "")
}
