package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// An executor stands still from two workers on, as one may be in a long task; it is a warning from
// three on.
const (
	standstillLeast = 2
)

const (
	standstillWorkers = 3
)

// standstill grades an executor of two workers at least, all of which wait in tasks, without a
// time limit, for what other code brings. It is empty where a thread outside runs a task of the
// same code, which may bring it, and where the workers wait for answers to a client.
//
// It is a hint where an event loop may complete what is waited for, where all wait for one and the
// same thing, as for the end of the program, where a thread outside goes on in a task, and of one
// moment where another than a task may bring it (see waitsForTask).
func (f *poolFacts) standstill(p *pool) Severity {
	if !f.allStandForOthers(p) {
		return ""
	}
	beside := f.runnersOfTasks()
	anybodys := func(h *history) bool { return !h.last().waitsForTask() }
	few := len(p.busy) < standstillWorkers
	switch {
	case few && slices.ContainsFunc(p.busy, anybodys):
		return ""
	case beside.bringTo(p), f.signalsTo(p), f.mayBeAnswered(p):
		return ""
	case few, f.mayBeCompleted(p), waitForOneThing(p.busy), beside.moveFor(p), isOutside(p, beside.movingTasks),
		f.oneMoment() && slices.ContainsFunc(p.busy, anybodys):
		return Info
	}
	return Warning
}

// waitsForTask tells a wait for what a task is known to bring: a FutureTask, a stage that is waited
// for in a stage, or what a library's call waits for in a task of the same library.
func (s *Sample) waitsForTask() bool {
	if s.Stack.op.kind == opResult && s.Stack.op.caller == s.Stack.Application {
		return s.Stack.waitsForFutureTask() || s.Stack.runsStage()
	}
	at := slices.Index(s.Stack.Frames, s.Stack.Application)
	return at > 0 && originOf(s.Stack.Frames[at-1]) == ofLibrary &&
		slices.ContainsFunc(s.Stack.Frames[at:], ofLibraryAt(libraryOf(s.Stack.Frames[at-1].Class)))
}

func (f *timeline) allStandForOthers(p *pool) bool {
	return p.everyBusy() && len(p.busy) >= standstillLeast &&
		!slices.ContainsFunc(p.busy, func(h *history) bool { return !f.standsForOthers(h, p) })
}

// standsForOthers reports that a worker waits in a task for what other code brings, the same in
// all dumps.
func (f *timeline) standsForOthers(h *history, p *pool) bool {
	s := h.last()
	if s.timed() || !s.waits() || s.wait.forLock() || s.Stack.Application == nil || len(f.snaps) > 1 && !f.neverWoke(h) {
		return false
	}
	switch s.Stack.op.kind {
	case opResult:
		return p.kind != rootForkJoin && s.Stack.op.caller != nil // fork-join pools start spare workers
	case opLatch, opBarrier:
		return true
	case opCondition, opNotify, opPark, opTake:
		return s.inLibraryWait() || s.Stack.serves()
	}
	return s.inLibraryWait()
}

// libraryWaits are the methods of libraries that block until an asynchronous result is there.
var libraryWaits = [...]opRule{
	{"reactor.core.publisher.Blocking", "blockingGet blockingFirst blockingLast", opResult},
	{"io.reactivex.", "blocking", opResult},
	{"rx.observables.Blocking", "", opResult},
	{"rx.internal.util.BlockingUtils", "await", opResult},
	{"kotlinx.coroutines.BlockingCoroutine", "joinBlocking", opResult},
	{"scala.concurrent.impl.Promise", "ready result tryAwait", opResult},
	{"com.twitter.util.Await", "result ready", opResult},
	{"io.grpc.stub.ClientCalls", "blocking", opResult},
}

// inLibraryWait tells a thread in a method of a library that blocks until a result is there.
func (s *Sample) inLibraryWait() bool {
	if s.inLibraryFuture() || s.asksByLibrary() {
		return true
	}
	end := slices.Index(s.Stack.Frames, s.Stack.Application)
	return slices.ContainsFunc(s.Stack.Frames[:max(0, end)], func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(libraryWaits[:], func(r opRule) bool {
			return strings.HasPrefix(f.Class, r.class) && hasAnyPrefix(f.Method, r.methods)
		})
	})
}

// mayBeAnswered reports that a worker waits for an answer from the network: it called a client, or
// waits for a result, in no stage of futures, while a client's thread waits for answers. A handler
// of a server that calls the same library may well wait for its own server.
func (f *poolFacts) mayBeAnswered(p *pool) bool {
	client := f.runnersOfTasks().client
	return slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		if s.asksByLibrary() {
			return !s.asksInCallback()
		}
		return client && s.waitsForStage() && !s.Stack.runsStage()
	})
}

// mayBeCompleted reports that a worker waits for a result that an event loop may complete.
func (f *poolFacts) mayBeCompleted(p *pool) bool {
	events := f.runnersOfTasks().events
	return events && slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		return !s.asksByLibrary() && (s.waitsForStage() || s.inLibraryWait())
	})
}

// waitsForStage tells a wait for a result that no executor need bring.
func (s *Sample) waitsForStage() bool {
	return s.Stack.op.kind == opResult && !s.Stack.waitsForFutureTask()
}

// runsStage tells an asynchronous stage of a CompletableFuture.
func (s *Stack) runsStage() bool { return s.isInside(juc+"CompletableFuture$Async", "run") }

// waitForOneThing reports that several threads wait for one latch, barrier or task. Of what waits
// in a request of a server each holds up a client of its own.
func waitForOneThing(threads []*history) bool {
	first := threads[0].last().waitsOn()
	return len(threads) > 1 && first != nil && first.address != 0 && !slices.ContainsFunc(threads, func(h *history) bool {
		l := h.last().waitsOn()
		return l == nil || l.address != first.address || h.last().Stack.serves()
	})
}

// signalsTo reports that a thread of the program goes on in code of a class in which workers wait
// at a latch, barrier or condition, and so may give the signal.
func (f *timeline) signalsTo(p *pool) bool {
	var waiting []*Stack
	for _, h := range p.busy {
		if s := h.last().Stack; s.op.kind != opResult && !slices.Contains(waiting, s) {
			waiting = append(waiting, s)
		}
	}
	return len(waiting) > 0 && slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		if p.has(h) || h.thread.Role != threaddump.Application || s.Stack.Application == nil || s.resting() != nil {
			return false
		}
		moves := s.wait == running || s.wait == waitIO || s.timed() && !s.Stack.pauses() && !pausesInMain(s.Stack)
		return moves && slices.ContainsFunc(waiting, s.Stack.sharesClass)
	})
}
