package missedsignal

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// explained reports whether other findings are about the wait, or it lasts until the program ends.
func explained(s *timeline.Sample) bool {
	return timeline.OuterLockOf(s) != "" || resources.ResourceKey(s) != "" || s.AsksByLibrary() ||
		waits.UntilTheEnd(s.Stack)
}

// waitsForSignal reports whether the program's own code waits without a time limit and only another thread can end the
// wait.
func waitsForSignal(s *timeline.Sample) bool {
	op := s.Stack.Op
	if s.State != threaddump.Waiting || op.Caller == nil || op.Caller != s.Stack.Application || explained(s) {
		return false
	}
	switch op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpExchange, stack.OpResult:
		return true
	case stack.OpCondition, stack.OpNotify:
		return !waits.TakesOut(op.Caller) && (s.Thread.Virtual || !waits.TakesFromObject(s))
	case stack.OpTake: // a virtual thread runs one task, which the item should end
		return s.Thread.Virtual && !waits.TakesOut(op.Caller)
	case stack.OpPark: // workers of the program park like this until their next job
		return !waits.TakesItem(s) && (stack.IsTask(s.Stack) || stack.CalledForWork(s.Stack))
	}
	return false
}

// isMidway reports whether a method of the program is between the one that waits and the one that the thread was
// started with. The body of an executor's task is such a method. A thread that a container or a dispatcher called is in
// the middle of a request, however many methods it has.
func isMidway(s *timeline.Sample) bool {
	methods := methods(s.Stack)
	return methods > 2 || methods > 1 && stack.IsTask(s.Stack) || stack.CalledForWork(s.Stack)
}

// methods counts the program's own methods on the stack. A recursion counts once, and accessors that a compiler makes
// do not count.
func methods(s *stack.Stack) int {
	seen := map[string]bool{}
	for _, f := range s.Program() {
		if !strings.HasPrefix(f.Method, "access$") {
			seen[f.Name()] = true
		}
	}
	return len(seen)
}

// meetOnce reports whether several threads wait for something that happens once or for their peers, in a task or below
// the method that they were started with: no worker waits for its next job this way.
func meetOnce(waiters []*timeline.Sample) bool {
	return len(waiters) > 1 && !slices.ContainsFunc(waiters, func(s *timeline.Sample) bool {
		started := methods(s.Stack) < 2 && !stack.IsTask(s.Stack)
		return started || !stack.IsOnce(s.Stack.Op.Kind)
	})
}

// meetsPeers reports whether a thread waits for others at a barrier or an exchange, and the only dump shows a thread
// that runs in the method that waits.
func meetsPeers(f *timeline.Timeline, s *timeline.Sample) bool {
	op := s.Stack.Op
	if op.Kind != stack.OpBarrier && op.Kind != stack.OpExchange || op.Caller == nil || !locks.OneMoment(f) {
		return false
	}
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		return h.Last().Wait == stack.Running && stack.InMethodOf(op.Caller, h.Last().Stack)
	})
}

// lambdaTasks maps each class of the program to the stacks of the last dump that run one of its lambdas.
func lambdaTasks(f *timeline.Timeline) map[string][]*stack.Stack {
	tasks, seen := map[string][]*stack.Stack{}, map[*stack.Stack]bool{}
	for i := range f.Last().Samples {
		task := f.Last().Samples[i].Stack
		if seen[task] {
			continue
		}
		seen[task] = true
		if body := task.OutermostProgram(); body != nil && strings.HasPrefix(body.Method, "lambda$") {
			tasks[body.Class] = append(tasks[body.Class], task)
		}
	}
	return tasks
}

// runsOwnTask reports whether a thread waits for the result of a task, and another thread runs a lambda of a method
// that it is in: the task has not ended.
func runsOwnTask(s *timeline.Sample, tasks map[string][]*stack.Stack) bool {
	return s.Stack.Op.Kind == stack.OpResult && slices.ContainsFunc(s.Stack.Program(), func(fr *threaddump.Frame) bool {
		return slices.ContainsFunc(tasks[fr.Class], func(task *stack.Stack) bool {
			return s.Stack.AwaitsSort(task) && (s.Stack.DefinesTask(task) || task.HasNumberedTask())
		})
	})
}

// sharesQueue reports whether several threads take from one queue, as the workers of a pool do, or only one thread
// takes.
func sharesQueue(waiters []*timeline.Sample) bool {
	queues := map[string]bool{}
	for _, s := range waiters {
		if s.Stack.Op.Kind != stack.OpTake {
			return false
		}
		queues[s.Object()] = true
	}
	return len(queues) < 2 || len(queues) < len(waiters)
}

// behind returns the threads that wait for the end of one of these threads, for the result of its task or for it as a
// subtask of their structured scope, and the threads that wait behind them.
func behind(awaiting []locks.Awaiting, waiters []*timeline.Sample) []*timeline.Sample {
	stuck := map[*timeline.Sample]bool{}
	for _, s := range waiters {
		stuck[s] = true
	}
	var found []*timeline.Sample
	for before := -1; before != len(found); {
		before = len(found)
		for _, w := range awaiting {
			if !stuck[w.Waiter] && slices.ContainsFunc(w.Others, func(o *timeline.Sample) bool { return stuck[o] }) {
				stuck[w.Waiter] = true
				found = append(found, w.Waiter)
			}
		}
	}
	return found
}

// tasksOf returns threads that run a lambda of a method in which one of the waiters is, and that wait themselves over
// the whole capture: as far as the dumps show, they should give the signal.
func tasksOf(f *timeline.Timeline, waiters []*timeline.Sample) []*timeline.Sample {
	var found []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role != threaddump.Application || s.Stack.Application == nil || s.IdleRule() != nil ||
			slices.Contains(waiters, s) || f.Unchanged(h).Dumps < len(f.Snaps) {
			continue
		}
		if slices.ContainsFunc(waiters, func(w *timeline.Sample) bool { return w.Stack.DefinesTask(s.Stack) }) {
			found = append(found, s)
		}
	}
	return timeline.InNameOrder(found)
}
