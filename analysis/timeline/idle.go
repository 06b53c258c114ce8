package timeline

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Resting is the row of the table that the thread's position fits, nil if none or
// if it is one that looks idle and is not.
func (s *Sample) Resting() *stack.RestRule {
	r := s.Position()
	if r == nil || r.Not || s.State == threaddump.Blocked && !s.notified() {
		return nil
	}
	return r
}

// Position is the row of the table that the thread's stack fits, nil if none.
func (s *Sample) Position() *stack.RestRule {
	if s.Thread.Name == "main" {
		return s.Stack.RestAsMain
	}
	return s.Stack.Rest
}

// notified reports whether a thread was woken from its own wait() and waits to reacquire the monitor.
func (s *Sample) notified() bool {
	return s.Wait == stack.WaitMonitor && s.Stack.Op.Kind == stack.OpNotify
}

// Idle reports that the thread has nothing to do at the end of the capture, as far
// as its position tells. One that uses CPU over the capture has.
func (h *History) Idle() bool {
	return h.Last().Resting() != nil && !h.Works()
}

// SurelyIdle is Idle at a place where a thread waits only if it has nothing to do (column "certain" of idle.tsv).
func (h *History) SurelyIdle() bool { return h.Idle() && h.Last().Resting().Certain }

// AtRest is Idle of a thread that is not in the middle of work. A main is: it holds a lock that the program took, or
// waits for a child process in a method that main called. One that waits for its child in main itself launched it.
func (h *History) AtRest() bool {
	s := h.Last()
	switch {
	case !h.Idle():
		return false
	case s.Resting().What != "main":
		return true
	}
	first := s.Stack.Application
	return !s.HoldsOwnLock() && (s.Stack.Op.Kind != stack.OpProcess || first == nil || first.Method == "main")
}

// HoldsOwnLock reports that a thread holds a monitor that the application entered, or a lock in which no I/O of the JDK
// is done.
func (s *Sample) HoldsOwnLock() bool {
	return slices.ContainsFunc(s.Locks, func(l Lock) bool {
		if s.HeldLock(l.Address) == nil {
			return false
		}
		switch at := int(l.Depth); l.Op {
		case threaddump.Locked:
			return at >= 0 && at < len(s.Stack.Frames) && slices.Contains(s.Stack.Program(), s.Stack.Frames[at])
		case threaddump.OwnsSynchronizer:
			return strings.HasPrefix(l.Class, stack.JUC+"locks.") && !IsIO(s)
		}
		return false
	})
}

// observers are the methods by which a thread of the JVM takes a dump of all threads: of the
// management beans, which JMX clients, actuators and agents call, of the flight recorder, and of the JDK itself.
var observers = [...]string{
	"sun.management.ThreadImpl.dumpThreads0", "sun.management.ThreadImpl.getThreadInfo",
	"sun.management.ThreadImpl.findDeadlockedThreads0", "sun.management.ThreadImpl.findMonitorDeadlockedThreads0",
	"java.lang.Thread.dumpThreads", "java.lang.Thread.getAllStackTraces",
	"sun.management.DiagnosticCommandImpl.executeDiagnosticCommand",
	"com.sun.management.internal.DiagnosticCommandImpl.executeDiagnosticCommand",
	"sun.management.ManagementFactoryHelper", "jdk.internal.vm.ThreadSnapshot.",
	"jdk.internal.vm.ThreadDumper.", "sun.tools.attach.", "jdk.internal.agent.",
	"jdk.jfr.internal.JVM.emitEvent",
}

// TakesDump reports that the thread takes the dump: that it runs says nothing of the program.
func (s *Sample) TakesDump() bool {
	const top = 6
	frames := s.Stack.Frames
	for _, f := range frames[:min(top, len(frames))] {
		if slices.ContainsFunc(observers[:], func(o string) bool { return strings.HasPrefix(f.Name(), o) }) {
			return true
		}
	}
	return false
}
