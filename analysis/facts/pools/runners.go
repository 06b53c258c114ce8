package pools

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// runners are threads that run a task: busy workers of executors, and threads that run a FutureTask. They are found by
// the classes and applications of their tasks, as there may be thousands of them and of executors. A periodic task
// brings no result.
type runners struct {
	byClass map[string][]*timeline.History
	// moving are the runners that make progress, by application.
	moving map[string][]*timeline.History
	// MovingTasks are the threads that run a FutureTask, with code of any package, and make progress.
	MovingTasks []*timeline.History
	// Client reports whether there is a thread of a client library, Events whether there is an event loop other than
	// that of an idle server.
	Client, Events bool
}

// findRunners finds the threads that run tasks.
func (f *Pools) findRunners() *runners {
	r := &runners{byClass: map[string][]*timeline.History{}, moving: map[string][]*timeline.History{}}
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		root := s.Stack.Root
		r.Client = r.Client || root != nil && root.OfClient
		r.Events = r.Events || (s.Stack.Op.Kind == stack.OpSelect || root != nil && root.Kind == stack.RootEvents)
		switch {
		case h.Thread.Role != threaddump.Application, len(s.Stack.Frames) == 0:
		case s.IdleRule() != nil, isPeriodic(s.Stack):
		case stack.IsTask(s.Stack) || runsFutureTask(s.Stack):
			r.add(h)
		}
	}
	return r
}

func (r *runners) add(h *timeline.History) {
	s := h.Last()
	moves := s.Timed() || !s.Waits()
	if moves && runsFutureTask(s.Stack) {
		r.MovingTasks = append(r.MovingTasks, h)
	}
	if !moves && s.Stack.Op.Kind == stack.OpResult {
		return // it waits for another result first
	}
	known := map[string]bool{}
	for _, class := range s.Stack.Outer {
		r.byClass[class] = append(r.byClass[class], h)
		app := applicationOf(class)
		if known[app] {
			continue
		}
		known[app] = true
		if moves {
			r.moving[app] = append(r.moving[app], h)
		}
	}
}

// IsOutside reports whether one of the threads is not a worker of p.
func IsOutside(p *Pool, threads []*timeline.History) bool {
	return slices.ContainsFunc(threads, func(h *timeline.History) bool { return !p.Has(h) })
}

// anyOfCode reports whether a condition holds for a class of the code that the workers wait in.
func (p *Pool) anyOfCode(holds func(class string) bool) bool {
	seen := map[*stack.Stack]bool{}
	for _, h := range p.Busy {
		s := h.Last().Stack
		if !seen[s] && slices.ContainsFunc(s.Outer, holds) {
			return true
		}
		seen[s] = true
	}
	return false
}

// RunnersOfTasks are all threads that run a task.
func (f *Pools) RunnersOfTasks() *runners { return f.runners() }

// isPeriodic reports whether a scheduler runs the task repeatedly.
func isPeriodic(s *stack.Stack) bool { return s.IsInside(stack.JUC+"FutureTask", "runAndReset") }

// runsFutureTask reports whether a thread runs a FutureTask, whose result others may wait for.
func runsFutureTask(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == stack.JUC+"FutureTask" && f.Method == "run"
	})
}

// MayBringResult reports whether one of the threads runs a task of the code that a worker of p waits in.
func (r *runners) MayBringResult(p *Pool) bool {
	return p.anyOfCode(func(class string) bool { return IsOutside(p, r.byClass[class]) })
}

// MovesInApplication reports whether one of the threads makes progress in code of the same application as the workers.
func (r *runners) MovesInApplication(p *Pool) bool {
	return p.anyOfCode(func(class string) bool { return IsOutside(p, r.moving[applicationOf(class)]) })
}

// applicationOf is the first two parts of a class's package: "com.acme" of com.acme.shop.Order.
func applicationOf(class string) string {
	const words = 2
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}
