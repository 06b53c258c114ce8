package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

func countLocks(threads []*threaddump.Thread) int {
	n := 0
	for _, t := range threads {
		n += len(t.Locks) + len(t.MountedLocks)
	}
	return n
}

// fill reduces a thread; its locks go to the end of the arena.
func (s *Sample) fill(t *threaddump.Thread, in *interner, arena []Lock) []Lock {
	start := len(arena)
	for _, l := range t.MountedLocks {
		arena = append(arena, shortLock(l, 0, in))
	}
	for _, l := range t.Locks {
		arena = append(arena, shortLock(l, len(t.MountedStack), in))
	}
	// Field by field: a literal would be built elsewhere and copied.
	s.Thread = in.thread(Thread{
		ID: t.ID, TID: t.TID, NativeID: t.NativeID, Name: t.Name,
		Role: t.Role(), Daemon: t.Daemon, Virtual: t.Virtual, Unnumbered: t.Unnumbered, ScopeOwner: t.ScopeOwner,
		PerTask: strings.HasPrefix(t.Container, PerTask),
	})
	s.Stack, s.State = in.stack(CallStack(t)), t.State
	s.Locks = arena[start:len(arena):len(arena)]
	s.CPUTime, s.Age, s.Allocated = known(t.CPU), known(t.Elapsed), known(t.Allocated)
	s.Classes, s.runQueue, s.Turns = known(t.DefinedClasses), Unknown, Unknown
	s.Carrier = max(t.Carrying, t.Carrier)
	s.Line, s.stackLine, s.alike = int32(t.Line), int32(t.StackLine), int32(t.Alike)
	kind, at := classify(t, s.Stack, s.Locks)
	s.Wait, s.waitLock = kind, int16(at)
	s.inWait = t.Condition == stack.InObjectWait && kind != stack.WaitClassInit || kind == stack.WaitNotify
	return arena
}

// CallStack is the stack a reader wants to see: that of the virtual thread which
// a carrier runs, on top of the carrier's own.
func CallStack(t *threaddump.Thread) []*threaddump.Frame {
	if len(t.MountedStack) == 0 {
		return t.Stack
	}
	all := make([]*threaddump.Frame, 0, len(t.MountedStack)+len(t.Stack))
	return append(append(all, t.MountedStack...), t.Stack...)
}

// PerTask begins the names of executors that start a thread for each task.
const PerTask = stack.JUC + "ThreadPerTaskExecutor"

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

// addTask fills in what the kernel says of the thread where the dump is silent.
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

// inferredState is the state of a virtual thread where the dump tells none (21 to 24):
// by the method that it gave up its carrier in, or would have if it could. Unknown
// for one that runs or enters a monitor.
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

// withState is the thread with the state that its stack tells, where the dump does
// not.
func withState(t *threaddump.Thread) *threaddump.Thread {
	if !t.Virtual || t.State != threaddump.StateUnknown {
		return t
	}
	inferred := *t
	inferred.State = inferredState(t.Stack)
	return &inferred
}

// ShowsCarriers reports that a text dump shows virtual threads, or what the JVM
// runs them with: a carrier, the threads that wake them, a thread that waits for
// one, and up to 24, where an idle carrier looks like any idle worker, the first
// fork-join pool.
func ShowsCarriers(d *threaddump.Dump) bool {
	major := MajorOf(d.Version)
	if major > 0 && major < 21 {
		return false
	}
	for _, t := range d.Threads {
		switch {
		case t.Carrying != 0, t.Virtual, strings.HasPrefix(t.Name, "VirtualThread-un"),
			slices.ContainsFunc(t.Stack, servesVirtual):
			return true
		case major < 25 && strings.HasPrefix(t.Name, "ForkJoinPool-1-worker-") &&
			stack.ApplicationFrame(t.Stack) == nil:
			return true
		}
	}
	return false
}

// servesVirtual tells frames of threads that run virtual threads or wait for them.
func servesVirtual(f *threaddump.Frame) bool {
	return f.Class == "java.lang.VirtualThread" || f.Class == stack.JUC+"ThreadPerTaskExecutor" ||
		f.Class == "jdk.internal.misc.ThreadFlock"
}
