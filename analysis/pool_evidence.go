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
		case f.submitsToItself(p) && !f.bringsTo(beside, p):
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

// runnersBeside are the threads outside of some executors that run a task: busy workers of other
// executors and threads that run a FutureTask. A periodic task brings no result.
func (f *facts) runnersBeside(inside []*pool) []*history {
	var runners []*history
	for _, h := range f.alive() {
		s := h.last()
		switch {
		case h.thread.Role != threaddump.Application, len(s.Stack.Frames) == 0, slices.Contains(inside, h.pool):
		case s.resting() != nil, s.Stack.isPeriodic():
		case isTask(s.Stack) || s.Stack.runsFutureTask():
			runners = append(runners, h)
		}
	}
	return runners
}

// isPeriodic tells a task of a scheduler that is run again and again.
func (s *Stack) isPeriodic() bool { return s.isInside(juc+"FutureTask", "runAndReset") }

// runsFutureTask tells a thread that runs a FutureTask, whose result others may wait for.
func (s *Stack) runsFutureTask() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == juc+"FutureTask" && f.Method == "run"
	})
}

// bringsTo reports that one of some threads runs a task of the code that a worker of p waits in.
func (f *facts) bringsTo(runners []*history, p *pool) bool {
	return slices.ContainsFunc(runners, func(r *history) bool {
		task := r.last().Stack
		return slices.ContainsFunc(p.busy, func(h *history) bool {
			waits := h.last().Stack
			return waits.begot(task) || waits.sharesClass(task)
		})
	})
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
	for {
		beside := f.runnersBeside(slices.Concat(waiting, known))
		kept := slices.DeleteFunc(slices.Clone(waiting), func(p *pool) bool {
			return slices.ContainsFunc(beside, func(r *history) bool { return mayRun(r.last().Stack, p) })
		})
		if len(kept) == len(waiting) {
			return kept
		}
		waiting = kept // what the others wait for is not known, and they may be waited for
	}
}

// mayRun reports that a thread runs a FutureTask of the workers' application, or of no known
// application, or works for an executor, with no free worker, that shares a class with them.
func mayRun(task *Stack, p *pool) bool {
	if task.runsFutureTask() && task.Application == nil {
		return true
	}
	return slices.ContainsFunc(p.busy, func(h *history) bool {
		waits := h.last().Stack
		return waits.sharesClass(task) || task.runsFutureTask() && waits.sharesPackage(task)
	})
}

// sharesPackage reports that two stacks have code of one application: of packages that begin with
// the same two words.
func (s *Stack) sharesPackage(other *Stack) bool {
	return slices.ContainsFunc(s.outer, func(a string) bool {
		return slices.ContainsFunc(other.outer, func(b string) bool { return applicationOf(a) == applicationOf(b) })
	})
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
