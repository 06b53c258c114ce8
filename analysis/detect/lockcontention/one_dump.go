package lockcontention

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// writesStream reports whether the stack writes to a FileOutputStream.
func writesStream(s *stack.Stack) bool {
	return s.Op.Kind == stack.OpWrite &&
		slices.ContainsFunc(s.Frames[:min(len(s.Frames), s.Op.Index+1)], func(f *threaddump.Frame) bool {
			return f.Class == locks.FileOutput
		})
}

// heldWithoutEnd reports whether one dump is enough to assume that the owner of the lock cannot go on: it waits without
// a time limit for other threads. If only its own call can end the wait, most of the program must wait behind it
// (stopsProgram). A write to a stream may go to a file or to a pipe that no process reads: then many waiters or most of
// the owner's pool are enough. A single waiter is not enough if another thread may still deliver the result that the
// owner waits for.
func heldWithoutEnd(f *pools.Pools, q *locks.Queue) bool {
	if q.Root == nil || q.Cycle != nil && !q.Cycle.NeedsSecondDump || len(q.Waiters) == 1 &&
		loops.MayBringResult(f, q.Root) {
		return false
	}
	switch locks.LimitOf(q.Root) {
	case locks.ByOthers:
		return true
	case locks.ByItself:
		return writesStream(q.Root.Stack) && (len(q.Waiters) >= locks.ManyThreads || stopsItsPool(f.Timeline, q)) ||
			stopsProgram(f.Timeline, q)
	}
	return false
}

// noThreadOwns reports whether all threads of the program that are not idle, at least three, wait for one lock without
// a time limit and no thread owns it. The dump must be whole and list the owned synchronizers of each thread. Then the
// thread that should release the lock has ended, or is among the waiters.
func noThreadOwns(f *timeline.Timeline, q *locks.Queue) bool {
	snap := f.Snaps[q.At]
	if q.Root != nil || q.Cycle != nil || !q.NeedsLocks() || len(q.Waiters) < locks.PoolWaiters || !locks.Whole(snap) ||
		!snap.OwnersListed {
		return false
	}
	for i := range snap.Samples {
		s := &snap.Samples[i]
		waits := slices.Contains(q.Waiters, s) && !s.Timed()
		if s.Thread.Role == threaddump.Application && s.Stack.Application != nil && s.IdleRule() == nil && !waits {
			return false
		}
	}
	return true
}

// stopsProgram reports whether many threads wait for the owner, and they and the owner are four fifths of the program's
// threads that are not idle. Even if the owner's wait is short, hardly any other thread makes progress.
func stopsProgram(f *timeline.Timeline, q *locks.Queue) bool {
	busy := 0
	for i := range f.Snaps[q.At].Samples {
		s := &f.Snaps[q.At].Samples[i]
		busy += finding.CountIf(s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
			s.IdleRule() == nil)
	}
	return len(q.Waiters) >= locks.ManyThreads && float64(len(q.Waiters)+1) >= mostOfPool*float64(busy)
}

// blameWaiters makes the threads that wait for a write lock the culprits, because one of them may hold the read lock.
// For other locks there is no culprit: the owner has ended.
func blameWaiters(f *facts.Facts, q *locks.Queue, result *finding.Finding) {
	if !locks.Shared(q) {
		return
	}
	var culprits []*timeline.Sample
	for _, w := range q.Waiters {
		if w.Wait == stack.WaitExclusive {
			culprits = append(culprits, w)
		}
	}
	result.Culprits = f.Timeline.Refs(culprits)
}

// mostOfPool is the share of the threads of a pool or of the program that counts as all of them.
const mostOfPool = 0.8

// stopsItsPool reports whether the owner and at least three waiters with its name pattern are four fifths of the
// threads with that pattern.
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

// heldInWait reports whether the owner waits while it holds the lock.
func heldInWait(q *locks.Queue) bool {
	return q.Root != nil && q.Cycle == nil && locks.LimitOf(q.Root) != locks.GoesOn
}

// alternates reports whether the threads share one job and the lock only selects which of them does it: the owner
// accepts, selects or takes the next item while it holds the lock, and each waiter waits for the lock to do the same.
//
// The idle threads of a library also count if one selects under the lock of a client and releases it each time (see
// restsBehind).
func alternates(q *locks.Queue) bool {
	native := q.Root.Stack.PollsInNative()
	switch q.Root.Stack.Op.Kind {
	case stack.OpAccept, stack.OpSelect, stack.OpTake:
	default:
		if !native {
			return false
		}
	}
	return !slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool {
		return !sameJob(q, w) && !(native && waitsIn(w) == lockedIn(q.Root, q.Lock.Address)) && !restsBehind(q, w)
	})
}

// restsBehind reports whether owner and waiter are both in a place where threads of a library are idle (idle.tsv), and
// take the lock in methods of one class.
func restsBehind(q *locks.Queue, w *timeline.Sample) bool {
	rests := func(s *stack.Stack) bool { return s.IdleRule != nil && !s.IdleRule.Not && s.IdleRule.Certain }
	return rests(q.Root.Stack) && rests(w.Stack) && w.Stack.Application == nil &&
		classOf(lockedIn(q.Root, q.Lock.Address)) == classOf(waitsIn(w))
}

// classOf is the class of a method.
func classOf(method string) string { return method[:max(strings.LastIndexByte(method, '.'), 0)] }

// sameJob reports whether the waiter waits for the lock to make the call that the owner is in. Either both take the
// lock in one method, which is a method of the JDK or the direct caller of the blocking call, or both are in the same
// method of the application, which called the blocking call.
func sameJob(q *locks.Queue, w *timeline.Sample) bool {
	held, caller := lockedIn(q.Root, q.Lock.Address), q.Root.Stack.Op.Caller
	if held != "" && held == waitsIn(w) && (caller == nil || held == caller.Name() || isOfJDK(held)) {
		return true
	}
	theirs := w.Stack.Application
	return caller != nil && caller == q.Root.Stack.Application && theirs != nil && caller.Name() == theirs.Name()
}

// isOfJDK reports whether a method is in a package of the JDK that takes locks around accept and select.
func isOfJDK(method string) bool {
	return strings.HasPrefix(method, "java.") || strings.HasPrefix(method, "sun.") || strings.HasPrefix(method, "jdk.")
}

// lockedIn is the method in which the thread took a lock, empty if the dump does not show it.
func lockedIn(s *timeline.Sample, address uint64) string {
	l := s.HeldLock(address)
	if l == nil {
		return ""
	}
	return methodAt(s, int(l.Depth))
}

// waitsIn is the method in which the thread waits for its lock.
func waitsIn(s *timeline.Sample) string {
	l := s.WaitsOn()
	if l == nil {
		return methodAt(s, -1)
	}
	return methodAt(s, int(l.Depth))
}

// methodAt is the method of the frame at a depth. It is the innermost method of the application, or empty without one,
// if the depth is unknown or the lock is one of java.util.concurrent: the JDK's own frames take such a lock.
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

// amongJDKThreads reports whether threads without a frame of the application or of a library wait for a running one, as
// the threads that wake virtual threads do for the lock of their queue of delayed tasks.
func amongJDKThreads(q *locks.Queue) bool {
	if q.Root == nil || q.Cycle != nil || locks.LimitOf(q.Root) != locks.GoesOn {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(q.Waiters), q.Root), func(s *timeline.Sample) bool {
		return slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !stack.IsJDK(f) })
	})
}
