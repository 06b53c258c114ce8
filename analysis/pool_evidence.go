package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// ownTasks are those of some stuck executors that wait for their own tasks, or for those of one
// another: sure are those that are known to run such tasks, likely those whose FutureTasks
// can be in no other queue.
func (f *facts) ownTasks(stuck []*pool) (sure, likely []*pool) {
	if len(stuck) == 0 {
		return nil, nil
	}
	beside := f.runnersBeside(stuck)
	var futures []*pool
	for _, p := range stuck {
		switch {
		case f.submitsToItself(p) && !beside.bringTo(p):
			sure = append(sure, p)
		case f.waitsForFutureTasks(p):
			futures = append(futures, p)
		}
	}
	return sure, f.queuedHere(futures, sure)
}

// submitsToItself reports that a worker runs, or ran in one of the dumps, a task that was made by
// a method on the stack of a worker that waits now.
func (f *facts) submitsToItself(p *pool) bool {
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
			if waits.submits(task) {
				return true
			}
		}
	}
	return false
}

// submits reports that a method on the stack made the task of another one: its lambda, or an
// inner class of the class that the method is in.
func (s *Stack) submits(task *Stack) bool {
	body := task.outermostProgram()
	if body == nil {
		return false
	}
	if s.begot(task) {
		return true
	}
	home, _, inner := strings.Cut(body.Class, "$")
	return inner && slices.ContainsFunc(s.program(), func(f *threaddump.Frame) bool {
		return f.Class == home && !strings.HasPrefix(f.Method, "lambda$")
	})
}

// runners are threads that run a task outside of some executors: busy workers of other executors
// and threads that run a FutureTask. They are found by the classes and applications of their
// tasks, as there may be thousands of them and of executors. A periodic task brings no result.
type runners struct {
	byClass map[string][]*history
	// moving are those of an application that go on.
	moving map[string][]*history
	// futureTasks are those that run a FutureTask, whose code may be that of any package.
	futureTasks []*history
	// movingTasks are those of futureTasks that go on.
	movingTasks []*history
	// client tells a thread of a client's own, events an event loop other than of an idle server.
	client, events bool
}

func (f *facts) runnersBeside(inside []*pool) *runners {
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
		case h.thread.Role != threaddump.Application, len(s.Stack.Frames) == 0, within[h.pool]:
		case s.resting() != nil, s.Stack.isPeriodic():
		case isTask(s.Stack) || s.Stack.runsFutureTask():
			r.add(h)
		}
	}
	return r
}

func (r *runners) add(h *history) {
	s := h.last()
	if s.Stack.runsFutureTask() {
		r.futureTasks = append(r.futureTasks, h)
		if s.timed() || !s.waits() {
			r.movingTasks = append(r.movingTasks, h)
		}
	}
	known := map[string]bool{}
	for _, class := range s.Stack.outer {
		r.byClass[class] = append(r.byClass[class], h)
		app := applicationOf(class)
		if known[app] {
			continue
		}
		known[app] = true
		if s.timed() || !s.waits() {
			r.moving[app] = append(r.moving[app], h)
		}
	}
}

// isOutside reports a thread among some that is no worker of p.
func isOutside(p *pool, threads []*history) bool {
	return slices.ContainsFunc(threads, func(h *history) bool { return h.pool != p })
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
func (f *facts) runnersOfTasks() *runners {
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

// mayRun reports that one of the threads runs a FutureTask, which may be the one waited for, or
// works for an executor, with no free worker, that shares a class with the workers.
func (r *runners) mayRun(p *pool) bool {
	return isOutside(p, r.futureTasks) || p.anyOfCode(func(class string) bool { return isOutside(p, r.byClass[class]) })
}

// waitsForFutureTasks reports that every worker waits for a FutureTask, which only executors make,
// or for a lock of one that does.
func (f *facts) waitsForFutureTasks(p *pool) bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		switch {
		case s.wait.forLock():
			return false
		case s.Stack.op.kind != opResult || !s.Stack.waitsForFutureTask():
			return true
		}
		return f.delayedElsewhere(s, p)
	})
}

// queuedHere are those of some executors whose workers wait for FutureTasks that no thread runs
// and no other executor can have in its queue: an executor with a free worker has an empty queue.
// Threads of the executors known to wait for themselves bring nothing.
func (f *facts) queuedHere(waiting, known []*pool) []*pool {
	const rounds = 8
	for range rounds {
		beside := f.runnersBeside(slices.Concat(waiting, known))
		kept := slices.DeleteFunc(slices.Clone(waiting), beside.mayRun)
		if len(kept) == len(waiting) {
			return kept
		}
		waiting = kept // what the others wait for is not known, and they may be waited for
	}
	return nil
}

// applicationOf is the first two words of a class's package: "com.acme" of com.acme.shop.Order.
func applicationOf(class string) string {
	const words = 2
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}

// delayedElsewhere reports that a thread waits for a delayed task while another scheduler has
// delayed tasks in its queue, or for one that has a thread of its own.
func (f *facts) delayedElsewhere(s *Sample, p *pool) bool {
	l := s.waitsOn()
	if l == nil || !strings.HasPrefix(l.class, scheduledTask) {
		return l != nil && strings.HasPrefix(l.class, juc+"ThreadPerTaskExecutor")
	}
	return slices.ContainsFunc(f.executors(), func(other *pool) bool { return other != p && other.hasDelayed() })
}

// hasDelayed tells a scheduler with tasks in its queue: a free worker of it waits for the time of
// the first one.
func (p *pool) hasDelayed() bool {
	return p.scheduler && (len(p.idle) == 0 || slices.ContainsFunc(p.idle, func(h *history) bool { return h.last().timed() }))
}
