package pools

import (
	"cmp"
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// fewPools is how many executors of equal claim are an answer.
const fewPools = 8

// poolIndex finds the busy executors that have something in common with a caller, of any
// number of them.
type poolIndex struct {
	// byClass are those with workers inside a class, most of them first.
	byClass map[string][]*Pool
	// futures, stages and forkJoin are those with workers that run a task of such a kind.
	futures, stages, forkJoin []*Pool
}

func indexPools(executors []*Pool) *poolIndex {
	in := &poolIndex{byClass: map[string][]*Pool{}}
	for _, p := range executors {
		if !p.EveryBusy() {
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

// best are the executors that have most in common with a caller: most workers inside a
// class of it, else a worker that runs a task of the kind that it waits for. Of more than
// fewPools that is one more.
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
