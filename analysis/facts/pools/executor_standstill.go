package pools

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// An executor stands still from two workers on, as one may be in a long task; it is a warning from
// three on.
const (
	standstillLeast = 2
)

func AllStandForOthers(f *timeline.Timeline, p *Pool) bool {
	return p.EveryBusy() && len(p.Busy) >= standstillLeast &&
		!slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return !standsForOthers(f, h, p) })
}

// standsForOthers reports that a worker waits in a task for what other code brings, the same in
// all dumps.
func standsForOthers(f *timeline.Timeline, h *timeline.History, p *Pool) bool {
	s := h.Last()
	if s.Timed() || !s.Waits() || s.Wait.ForLock() || s.Stack.Application == nil || len(f.Snaps) > 1 && !f.NeverWoke(h) {
		return false
	}
	switch s.Stack.Op.Kind {
	case stack.OpResult:
		return p.Kind != stack.RootForkJoin && s.Stack.Op.Caller != nil // fork-join pools start spare workers
	case stack.OpLatch, stack.OpBarrier:
		return true
	case stack.OpCondition, stack.OpNotify, stack.OpPark, stack.OpTake:
		return InLibraryWait(s) || Serves(s.Stack)
	}
	return InLibraryWait(s)
}

// libraryWaits are the methods of libraries that block until an asynchronous result is there.
var libraryWaits = [...]stack.OpRule{
	{Class: "reactor.core.publisher.Blocking", Methods: "blockingGet blockingFirst blockingLast", Kind: stack.OpResult},
	{Class: "io.reactivex.", Methods: "blocking", Kind: stack.OpResult},
	{Class: "rx.observables.Blocking", Methods: "", Kind: stack.OpResult},
	{Class: "rx.internal.util.BlockingUtils", Methods: "await", Kind: stack.OpResult},
	{Class: "kotlinx.coroutines.BlockingCoroutine", Methods: "joinBlocking", Kind: stack.OpResult},
	{Class: "scala.concurrent.impl.Promise", Methods: "ready result tryAwait", Kind: stack.OpResult},
	{Class: "com.twitter.util.Await", Methods: "result ready", Kind: stack.OpResult},
	{Class: "io.grpc.stub.ClientCalls", Methods: "blocking", Kind: stack.OpResult},
}

// InLibraryWait tells a thread in a method of a library that blocks until a result is there.
func InLibraryWait(s *timeline.Sample) bool {
	if s.InLibraryFuture() || s.AsksByLibrary() {
		return true
	}
	end := slices.Index(s.Stack.Frames, s.Stack.Application)
	return slices.ContainsFunc(s.Stack.Frames[:max(0, end)], func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(libraryWaits[:], func(r stack.OpRule) bool {
			return strings.HasPrefix(f.Class, r.Class) && stack.HasAnyPrefix(f.Method, r.Methods)
		})
	})
}
