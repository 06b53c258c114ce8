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

// heldWithoutEnd reports whether the dump shows that the owner of the lock cannot go on. A write to a stream may go to
// a file, or to a pipe that no process reads; many threads behind it decide, or most of the owner's pool. A single
// waiter proves nothing while the result that the owner waits for may be on its way.
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

// nobodyReleases reports whether all threads of the program, at least three, wait for one lock, the dump is whole and
// lists the owned synchronizers of each thread, and none of them owns the lock: the thread that should release it has
// ended, or is among those that wait.
func nobodyReleases(f *timeline.Timeline, q *locks.Queue) bool {
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

// stopsProgram reports whether many threads wait for the owner and are four fifths of the program's threads that have
// work in hand: even if the owner's wait is short, nothing else makes progress.
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
	result.Culprits, result.Victims = f.Timeline.Refs(culprits), f.Timeline.Refs(timeline.Without(q.Waiters, culprits))
}

// mostOfPool is the share of a pool's threads from which on they count as the pool.
const (
	mostOfPool = 0.8
)

// stopsItsPool reports whether the owner and its waiters, at least three, are four fifths of the threads with the same
// name pattern as the owner.
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

// heldInWait reports whether the owner of the lock waits while others want it.
func heldInWait(q *locks.Queue) bool {
	return q.Root != nil && q.Cycle == nil && locks.LimitOf(q.Root) != locks.GoesOn
}

// takesTurns reports whether threads alternate in one job: the owner accepts, selects or takes the next job under the
// lock, and all others want the lock for the same method.
//
// A library's own threads do so too if one selects under the lock of a client and releases it each time: idle.tsv has
// both places.
func takesTurns(q *locks.Queue) bool {
	native := q.Root.Stack.PollsInNative()
	switch q.Root.Stack.Op.Kind {
	case stack.OpAccept, stack.OpSelect, stack.OpTake:
	default:
		if !native {
			return false
		}
	}
	return !slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool {
		return !sameJob(q, w) && !(native && wantsIn(w) == lockedIn(q.Root, q.Lock.Address)) && !restsBehind(q, w)
	})
}

// restsBehind reports whether owner and waiter are both where threads of a library are idle, and take the lock in one
// class.
func restsBehind(q *locks.Queue, w *timeline.Sample) bool {
	rests := func(s *stack.Stack) bool { return s.IdleRule != nil && !s.IdleRule.Not && s.IdleRule.Certain }
	return rests(q.Root.Stack) && rests(w.Stack) && w.Stack.Application == nil &&
		classOf(lockedIn(q.Root, q.Lock.Address)) == classOf(wantsIn(w))
}

// classOf is the class of a method.
func classOf(method string) string { return method[:max(strings.LastIndexByte(method, '.'), 0)] }

// sameJob reports whether a waiter wants the lock where the owner took it, and the owner took it for the call in which
// it waits: in a method of the JDK, or in the method that called it.
func sameJob(q *locks.Queue, w *timeline.Sample) bool {
	held, caller := lockedIn(q.Root, q.Lock.Address), q.Root.Stack.Op.Caller
	if held != "" && held == wantsIn(w) && (caller == nil || held == caller.Name() || isOfJDK(held)) {
		return true
	}
	theirs := w.Stack.Application
	return caller != nil && caller == q.Root.Stack.Application && theirs != nil && caller.Name() == theirs.Name()
}

// isOfJDK reports whether a method that takes locks around accept and select is one of the JDK.
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

// wantsIn is the method in which the thread waits for its lock.
func wantsIn(s *timeline.Sample) string {
	l := s.WaitsOn()
	if l == nil {
		return methodAt(s, -1)
	}
	return methodAt(s, int(l.Depth))
}

// methodAt is the method of a frame. It is that of the program's first frame if the depth is unknown, or for a lock of
// java.util.concurrent, which is taken in the JDK's own frames.
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
// the threads that schedule virtual threads do for the lock of a queue of delayed tasks.
func amongJDKThreads(q *locks.Queue) bool {
	if q.Root == nil || q.Cycle != nil || locks.LimitOf(q.Root) != locks.GoesOn {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(q.Waiters), q.Root), func(s *timeline.Sample) bool {
		return slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !stack.IsJDK(f) })
	})
}
