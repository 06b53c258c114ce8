package lockcontention

import (
	"slices"
	"strings"

	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// writesStream reports that the stack writes to a FileOutputStream.
func writesStream(s *stack.Stack) bool {
	return s.Op.Kind == stack.OpWrite &&
		slices.ContainsFunc(s.Frames[:min(len(s.Frames), s.Op.Index+1)], func(f *threaddump.Frame) bool {
			return f.Class == locks.FileOutput
		})
}

// heldWithoutEnd reports that the owner of the lock cannot go on by what the dump shows. A write to a stream may go to
// a file, or to a pipe that nobody reads: many threads behind it tell, or most of the owner's pool. A single waiter
// proves nothing while the result that the owner waits for may be under way.
func heldWithoutEnd(f *pools.Pools, q *locks.Queue) bool {
	if q.Root == nil || q.Cycle != nil && !q.Cycle.NeedsSecondDump || len(q.Waiters) == 1 &&
		loops.MayBringResult(f, q.Root) {
		return false
	}
	switch locks.LimitOf(q.Root) {
	case locks.ByOthers:
		return true
	case locks.ByItself:
		return writesStream(q.Root.Stack) && (len(q.Waiters) >= locks.ManyThreads || stopsItsPool(f.Timeline, q))
	}
	return false
}

// mostOfPool is the share of a pool's threads, poolWaiters their least number, from which on they count as the pool.
const (
	mostOfPool = 0.8
)

// stopsItsPool reports that the owner and those who wait for it, three at least, are four
// fifths of the threads that are named as the owner is.
func stopsItsPool(f *timeline.Timeline, q *locks.Queue) bool {
	pool, waiters, size := stack.PoolName(q.Root.Thread.Name), 0, 0
	for _, w := range q.Waiters {
		waiters += finding.CountIf(stack.PoolName(w.Thread.Name) == pool)
	}
	for i := range f.Snaps[q.At].Samples {
		size += finding.CountIf(stack.PoolName(f.Snaps[q.At].Samples[i].Thread.Name) == pool)
	}
	return waiters >= locks.PoolWaiters && float64(waiters+1) >= mostOfPool*float64(size)
}

// heldInWait reports that the owner of the lock waits at all while others want it.
func heldInWait(q *locks.Queue) bool {
	return q.Root != nil && q.Cycle == nil && locks.LimitOf(q.Root) != locks.GoesOn
}

// takesTurns tells threads that do one job by turns: the owner accepts, selects or takes the
// next job under the lock, and all others want the lock for the same method.
func takesTurns(q *locks.Queue) bool {
	switch q.Root.Stack.Op.Kind {
	case stack.OpAccept, stack.OpSelect, stack.OpTake:
	default:
		return false
	}
	return !slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool { return !sameJob(q, w) })
}

// sameJob reports that a waiter wants the lock where the owner took it, and that the owner took
// it for the call in which it waits: in a method of the JDK, or in the method that called it.
func sameJob(q *locks.Queue, w *timeline.Sample) bool {
	held, caller := lockedIn(q.Root, q.Lock.Address), q.Root.Stack.Op.Caller
	if held != "" && held == wantsIn(w) && (caller == nil || held == caller.Name() || isOfJDK(held)) {
		return true
	}
	theirs := w.Stack.Application
	return caller != nil && caller == q.Root.Stack.Application && theirs != nil && caller.Name() == theirs.Name()
}

// isOfJDK tells the JDK's own methods, of those that take locks around accept and select.
func isOfJDK(method string) bool {
	return strings.HasPrefix(method, "java.") || strings.HasPrefix(method, "sun.") || strings.HasPrefix(method, "jdk.")
}

// lockedIn is the method in which the thread took a lock, empty if the dump does not tell.
func lockedIn(s *timeline.Sample, address uint64) string {
	l := s.HeldLock(address)
	if l == nil {
		return ""
	}
	return methodAt(s, int(l.Depth))
}

// wantsIn is the method in which the thread waits for its lock.
func wantsIn(s *timeline.Sample) string {
	l := s.WaitsOn()
	if l == nil {
		return methodAt(s, -1)
	}
	return methodAt(s, int(l.Depth))
}

// methodAt is the method of a frame, that of the program's first frame where the depth is not
// told or of a lock of java.util.concurrent, which is taken in the JDK's own frames.
func methodAt(s *timeline.Sample, depth int) string {
	frames := s.Stack.Frames
	if depth >= 0 && depth < len(frames) && !strings.HasPrefix(frames[depth].Class, "jdk.internal.misc.") &&
		!strings.HasPrefix(frames[depth].Class, "sun.misc.") {
		return frames[depth].Name()
	}
	if s.Stack.Application == nil {
		return ""
	}
	return s.Stack.Application.Name()
}
