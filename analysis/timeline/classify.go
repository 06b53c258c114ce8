package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// classify says what a thread waits for, and which of its locks that is (-1 if
// none is printed). The lock lines decide where there are any, then the state.
func classify(t *threaddump.Thread, frames *stack.Stack, locks []Lock) (stack.WaitKind, int) {
	if kind, i := byLockLine(t, frames, locks); i >= 0 {
		return kind, i
	}
	switch {
	case t.State == threaddump.Blocked && handedOver(locks):
		return stack.Running, -1
	case t.State == threaddump.Blocked:
		return stack.WaitMonitor, -1
	case t.Condition == stack.InObjectWait && t.State == threaddump.Runnable:
		// The JVM waits natively; up to 16 no line says so.
		return stack.WaitClassInit, -1
	case sleeps(t, frames):
		return stack.WaitSleep, -1
	case t.State == threaddump.Waiting || t.State == threaddump.TimedWaiting:
		if t.Condition == stack.InObjectWait || t.StateDetail == "on object monitor" {
			return stack.WaitNotify, -1
		}
		return stack.WaitPark, -1
	case t.State == threaddump.Runnable || t.Carrying != 0 && len(frames.Frames) > 0:
		return frames.Native, -1
	}
	return stack.WaitUnknown, -1
}

func sleeps(t *threaddump.Thread, frames *stack.Stack) bool {
	return t.StateDetail == "sleeping" || strings.HasPrefix(t.Condition, "sleeping") ||
		frames.Native == stack.WaitSleep || t.Virtual && frames.Op.Kind == stack.OpSleep
}

// byLockLine finds the line that says what the thread waits for. In Object.wait()
// only the state tells whether the wait is over and the monitor wanted back: JDK 8
// prints "waiting on" for both, JDK 11 "waiting to re-lock" for both.
func byLockLine(t *threaddump.Thread, frames *stack.Stack, locks []Lock) (stack.WaitKind, int) {
	kind, at := stack.WaitUnknown, -1
	for i := range locks {
		switch locks[i].Op {
		case threaddump.WaitingToLock:
			return stack.WaitMonitor, i
		case threaddump.WaitingOn, threaddump.WaitingToRelock:
			if at >= 0 && locks[at].Address != 0 {
				continue // JDK 11 names the object in two lines
			}
			kind, at = stack.WaitNotify, i
			if t.State == threaddump.Blocked {
				kind = stack.WaitMonitor
			}
		case threaddump.Parking:
			kind, at = parkKind(locks[i].Class, frames), i
		case threaddump.WaitingForClassInit:
			kind, at = stack.WaitClassInit, i
		}
	}
	return kind, at
}

// handedOver reports that a BLOCKED thread already holds the monitor that it waited for: no line names a
// monitor that it
// waits for, and its top frame locked one. The dump stopped it before its state was set back.
func handedOver(locks []Lock) bool {
	return slices.ContainsFunc(locks, func(l Lock) bool { return l.Op == threaddump.Locked && l.Depth == 0 })
}

// parkKind tells by the blocker's class, and for locks and for synchronizers of
// unknown make by the method that queued the thread.
func parkKind(class string, frames *stack.Stack) stack.WaitKind {
	for _, r := range stack.ParkRules {
		if !strings.HasPrefix(class, r.Prefix) {
			continue
		}
		if r.Kind == stack.WaitExclusive && frames.Acquires == stack.WaitShared {
			return stack.WaitShared
		}
		return r.Kind
	}
	switch frames.Acquires {
	case stack.WaitUnknown:
		return stack.WaitPark
	case stack.WaitShared:
		return stack.WaitSignal // a latch of the program's own; locks that many read have other users too
	}
	return frames.Acquires
}
