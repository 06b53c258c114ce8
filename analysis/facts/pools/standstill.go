package pools

import (
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// stallFor is how long threads must have been unchanged for a stall to be more than a hint.
const stallFor = 500 * time.Millisecond

// NeverIdle reports whether every worker had a task in all dumps.
func NeverIdle(f *timeline.Timeline, p *Pool) bool { return !p.Mixed && NoWorkerIdle(f, p) }

// NoWorkerIdle is NeverIdle for all workers with such names, which may belong to several executors.
func NoWorkerIdle(f *timeline.Timeline, p *Pool) bool {
	if len(p.Idle) > 0 || len(p.Busy) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool { return s.IdleRule() != nil })
	})
}

// LongEnough reports whether the capture was long enough to call threads stalled that did not change in it.
func LongEnough(f *timeline.Timeline) bool {
	wall := f.Wall()
	return len(f.Snaps) > 1 && (!wall.Known || wall.Value >= stallFor)
}

// AllUnchanged reports whether every dump shows each thread at one place without CPU.
func AllUnchanged(f *timeline.Timeline, threads []*timeline.History) bool {
	return !slices.ContainsFunc(threads, func(h *timeline.History) bool { return !f.IsUnchanged(h) })
}

// NeverWoken reports whether no thread was woken even once, which only CPU time shows.
func NeverWoken(f *timeline.Timeline, threads []*timeline.History) bool {
	return !slices.ContainsFunc(threads, func(h *timeline.History) bool { return !h.CPU.Known || !f.NeverWoke(h) })
}

// Serves reports whether a framework called the outermost frame of the application: below it is code of a library or of
// a server of the JDK.
func Serves(s *stack.Stack) bool {
	if s.Application == nil {
		return false
	}
	for i := len(s.Frames) - 1; i >= 0; i-- {
		f := s.Frames[i]
		switch stack.OriginOf(f) {
		case stack.OfApplication, stack.OfGenerator:
			return false
		case stack.OfLibrary:
			if s.Root == nil || !s.Root.Class.Fits(f.Class) {
				return true
			}
		case stack.OfJDK:
			if strings.HasPrefix(f.Class, "sun.net.httpserver.") {
				return true
			}
		}
	}
	return false
}

// LastSamples are the threads as the last dumps show them.
func LastSamples(threads []*timeline.History) []*timeline.Sample {
	samples := make([]*timeline.Sample, 0, len(threads))
	for _, h := range threads {
		samples = append(samples, h.Last())
	}
	return samples
}

// HasCallerOtherThanMain reports whether there is a caller other than main. For main one task may be the whole program.
func HasCallerOtherThanMain(callers []*timeline.History) bool {
	return slices.ContainsFunc(callers, func(h *timeline.History) bool { return h.Thread.Name != "main" })
}

// standstillLeast is the least number of workers of an executor that can be reported as stalled: a single worker may be
// in a long task.
const standstillLeast = 2

// AllWaitForOthers reports whether no worker is idle and each waits in its task for a result of other code.
func AllWaitForOthers(f *timeline.Timeline, p *Pool) bool {
	return p.everyBusy() && len(p.Busy) >= standstillLeast &&
		!slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return !waitsForOthers(f, h, p) })
}

// waitsForOthers reports whether a worker waits in a task for a result of other code, the same in all dumps.
func waitsForOthers(f *timeline.Timeline, h *timeline.History, p *Pool) bool {
	s := h.Last()
	if s.Timed() || !s.Waits() || s.Wait.ForLock() || s.Stack.Application == nil ||
		len(f.Snaps) > 1 && !f.NeverWoke(h) {
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

// InLibraryWait reports whether a thread is in a method of a library that blocks until a result is there.
func InLibraryWait(s *timeline.Sample) bool {
	return s.InLibraryFuture() || s.AsksByLibrary() || s.Stack.InLibraryWait()
}

// AllWriteToClients reports whether each worker waits to write to a client; see Sample.WritesToClient.
func (p *Pool) AllWriteToClients() bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return !h.Last().WritesToClient() })
}
