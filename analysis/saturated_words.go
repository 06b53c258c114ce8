package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// standAt words what all workers of an executor do.
func (f *facts) standAt(p *pool, stuck bool) string {
	if !stuck {
		return "is busy"
	}
	if waiters := f.inIO(p); len(waiters) == len(p.busy) {
		return "waits " + ioWhat(waiters)
	}
	for _, h := range p.busy {
		if h.last().phrase() != p.busy[0].last().phrase() {
			return "is stuck"
		}
	}
	return f.phrase(p.busy[0].last()) + inOneCall(p.busy)
}

// inOneCall names the library's method that all workers called and wait in, empty if there is none.
func inOneCall(workers []*history) string {
	call := workers[0].last().Stack.decisive()
	for _, h := range workers {
		other := h.last().Stack.decisive()
		if call == nil || other == nil || other.Name() != call.Name() || other == h.last().Stack.Application {
			return ""
		}
	}
	return " in " + shortMethod(call)
}

// shortMethod is a method with its class, without the package.
func shortMethod(f *threaddump.Frame) string {
	return f.Class[strings.LastIndexByte(f.Class, '.')+1:] + "." + f.Method
}

func saturatedTitle(p *pool, doing string, callers []*history) string {
	who := fmt.Sprintf("each of the %d workers of %s ", len(p.busy), executorNamed(p.pattern))
	if len(p.busy) == 1 {
		who = "the only worker that its executor has started, " + p.busy[0].thread.called() + ", "
	}
	switch {
	case len(callers) == 0:
		return who + doing + ", no worker is free"
	case !slices.ContainsFunc(callers, func(h *history) bool { return !runsItself(h) }):
		return who + doing + ", and " + madeToRun(callers)
	case len(callers) == 1:
		return who + doing + "; " + callers[0].thread.called() + " waits for its tasks"
	}
	return who + doing + fmt.Sprintf("; %s threads wait for its tasks", Thousands(len(callers)))
}

// madeToRun words those who handed a task in and were given it back to run.
func madeToRun(callers []*history) string {
	if len(callers) == 1 {
		return callers[0].thread.called() + ", which hands tasks in, was made to run one itself"
	}
	return Thousands(len(callers)) + " threads that hand tasks in were made to run one themselves"
}

func (f *ioFacts) saturatedAdvice(p *pool, stuck bool) string {
	if !stuck {
		return "The tasks take longer than they come in: make them shorter, or run more of them at once if cores are free."
	}
	if p.allWriteToClients() {
		return "The clients do not read what is written to them: give the server's writes a time limit (its idle timeout), so that one that is gone or slow costs no worker for good."
	}
	if p.allSleep() {
		return "A task that waits for its time, as for that of another try, keeps its worker: hand it to a scheduler instead, which runs it then. More workers would sleep as well."
	}
	if p.waitsForOthers() {
		return "Check what the workers wait for. If they wait for tasks of this executor, run those tasks in an executor of their own."
	}
	inIO := slices.DeleteFunc(slices.Clone(f.inIO(p)), func(w ioWaiter) bool { return !slices.Contains(p.busy, w.h) })
	if len(inIO) == len(p.busy) {
		return ioAdvice(inIO, 0, Warning) + " More workers would get stuck as well."
	}
	return "Look at what the workers wait for; give it a timeout. More workers would get stuck as well."
}

// allSleep reports that every worker sleeps.
func (p *pool) allSleep() bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().Stack.op.kind != opSleep })
}

// waitsForOthers reports workers all of which wait for a result or a signal.
func (p *pool) waitsForOthers() bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		switch h.last().Stack.op.kind {
		case opResult, opLatch, opCondition, opNotify, opPark:
			return false
		}
		return true
	})
}

// saturatedEvidence quotes where workers and callers stand.
func (f *timeline) saturatedEvidence(p *pool, callers []*history) []Evidence {
	const shown = 2
	var quotes []Evidence
	for _, h := range slices.Concat(p.busy[:min(shown, len(p.busy))], callers[:min(shown, len(callers))]) {
		quotes = append(quotes, f.placeEvidence(h)...)
	}
	return quotes
}
