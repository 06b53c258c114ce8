package hotthread

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// portion is a sample of a thread that works on parts of a computation, and the name pattern of its pool.
type portion struct {
	sample *timeline.Sample
	of     string
}

// portions returns the busy threads that work on parts of a computation: a parallel stream, a parallel sort or a
// RecursiveTask, and the workers of an executor whose results come one by one. They finish one part after the other,
// although their stacks stay alike.
func portions(f *pools.Pools) map[*timeline.History]portion {
	portions := map[*timeline.History]portion{}
	for _, h := range f.Timeline.Threads {
		h = h.OnCPU()
		if s := h.Most(func(s *timeline.Sample) bool { return isPart(s.Stack) }); s != nil {
			portions[h] = portion{s, "parts"}
		}
	}
	for _, p := range f.Executors() {
		if isBatch(f.Timeline, p) {
			for _, h := range p.Busy {
				portions[h] = portion{h.Dominant(), p.Pattern}
			}
		}
	}
	return portions
}

// isBatch reports whether the workers of an executor are all busy with the same work, while a thread that waits for the
// results gets them one after the other.
func isBatch(f *timeline.Timeline, p *pools.Pool) bool {
	if len(p.Workers) < 2 || len(p.Busy) < len(p.Workers) {
		return false
	}
	work := p.Busy[0].Dominant().Stack.Work()
	if slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return h.Share().Value < timeline.GroupShare || h.Dominant().Stack.Work() != work
	}) {
		return false
	}
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		return h.Thread.Program() && pools.WaitsForResult(s) && !s.Timed() && p.RunsAsWaited(s.Stack) && f.Woke(h)
	})
}

// isPart reports whether a task waits for the parts that it is divided into, or is a part. Tasks of CompletableFuture
// are not parts.
func isPart(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		switch fr.Class {
		case stack.JUC + "CountedCompleter", stack.JUC + "RecursiveAction", stack.JUC + "RecursiveTask":
			return fr.Method == "exec"
		}
		return false
	})
}
