package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// crowdLimit is how many threads in one blocking call are news by their number alone. Pools
// of databases and of small services have ten threads by default: all of them stand there.
const crowdLimit = 10

// oneMoment reports that the dumps are of one moment: a single one, or several that are too
// close together to show progress.
func (f *timeline) oneMoment() bool {
	wall := f.wall()
	return len(f.snaps) == 1 || wall.Known && wall.Value < shortestMeasure
}

// waitLimit says what one dump tells of when a thread that holds a lock goes on.
type waitLimit uint8

const (
	goesOn   waitLimit = iota // it works
	byItself                  // its wait ends by itself: a sleep, a timed wait, a file
	byOthers                  // its wait has no time limit and ends only when something else happens
)

// limitOf judges the wait of a thread that holds a lock which others want.
func limitOf(owner *Sample) waitLimit {
	switch {
	case owner.timed(), owner.wait == waitSleep:
		return byItself
	case isIO(owner):
		return limitOfIO(owner)
	}
	switch owner.wait {
	case waitNotify, waitMonitor, waitClassInit, waitExclusive, waitShared, waitPermit,
		waitCondition, waitSignal, waitFuture, waitHandoff, waitPark:
		return byOthers
	case waitSelect:
		return limitOfIO(owner)
	}
	return goesOn
}

// limitOfIO tells sockets, pipes and child processes, whose other end decides, from files. A
// frame with "timed" in its name shows a read with a time limit (NioSocketImpl, JDK 13 and
// newer); before that no frame tells.
func limitOfIO(s *Sample) waitLimit {
	if s.Stack.hasTimedRead() {
		return byItself
	}
	switch s.Stack.op.kind {
	case opRead, opWrite:
		if s.Stack.onFile() {
			return byItself
		}
		return byOthers
	case opAccept, opProcess, opConnect:
		return byOthers
	}
	return byItself
}

// fileClasses begin the names of what reads and writes files. A FileOutputStream may be a
// pipe as well, such as the standard output.
var fileClasses = [...]string{
	fileOutput, "java.io.FileInputStream", "java.io.RandomAccessFile", "sun.nio.ch.File", "java.nio.file.", "sun.nio.fs.",
}

const fileOutput = "java.io.FileOutputStream"

// onFile reports that the stack reads or writes a file, as its first frame with a name of the
// JDK's streams tells.
func (s *Stack) onFile() bool {
	return slices.ContainsFunc(s.Frames[:min(len(s.Frames), s.op.index+1)], func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(fileClasses[:], func(c string) bool { return strings.HasPrefix(f.Class, c) })
	})
}

// writesStream reports that the stack writes to a FileOutputStream.
func (s *Stack) writesStream() bool {
	return s.op.kind == opWrite && slices.ContainsFunc(s.Frames[:min(len(s.Frames), s.op.index+1)], func(f *threaddump.Frame) bool {
		return f.Class == fileOutput
	})
}

// heldWithoutEnd reports that the owner of the lock cannot go on by what the dump shows. A
// write to a stream may go to a file, or to a pipe that nobody reads: many threads behind it
// tell, or most of the owner's pool. A single waiter proves nothing while the result that the owner
// waits for may be under way.
func (f *poolFacts) heldWithoutEnd(q *queue) bool {
	if q.root == nil || q.cycle != nil && !q.cycle.weak || len(q.waiters) == 1 && f.mayBringResult(q.root) {
		return false
	}
	switch limitOf(q.root) {
	case byOthers:
		return true
	case byItself:
		return q.root.Stack.writesStream() && (len(q.waiters) >= crowdLimit || f.stopsItsPool(q))
	}
	return false
}

// mostOfPool is the share of a pool's threads, poolWaiters their least number, from which on
// they count as the pool.
const (
	mostOfPool = 0.8
)

const (
	poolWaiters = 3
)

// stopsItsPool reports that the owner and those who wait for it, three at least, are four
// fifths of the threads that are named as the owner is.
func (f *timeline) stopsItsPool(q *queue) bool {
	pool, waiters, size := PoolName(q.root.Thread.Name), 0, 0
	for _, w := range q.waiters {
		waiters += one(PoolName(w.Thread.Name) == pool)
	}
	for i := range f.snaps[q.at].samples {
		size += one(PoolName(f.snaps[q.at].samples[i].Thread.Name) == pool)
	}
	return waiters >= poolWaiters && float64(waiters+1) >= mostOfPool*float64(size)
}

// heldInWait reports that the owner of the lock waits at all while others want it.
func (q *queue) heldInWait() bool {
	return q.root != nil && q.cycle == nil && limitOf(q.root) != goesOn
}

// takesTurns tells threads that do one job by turns: the owner accepts, selects or takes the
// next job under the lock, and all others want the lock for the same method.
func (q *queue) takesTurns() bool {
	switch q.root.Stack.op.kind {
	case opAccept, opSelect, opTake:
	default:
		return false
	}
	return !slices.ContainsFunc(q.waiters, func(w *Sample) bool { return !q.sameJob(w) })
}

// sameJob reports that a waiter wants the lock where the owner took it, and that the owner took
// it for the call in which it waits: in a method of the JDK, or in the method that called it.
func (q *queue) sameJob(w *Sample) bool {
	held, caller := q.root.lockedIn(q.lock.address), q.root.Stack.op.caller
	if held != "" && held == w.wantsIn() && (caller == nil || held == caller.Name() || isOfJDK(held)) {
		return true
	}
	theirs := w.Stack.Application
	return caller != nil && caller == q.root.Stack.Application && theirs != nil && caller.Name() == theirs.Name()
}

// isOfJDK tells the JDK's own methods, of those that take locks around accept and select.
func isOfJDK(method string) bool {
	return strings.HasPrefix(method, "java.") || strings.HasPrefix(method, "sun.") || strings.HasPrefix(method, "jdk.")
}

// lockedIn is the method in which the thread took a lock, empty if the dump does not tell.
func (s *Sample) lockedIn(address uint64) string {
	l := s.holding(address)
	if l == nil {
		return ""
	}
	return s.methodAt(int(l.depth))
}

// wantsIn is the method in which the thread waits for its lock.
func (s *Sample) wantsIn() string {
	l := s.waitsOn()
	if l == nil {
		return s.methodAt(-1)
	}
	return s.methodAt(int(l.depth))
}

// methodAt is the method of a frame, that of the program's first frame where the depth is not
// told or of a lock of java.util.concurrent, which is taken in the JDK's own frames.
func (s *Sample) methodAt(depth int) string {
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
