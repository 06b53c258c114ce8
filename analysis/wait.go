package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// waitKind is what a thread does at the moment of a dump: it runs, or it waits
// for one of these.
type waitKind uint8

const (
	// waitUnknown: the dump does not tell, as for a carrier of JDK 21.
	waitUnknown waitKind = iota
	running
	waitMonitor   // blocked at a monitor, entering it or coming back from wait()
	waitNotify    // Object.wait()
	waitClassInit // until another thread has initialised a class
	waitExclusive // a lock that one thread at a time can hold
	waitShared    // the read side of such a lock
	waitPermit    // Semaphore
	waitCondition // Condition.await()
	waitSignal    // latch, barrier, phaser, exchanger
	waitFuture
	waitHandoff // the other side of a synchronous or transfer queue
	waitWork    // an idle ForkJoinPool worker
	waitPark    // parked with no blocker that tells why
	waitSleep
	waitIO
	waitSelect // a selector or an accept: for whatever comes
)

// phrase completes "which THREAD holds while it …".
func (k waitKind) phrase() string {
	return [...]string{
		waitUnknown:   "does what the dump does not tell",
		running:       "runs",
		waitMonitor:   "waits for a monitor",
		waitNotify:    "waits in Object.wait()",
		waitClassInit: "waits for a class to be initialised",
		waitExclusive: "waits for a lock",
		waitShared:    "waits for a read lock",
		waitPermit:    "waits for a permit",
		waitCondition: "waits for a condition",
		waitSignal:    "waits for a signal",
		waitFuture:    "waits for a result",
		waitHandoff:   "waits for a hand-over",
		waitWork:      "waits for work",
		waitPark:      "is parked",
		waitSleep:     "sleeps",
		waitIO:        "waits for I/O",
		waitSelect:    "waits for the network",
	}[k]
}

// forLock tells the waits that end when an owner gives something up: the edges
// of the wait-for graph.
func (k waitKind) forLock() bool {
	return k == waitMonitor || k == waitExclusive || k == waitShared || k == waitClassInit
}

// classify says what a thread waits for, and which of its locks that is (-1 if
// none is printed). The lock lines decide where there are any, then the state.
func classify(t *threaddump.Thread, frames *Stack, locks []lock) (waitKind, int) {
	if kind, i := byLockLine(t, frames, locks); i >= 0 {
		return kind, i
	}
	switch {
	case t.State == threaddump.Blocked && handedOver(locks):
		return running, -1
	case t.State == threaddump.Blocked:
		return waitMonitor, -1
	case t.Condition == inObjectWait && t.State == threaddump.Runnable:
		// The JVM waits natively; up to 16 no line says so.
		return waitClassInit, -1
	case t.StateDetail == "sleeping" || strings.HasPrefix(t.Condition, "sleeping") || frames.native == waitSleep,
		t.Virtual && frames.op.kind == opSleep:
		return waitSleep, -1
	case t.State == threaddump.Waiting || t.State == threaddump.TimedWaiting:
		if t.Condition == inObjectWait || t.StateDetail == "on object monitor" {
			return waitNotify, -1
		}
		return waitPark, -1
	case t.State == threaddump.Runnable || t.Carrying != 0 && len(frames.Frames) > 0:
		return frames.native, -1
	}
	return waitUnknown, -1
}

// inObjectWait is the header's condition of a thread in Object.wait().
const inObjectWait = "in Object.wait()"

// byLockLine finds the line that says what the thread waits for. In Object.wait()
// only the state tells whether the wait is over and the monitor wanted back: JDK 8
// prints "waiting on" for both, JDK 11 "waiting to re-lock" for both.
func byLockLine(t *threaddump.Thread, frames *Stack, locks []lock) (waitKind, int) {
	kind, at := waitUnknown, -1
	for i := range locks {
		switch locks[i].op {
		case threaddump.WaitingToLock:
			return waitMonitor, i
		case threaddump.WaitingOn, threaddump.WaitingToRelock:
			if at >= 0 && locks[at].address != 0 {
				continue // JDK 11 names the object in two lines
			}
			kind, at = waitNotify, i
			if t.State == threaddump.Blocked {
				kind = waitMonitor
			}
		case threaddump.Parking:
			kind, at = parkKind(locks[i].class, frames), i
		case threaddump.WaitingForClassInit:
			kind, at = waitClassInit, i
		}
	}
	return kind, at
}

// handedOver tells a thread that is BLOCKED though no line says on what, but has a
// monitor locked in its top frame: it has got that one just now, and stopped for the dump
// before its state could be set back.
func handedOver(locks []lock) bool {
	return slices.ContainsFunc(locks, func(l lock) bool { return l.op == threaddump.Locked && l.depth == 0 })
}

// parkRule says what it means to be parked on an object of a class.
type parkRule struct {
	prefix string
	kind   waitKind
}

const juc = "java.util.concurrent."

// parkRules lists the blockers of the JDK, 8 to 28; the first match holds.
var parkRules = [...]parkRule{
	{juc + "locks.ReentrantLock$", waitExclusive},
	{juc + "locks.ReentrantReadWriteLock$", waitExclusive},
	{juc + "locks.StampedLock", waitExclusive},
	{juc + "locks.AbstractQueuedSynchronizer$ConditionObject", waitCondition},
	{juc + "locks.AbstractQueuedLongSynchronizer$ConditionObject", waitCondition},
	{juc + "Semaphore$", waitPermit},
	{juc + "CountDownLatch$", waitSignal},
	{juc + "Phaser", waitSignal},
	{juc + "Exchanger", waitSignal},
	{juc + "FutureTask", waitFuture},
	{juc + "CompletableFuture", waitFuture},
	{juc + "ForkJoinTask", waitFuture},
	{juc + "SynchronousQueue", waitHandoff},
	{juc + "LinkedTransferQueue", waitHandoff},
	{juc + "ForkJoinPool", waitWork},
}

// parkKind tells by the blocker's class, and for locks and for synchronizers of
// unknown make by the method that queued the thread.
func parkKind(class string, frames *Stack) waitKind {
	for _, r := range parkRules {
		if !strings.HasPrefix(class, r.prefix) {
			continue
		}
		if r.kind == waitExclusive && frames.acquires == waitShared {
			return waitShared
		}
		return r.kind
	}
	switch frames.acquires {
	case waitUnknown:
		return waitPark
	case waitShared:
		return waitSignal // a latch of the program's own; locks that many read have other users too
	}
	return frames.acquires
}
