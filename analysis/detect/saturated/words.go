package saturated

import (
	"fmt"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// standAt words what all workers of an executor do.
func standAt(f *facts.Facts, p *pools.Pool, stuck bool) string {
	if !stuck {
		return "is busy"
	}
	if waiters := f.Waits.WorkersInIO(p); len(waiters) == len(p.Busy) {
		return "waits " + iowaits.WaitsWords(waiters)
	}
	for _, h := range p.Busy {
		if resources.Phrase(h.Last()) != resources.Phrase(p.Busy[0].Last()) {
			return "is stuck"
		}
	}
	return f.Phrase(p.Busy[0].Last()) + inOneCall(p.Busy)
}

// inOneCall names the library's method that all workers called and wait in, empty if there is none.
func inOneCall(workers []*timeline.History) string {
	call := workers[0].Last().Stack.BlockingCall()
	for _, h := range workers {
		other := h.Last().Stack.BlockingCall()
		if call == nil || other == nil || other.Name() != call.Name() || other == h.Last().Stack.Application {
			return ""
		}
	}
	return " in " + stack.ShortMethod(call)
}

func saturatedTitle(p *pools.Pool, doing string, callers []*timeline.History) string {
	who := fmt.Sprintf("each of the %d workers of %s ", len(p.Busy), finding.ExecutorNamed(p.Pattern))
	if len(p.Busy) == 1 {
		who = "the only worker that its executor has started, " + p.Busy[0].Thread.Called() + ", "
	}
	switch {
	case len(callers) == 0:
		return who + doing + ", no worker is free"
	case !slices.ContainsFunc(callers, func(h *timeline.History) bool { return !pools.RunsItself(h) }):
		return who + doing + ", and " + madeToRun(callers)
	case len(callers) == 1:
		return who + doing + "; " + callers[0].Thread.Called() + " waits for its tasks"
	}
	return who + doing + fmt.Sprintf("; %s threads wait for its tasks", finding.Thousands(len(callers)))
}

// madeToRun words those who handed a task in and were given it back to run.
func madeToRun(callers []*timeline.History) string {
	if len(callers) == 1 {
		return callers[0].Thread.Called() + ", which hands tasks in, was made to run one itself"
	}
	return finding.Thousands(len(callers)) + " threads that hand tasks in were made to run one themselves"
}

func saturatedAdvice(f *iowaits.Waits, p *pools.Pool, stuck bool) string {
	if !stuck {
		return "The tasks take longer than they come in: make them shorter, or run more of them at once if cores are free."
	}
	if p.AllWriteToClients() {
		return "The clients do not read what is written to them: give the server's writes a time limit (its idle timeout), so that one that is gone or slow costs no worker for good."
	}
	if allSleep(p) {
		return "A task that waits for its time, as for that of another try, keeps its worker: hand it to a scheduler instead, which runs it then. More workers would sleep as well."
	}
	if waitsForOthers(p) {
		return "Check what the workers wait for. If they wait for tasks of this executor, run those tasks in an executor of their own."
	}
	inIO := slices.DeleteFunc(slices.Clone(f.WorkersInIO(p)), func(w iowaits.Waiter) bool {
		return !slices.Contains(p.Busy, w.H)
	})
	if len(inIO) == len(p.Busy) {
		return iowaits.IOAdvice(inIO, 0, finding.Warning) + " More workers would get stuck as well."
	}
	return "Look at what the workers wait for; give it a timeout. More workers would get stuck as well."
}

// allSleep reports that every worker sleeps.
func allSleep(p *pools.Pool) bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return h.Last().Stack.Op.Kind != stack.OpSleep
	})
}

// waitsForOthers reports workers all of which wait for a result or a signal.
func waitsForOthers(p *pools.Pool) bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		switch h.Last().Stack.Op.Kind {
		case stack.OpResult, stack.OpLatch, stack.OpCondition, stack.OpNotify, stack.OpPark:
			return false
		}
		return true
	})
}
