package saturated

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

const (
	standstillWorkers = 3
)

// standstill grades an executor with at least two workers, all of which wait in tasks, without a time limit, for a
// result of other code. It is empty if a thread outside runs a task of the same code, which may bring the result, and
// if the workers wait for answers to a client.
//
// It is a hint if an event loop may complete what they wait for, if all wait for the same thing, such as the end of the
// program, if a thread outside makes progress in a task, and for one point in time if code other than a task may bring
// the result (see waitsForTask).
func standstill(f *pools.Pools, p *pools.Pool) finding.Severity {
	if !pools.AllWaitForOthers(f.Timeline, p) {
		return ""
	}
	beside := f.RunnersOfTasks()
	anybodys := func(h *timeline.History) bool { return !waitsForTask(h.Last()) }
	few := len(p.Busy) < standstillWorkers
	switch {
	case few && slices.ContainsFunc(p.Busy, anybodys):
		return ""
	case beside.MayBringResult(p), signalsTo(f.Timeline, p), mayBeAnswered(f, p):
		return ""
	case few, mayBeCompleted(f, p), waitForOneThing(p.Busy), beside.MovesInApplication(p),
		pools.IsOutside(p, beside.MovingTasks),
		locks.OneMoment(f.Timeline) && slices.ContainsFunc(p.Busy, anybodys):
		return finding.Info
	}
	return finding.Warning
}

// waitsForTask reports whether a task must bring what a thread waits for: a FutureTask, a stage that waits for a stage,
// or what a library's call waits for in a task of the same library.
func waitsForTask(s *timeline.Sample) bool {
	if s.Stack.Op.Kind == stack.OpResult && s.Stack.Op.Caller == s.Stack.Application {
		return pools.WaitsForFutureTask(s.Stack) || runsStage(s.Stack)
	}
	at := slices.Index(s.Stack.Frames, s.Stack.Application)
	return at > 0 && stack.OriginOf(s.Stack.Frames[at-1]) == stack.OfLibrary &&
		slices.ContainsFunc(s.Stack.Frames[at:], stack.OfLibraryAt(stack.LibraryOf(s.Stack.Frames[at-1].Class)))
}

// mayBeAnswered reports whether a worker waits for an answer from the network: it called a client, or it waits for a
// result, outside a stage of futures, while a client's thread waits for answers. A handler of a server that calls the
// same library may wait for its own server.
func mayBeAnswered(f *pools.Pools, p *pools.Pool) bool {
	client := f.RunnersOfTasks().Client
	return slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		s := h.Last()
		if s.AsksByLibrary() {
			return !pools.AsksInCallback(s)
		}
		return client && waitsForStage(s) && !runsStage(s.Stack)
	})
}

// mayBeCompleted reports whether a worker waits for a result that an event loop may complete.
func mayBeCompleted(f *pools.Pools, p *pools.Pool) bool {
	events := f.RunnersOfTasks().Events
	return events && slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		s := h.Last()
		return !s.AsksByLibrary() && (waitsForStage(s) || pools.InLibraryWait(s))
	})
}

// waitsForStage reports whether a thread waits for a result that need not come from an executor.
func waitsForStage(s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpResult && !pools.WaitsForFutureTask(s.Stack)
}

// runsStage reports whether a thread runs an asynchronous stage of a CompletableFuture.
func runsStage(s *stack.Stack) bool { return s.IsInside(stack.JUC+"CompletableFuture$Async", "run") }

// waitForOneThing reports whether several threads wait for one latch, barrier or task. Threads in a request of a server
// do not count, because each blocks its own client.
func waitForOneThing(threads []*timeline.History) bool {
	first := threads[0].Last().WaitsOn()
	return len(threads) > 1 && first != nil && first.Address != 0 &&
		!slices.ContainsFunc(threads, func(h *timeline.History) bool {
			l := h.Last().WaitsOn()
			return l == nil || l.Address != first.Address || pools.Serves(h.Last().Stack)
		})
}

// signalsTo reports whether a thread of the program makes progress in code of a class in which workers wait at a latch,
// barrier or condition, and so may give the signal.
func signalsTo(f *timeline.Timeline, p *pools.Pool) bool {
	var waiting []*stack.Stack
	for _, h := range p.Busy {
		if s := h.Last().Stack; s.Op.Kind != stack.OpResult && !slices.Contains(waiting, s) {
			waiting = append(waiting, s)
		}
	}
	return len(waiting) > 0 && slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		if p.Has(h) || h.Thread.Role != threaddump.Application || s.Stack.Application == nil || s.IdleRule() != nil {
			return false
		}
		moves := s.Wait == stack.Running || s.Wait == stack.WaitIO ||
			s.Timed() && !locks.SleepsInStartMethod(s.Stack) && !locks.PausesInMain(s.Stack)
		return moves && slices.ContainsFunc(waiting, s.Stack.SharesClass)
	})
}
