package timeline

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// IdleRule is the row of IdleTable that the thread's position fits. It is nil if no row fits, or if the row is for a
// place that looks idle and is not.
func (s *Sample) IdleRule() *stack.IdleRule {
	r := s.Position()
	if r == nil || r.Not || s.State == threaddump.Blocked && !s.notified() {
		return nil
	}
	return r
}

// Position is the row of IdleTable that the thread's stack fits, or nil.
func (s *Sample) Position() *stack.IdleRule {
	if s.Thread.Name == "main" {
		return s.Stack.IdleRuleAsMain
	}
	return s.Stack.IdleRule
}

// notified reports whether a thread was woken from its own wait() and waits to reacquire the monitor.
func (s *Sample) notified() bool {
	return s.Wait == stack.WaitMonitor && s.Stack.Op.Kind == stack.OpNotify
}

// Idle reports whether the thread has nothing to do at the end of the capture, by its position. A thread that uses CPU
// over the capture is not idle.
func (h *History) Idle() bool {
	return h.Last().IdleRule() != nil && !h.Works()
}

// SurelyIdle is Idle at a place where a thread waits only if it has nothing to do (column "certain" of idle.tsv).
func (h *History) SurelyIdle() bool { return h.Idle() && h.Last().IdleRule().Certain }

// AtRest is Idle for a thread that is not in the middle of work. A main thread is in the middle of work if it holds a
// lock of the program, or waits for a child process in a method that main called. A main thread that waits for its
// child in main itself only launched it.
func (h *History) AtRest() bool {
	s := h.Last()
	switch {
	case !h.Idle():
		return false
	case s.IdleRule().What != "main":
		return true
	}
	first := s.Stack.Application
	return !s.HoldsOwnLock() && (s.Stack.Op.Kind != stack.OpProcess || first == nil || first.Method == "main")
}

// HoldsOwnLock reports whether a thread holds a monitor that the application entered, or a lock in which the JDK does
// no I/O.
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

// observers are the methods by which a thread of the JVM takes a dump of all threads: those of the management beans,
// which JMX clients, actuators and agents call, of the flight recorder, and of the JDK itself.
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

// TakesDump reports whether the thread takes the dump. That it runs says nothing about the program.
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
