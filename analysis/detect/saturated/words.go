package saturated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

func saturatedTitle(p *pools.Pool, doing string, callers []*timeline.History) string {
	who := fmt.Sprintf("%s has no free worker: each of the %d ", finding.ExecutorCalled(p.Pattern), len(p.Busy))
	if len(p.Busy) == 1 {
		who = p.Busy[0].Thread.Called() + ", the only worker that its executor has started, "
	}
	switch {
	case len(callers) == 0:
		return who + doing
	case !slices.ContainsFunc(callers, func(h *timeline.History) bool { return !pools.RunsItself(h) }):
		return who + doing + ", and " + madeToRun(callers)
	case len(callers) == 1:
		return who + doing + "; " + callers[0].Thread.Called() + " waits for its tasks"
	}
	return who + doing + fmt.Sprintf("; %s threads wait for its tasks", finding.Thousands(len(callers)))
}

// workersDo describes what all workers of an executor do.
func workersDo(f *facts.Facts, p *pools.Pool, stuck bool) string {
	if !stuck {
		return "is busy"
	}
	if waiters := f.IOWaits.WorkersInIO(p); len(waiters) == len(p.Busy) {
		return "waits " + iowaits.WaitsWords(waiters)
	}
	for _, h := range p.Busy {
		if resources.Phrase(h.Last()) != resources.Phrase(p.Busy[0].Last()) {
			return "is blocked"
		}
	}
	phrase, call := f.Phrase(p.Busy[0].Last()), inOneCall(p.Busy)
	if strings.HasSuffix(phrase, strings.TrimPrefix(call, " in")) {
		return phrase
	}
	return phrase + call
}

// inOneCall names the library's method that all workers called and wait in; empty without such a method.
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

// madeToRun describes the threads that submitted a task and had to run it themselves.
func madeToRun(callers []*timeline.History) string {
	if len(callers) == 1 {
		return callers[0].Thread.Called() + ", which submits tasks, had to run one itself"
	}
	return finding.Thousands(len(callers)) + " threads that submit tasks had to run one themselves"
}

const moreWorkers = " More workers would block as well."

func saturatedAdvice(f *iowaits.Waits, p *pools.Pool, stuck bool) string {
	call := "what the workers wait for"
	if name := p.Busy[0].Last().Stack.Op.Name(); inOneCall(p.Busy) != "" {
		call = strings.TrimPrefix(inOneCall(p.Busy), " in ")
	} else if len(p.Busy) == 1 && name != "" {
		call = name
	}
	switch {
	case !stuck:
		return "Make the tasks shorter, or add workers if cores are free: tasks arrive faster than they end."
	case p.AllWriteToClients():
		return "Set a write timeout in the server (its idle timeout): a client that does not read blocks its worker."
	case allSleep(p):
		return "Do not sleep in a task, as between two tries: use a ScheduledExecutorService. " +
			"More workers would sleep as well."
	case waitsForOthers(p):
		return "Set a timeout on " + call + ". If the workers wait for tasks of this executor, " +
			"run those tasks in a second executor."
	}
	inIO := slices.DeleteFunc(slices.Clone(f.WorkersInIO(p)), func(w iowaits.Waiter) bool {
		return !slices.Contains(p.Busy, w.H)
	})
	if len(inIO) == len(p.Busy) {
		return iowaits.IOAdvice(inIO, 0, finding.Warning) + moreWorkers
	}
	return "Set a timeout on " + call + "." + moreWorkers
}

// allSleep reports whether every worker sleeps.
func allSleep(p *pools.Pool) bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return h.Last().Stack.Op.Kind != stack.OpSleep
	})
}

// waitsForOthers reports whether all workers wait for a result or a signal.
func waitsForOthers(p *pools.Pool) bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		switch h.Last().Stack.Op.Kind {
		case stack.OpResult, stack.OpLatch, stack.OpCondition, stack.OpNotify, stack.OpPark:
			return false
		}
		return true
	})
}
