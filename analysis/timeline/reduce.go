package timeline

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

func countLocks(threads []*threaddump.Thread) int {
	n := 0
	for _, t := range threads {
		n += len(t.Locks) + len(t.MountedLocks)
	}
	return n
}

// fill reduces a thread; it appends the thread's locks to the arena.
func (s *Sample) fill(t *threaddump.Thread, in *interner, arena []Lock) []Lock {
	start := len(arena)
	for _, l := range t.MountedLocks {
		arena = append(arena, shortLock(l, 0, in))
	}
	for _, l := range t.Locks {
		arena = append(arena, shortLock(l, len(t.MountedStack), in))
	}
	// Field by field, because a literal would be built elsewhere and copied.
	s.Thread = in.thread(Thread{
		ID: t.ID, TID: t.TID, NativeID: t.NativeID, Name: t.Name,
		Role: t.Role(), Daemon: t.Daemon, Virtual: t.Virtual, Unnumbered: t.Unnumbered, ScopeOwner: t.ScopeOwner,
	})
	s.Stack, s.State = in.stack(CallStack(t)), t.State
	s.Locks = arena[start:len(arena):len(arena)]
	s.CPUTime, s.Age, s.Allocated = known(t.CPU), known(t.Elapsed), known(t.Allocated)
	s.Classes, s.runQueue, s.Turns = known(t.DefinedClasses), Unknown, Unknown
	s.Carrier, s.Unread = max(t.Carrying, t.Carrier), t.Unread != "" && len(t.Stack) == 0
	s.Line, s.stackLine, s.alike = int32(t.Line), int32(t.StackLine), int32(t.Alike)
	kind, at := classify(t, s.Stack, s.Locks)
	s.Wait, s.waitLock = kind, int16(at)
	s.inWait = t.Condition == stack.InObjectWait && kind != stack.WaitClassInit || kind == stack.WaitNotify
	return arena
}

// CallStack is the stack that a reader wants to see: the frames of the virtual thread that a carrier runs, above the
// carrier's own.
func CallStack(t *threaddump.Thread) []*threaddump.Frame {
	if len(t.MountedStack) == 0 {
		return t.Stack
	}
	all := make([]*threaddump.Frame, 0, len(t.MountedStack)+len(t.Stack))
	return append(append(all, t.MountedStack...), t.Stack...)
}

func shortLock(l threaddump.Lock, below int, in *interner) Lock {
	depth := l.Depth
	if depth >= 0 {
		depth += below
	}
	return Lock{
		Class: in.string(l.Class), Address: l.Address, Owner: l.Owner,
		line: int32(l.Line), Depth: int16(depth), Op: l.Op, Blocks: int32(l.Blocks),
	}
}

func known[T ~int64](o Opt[T]) int64 {
	if !o.Known {
		return Unknown
	}
	return int64(o.Value)
}

// addTask adds the kernel's figures of the thread that the dump lacks.
func (s *Sample) addTask(tasks map[int64]Task) {
	if len(tasks) == 0 || s.Thread.NativeID == 0 {
		return
	}
	task, ok := tasks[s.Thread.NativeID]
	if !ok {
		return
	}
	s.runQueue, s.Turns = known(task.RunQueue), known(task.Turns)
	if s.CPUTime == Unknown {
		s.CPUTime = int64(task.CPU)
	}
}

// inferredState is the state of a virtual thread if the dump shows none (JDK 21 to 24), by the method in which it
// unmounted or would have unmounted. It is unknown for one that runs or enters a monitor.
func inferredState(frames []*threaddump.Frame) threaddump.State {
	if len(frames) == 0 {
		return threaddump.Runnable // it has not run yet
	}
	state := threaddump.StateUnknown
	for _, f := range frames[:min(6, len(frames))] {
		switch {
		case f.Class == "java.lang.Object" && strings.HasPrefix(f.Method, "wait"):
			return threaddump.Waiting
		case f.Class != "java.lang.VirtualThread":
			continue
		case strings.HasSuffix(f.Method, "Nanos"):
			return threaddump.TimedWaiting
		case strings.HasPrefix(f.Method, "park"):
			state = threaddump.Waiting
		case strings.HasPrefix(f.Method, "tryYield"), strings.HasPrefix(f.Method, "runContinuation"):
			return threaddump.Runnable
		}
	}
	return state
}

// withState is the thread with the state inferred from its stack, if the dump has none.
func withState(t *threaddump.Thread) *threaddump.Thread {
	if !t.Virtual || t.State != threaddump.StateUnknown {
		return t
	}
	inferred := *t
	inferred.State = inferredState(t.Stack)
	return &inferred
}

// classify finds what a thread waits for, and which of its locks that is (-1 if none is printed). Lock lines decide if
// there are any, then the state.
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
		// The JVM waits natively; up to JDK 16 no line shows it.
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

// byLockLine finds the line of what the thread waits for. In Object.wait() only the state shows whether the wait is
// over and the thread waits for the monitor: JDK 8 prints "waiting on" for both, JDK 11 "waiting to re-lock" for both.
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
			if isStale(t) {
				continue
			}
			kind, at = parkKind(locks[i].Class, frames), i
		case threaddump.WaitingForClassInit:
			kind, at = stack.WaitClassInit, i
		}
	}
	return kind, at
}

// isStale reports whether the blocker of a park that is over is still printed: the thread runs, or is in another wait.
// The JVM prints the field of each thread, and ForkJoinPool of JDK 17 leaves it set when a worker goes on.
func isStale(t *threaddump.Thread) bool {
	if t.Virtual || len(t.Stack) == 0 || strings.HasPrefix(t.Stack[0].Method, "park") {
		return false
	}
	otherWait := t.StateDetail == "sleeping" || t.StateDetail == "on object monitor"
	return t.State == threaddump.Runnable || t.State == threaddump.Blocked || otherWait
}

// handedOver reports whether a BLOCKED thread already holds the monitor that it waited for: no line names a monitor
// that it waits for, and its top frame locked one. The dump stopped it before its state was updated.
func handedOver(locks []Lock) bool {
	return slices.ContainsFunc(locks, func(l Lock) bool { return l.Op == threaddump.Locked && l.Depth == 0 })
}

// parkKind finds the kind of a wait by the blocker's class. For locks and for unknown synchronizers it uses the method
// that queued the thread.
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
	case stack.WaitExclusive:
		if frames.IdleRule != nil && frames.IdleRule.Not && frames.IdleRule.What == "pool" {
			return stack.WaitPermit // a pool's own synchronizer, as Agroal's: it counts objects and has no owner
		}
	case stack.WaitShared:
		return stack.WaitSignal // a latch of the program; a read lock would have writers too
	}
	return frames.Acquires
}
