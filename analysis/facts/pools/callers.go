package pools

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// CallersOf returns the threads that wait for results of an executor, or for room in its queue.
func (f *Pools) CallersOf(p *Pool) []*timeline.History {
	return f.callers()[p]
}

// assignCallers finds the executors that each caller may wait for. The JVM's memory shows which one; no dump does.
// Without it the callers go to an executor that has something in common with them, and of several that are all busy to
// the one with most workers in code of the same class. If more than a few fit equally well, none is assigned.
func (f *Pools) assignCallers() map[*Pool][]*timeline.History {
	type kind struct {
		stack *stack.Stack
		pool  *Pool
	}
	callers, known := map[*Pool][]*timeline.History{}, map[kind][]*Pool{}
	executors := indexPools(f.Executors())
	for _, h := range f.Timeline.Alive() {
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

// asked returns the executor that must run a task before a thread can continue; nil if its workers are not in the dump.
// It is known only if the JVM's memory was read.
func (f *Pools) asked(h *timeline.History) (p *Pool, known bool) {
	future := f.Locks.Objects.FutureOf(h)
	if future == nil || future.Done() {
		return nil, false
	}
	e := f.Locks.Objects.Source(f.Timeline, future)
	if e == nil {
		return nil, false
	}
	if len(e.Threads) > 0 {
		p = f.PoolOf(e.Threads[0])
	}
	return p, p == nil || !p.Has(h)
}

// IsCaller reports whether a thread waits, through the capture, for a result or to submit a task.
func IsCaller(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	switch {
	case h.Thread.Role != threaddump.Application:
		return false
	case Submits(h):
		return len(f.Snaps) < 2 || f.IsUnchanged(h)
	}
	return WaitsForResult(s) && !s.AsksByLibrary() && (len(f.Snaps) < 2 || f.NeverWoke(h))
}

// WaitsForResult reports whether a thread is inside Future.get or a similar method.
func WaitsForResult(s *timeline.Sample) bool {
	waits := s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
	return waits && s.Stack.Op.Kind == stack.OpResult && s.Stack.Op.Caller != nil
}

// Submits reports whether a thread is blocked while it submits a task to an executor: the handler for rejected tasks
// waits for room, or runs the task.
func Submits(h *timeline.History) bool {
	for _, f := range h.Last().Stack.Frames {
		if f.Class == stack.JUC+"ThreadPoolExecutor" && f.Method == "reject" {
			return true
		}
	}
	return false
}

// RunsItself reports whether a thread was made to run the task that it submits.
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

// RunsAsWaited reports whether a worker runs a task of the kind that a stack waits for.
func (p *Pool) RunsAsWaited(s *stack.Stack) bool {
	switch {
	case WaitsForFutureTask(s):
		return p.futures
	case s.IsInside(stack.JUC+"CompletableFuture", ""):
		return p.stages
	case s.IsInside(stack.LibraryFutures, "get"):
		return false // any executor may run it
	}
	return p.Kind == stack.RootForkJoin
}

// WaitsForFutureTask reports whether a thread waits for an object that only executors make.
func WaitsForFutureTask(s *stack.Stack) bool {
	return s.IsInside(stack.JUC+"FutureTask", "awaitDone") || s.IsInside(stack.JUC+"ExecutorCompletionService", "")
}

// fewPools is the largest number of equally likely executors that count as an answer.
const fewPools = 8

// poolIndex finds the busy executors that have something in common with a caller.
type poolIndex struct {
	// byClass are the executors with workers inside a class, those with most such workers first.
	byClass map[string][]*Pool
	// futures, stages and forkJoin are those with workers that run a task of such a kind.
	futures, stages, forkJoin []*Pool
}

func indexPools(executors []*Pool) *poolIndex {
	in := &poolIndex{byClass: map[string][]*Pool{}}
	for _, p := range executors {
		if !p.everyBusy() {
			continue
		}
		for class := range p.classes {
			in.byClass[class] = append(in.byClass[class], p)
		}
		if p.futures {
			in.futures = append(in.futures, p)
		}
		if p.stages {
			in.stages = append(in.stages, p)
		}
		if p.Kind == stack.RootForkJoin {
			in.forkJoin = append(in.forkJoin, p)
		}
	}
	for class, of := range in.byClass {
		slices.SortStableFunc(of, func(a, b *Pool) int { return cmp.Compare(b.classes[class], a.classes[class]) })
	}
	return in
}

// best returns the executors that have most in common with a caller: most workers inside one of its classes, else a
// worker that runs a task of the kind that it waits for. If more than fewPools match, it returns one more than that.
func (in *poolIndex) best(h *timeline.History) []*Pool {
	var best []*Pool
	most := 1
	for _, class := range h.Last().Stack.Outer {
		found := 0
		for _, p := range in.byClass[class] {
			n := p.classes[class]
			if n < most || found > fewPools {
				break
			}
			if p.Has(h) {
				continue
			}
			if n > most {
				best, most = nil, n
			}
			if found++; !slices.Contains(best, p) {
				best = append(best, p)
			}
		}
	}
	if best == nil {
		best = in.running(h)
	}
	return best[:min(len(best), fewPools+1)]
}

// running are the executors that run a task of the kind that a caller waits for.
func (in *poolIndex) running(h *timeline.History) []*Pool {
	var found []*Pool
	for _, p := range in.asWaited(h.Last().Stack) {
		if !p.Has(h) && len(found) <= fewPools {
			found = append(found, p)
		}
	}
	return found
}

func (in *poolIndex) asWaited(s *stack.Stack) []*Pool {
	switch {
	case WaitsForFutureTask(s):
		return in.futures
	case s.IsInside(stack.JUC+"CompletableFuture", ""):
		return in.stages
	case s.IsInside(stack.LibraryFutures, "get"):
		return nil // it may be anybody's
	}
	return in.forkJoin
}

// AsksInCallback reports whether a thread waits in a call of a library for an answer while the same library has called
// it. It is one of the threads that deliver answers.
func AsksInCallback(s *timeline.Sample) bool {
	home := askedLibrary(s)
	return home != "" && slices.ContainsFunc(s.Stack.Frames[slices.Index(s.Stack.Frames, s.Stack.Application):],
		stack.OfLibraryAt(home))
}

// askedLibrary is the package prefix of the library in which a thread waits for an answer; empty for all others.
func askedLibrary(s *timeline.Sample) string {
	from := slices.Index(s.Stack.Frames, s.Stack.Application)
	if from < 1 || !s.AsksByLibrary() {
		return ""
	}
	return stack.LibraryOf(s.Stack.Frames[from-1].Class)
}
