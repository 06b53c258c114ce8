package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// waitForThemselves are those of some stuck executors that are known to run the tasks which their
// workers wait for. A thread outside of them that runs a task of the same code may bring the result.
func (f *poolFacts) waitForThemselves(stuck []*pool) []*pool {
	if len(stuck) == 0 {
		return nil
	}
	beside := f.runnersBeside(stuck)
	return slices.DeleteFunc(slices.Clone(stuck), func(p *pool) bool {
		return !f.submitsToItself(p) || beside.bringTo(p)
	})
}

// submitsToItself reports that a worker runs, or ran in one of the dumps, a lambda of a method that
// stands on the stack of a worker which waits now. Of an inner class no dump tells which method
// made it, nor for which executor.
func (f *timeline) submitsToItself(p *pool) bool {
	tasks := map[*Stack]bool{}
	for _, h := range p.workers {
		for _, s := range h.samples {
			tasks[s.Stack] = true
		}
	}
	asking := map[*Stack]bool{}
	for _, h := range p.busy {
		if forTask(h.last()) {
			asking[h.last().Stack] = true
		}
	}
	for waits := range asking {
		for task := range tasks {
			if waits.begot(task) {
				return true
			}
		}
	}
	return false
}

// runners are threads that run a task outside of some executors: busy workers of other executors
// and threads that run a FutureTask. They are found by the classes and applications of their
// tasks, as there may be thousands of them and of executors. A periodic task brings no result.
type runners struct {
	byClass map[string][]*history
	// moving are those of an application that go on.
	moving map[string][]*history
	// movingTasks are those that run a FutureTask, whose code may be that of any package, and go on.
	movingTasks []*history
	// client tells a thread of a client's own, events an event loop other than of an idle server.
	client, events bool
}

func (f *poolFacts) runnersBeside(inside []*pool) *runners {
	within := map[*pool]bool{}
	for _, p := range inside {
		within[p] = true
	}
	r := &runners{byClass: map[string][]*history{}, moving: map[string][]*history{}}
	for _, h := range f.alive() {
		s := h.last()
		root := s.Stack.root
		r.client = r.client || root != nil && root.ofClient
		r.events = r.events || (s.Stack.op.kind == opSelect || root != nil && root.kind == rootEvents) && !h.onlyServes()
		switch {
		case h.thread.Role != threaddump.Application, len(s.Stack.Frames) == 0, within[f.poolOf(h)]:
		case s.resting() != nil, s.Stack.isPeriodic():
		case isTask(s.Stack) || s.Stack.runsFutureTask():
			r.add(h)
		}
	}
	return r
}

func (r *runners) add(h *history) {
	s := h.last()
	moves := s.timed() || !s.waits()
	if moves && s.Stack.runsFutureTask() {
		r.movingTasks = append(r.movingTasks, h)
	}
	if !moves && s.Stack.op.kind == opResult {
		return // it brings nothing before its own result comes
	}
	known := map[string]bool{}
	for _, class := range s.Stack.outer {
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

// isOutside reports a thread among some that is no worker of p.
func isOutside(p *pool, threads []*history) bool {
	return slices.ContainsFunc(threads, func(h *history) bool { return !p.has(h) })
}

// anyOfCode reports that something holds for a class of the code that the workers wait in.
func (p *pool) anyOfCode(holds func(class string) bool) bool {
	seen := map[*Stack]bool{}
	for _, h := range p.busy {
		s := h.last().Stack
		if !seen[s] && slices.ContainsFunc(s.outer, holds) {
			return true
		}
		seen[s] = true
	}
	return false
}

// runnersOfTasks are all threads that run a task.
func (f *poolFacts) runnersOfTasks() *runners {
	if f.runners == nil {
		f.runners = f.runnersBeside(nil)
	}
	return f.runners
}

// isPeriodic tells a task of a scheduler that is run again and again.
func (s *Stack) isPeriodic() bool { return s.isInside(juc+"FutureTask", "runAndReset") }

// runsFutureTask tells a thread that runs a FutureTask, whose result others may wait for.
func (s *Stack) runsFutureTask() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == juc+"FutureTask" && f.Method == "run"
	})
}

// bringTo reports that one of the threads runs a task of the code that a worker of p waits in.
func (r *runners) bringTo(p *pool) bool {
	return p.anyOfCode(func(class string) bool { return isOutside(p, r.byClass[class]) })
}

// moveFor reports that one of the threads goes on, in code of the same application as the workers.
func (r *runners) moveFor(p *pool) bool {
	return p.anyOfCode(func(class string) bool { return isOutside(p, r.moving[applicationOf(class)]) })
}

// applicationOf is the first two words of a class's package: "com.acme" of com.acme.shop.Order.
func applicationOf(class string) string {
	const words = 2
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}
