package iowaits

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// FromChild and toChild end the names of the classes by which the parent reads what a child
// process writes, and writes what it reads; whoever does holds the monitor.
const FromChild, toChild = "ProcessPipeInputStream", "ProcessPipeOutputStream"

// inChildPipe tells a thread in a read of a child process's output, or in a write of its
// input.
func inChildPipe(s *timeline.Sample) bool {
	pipe := map[stack.OpKind]string{stack.OpRead: FromChild, stack.OpWrite: toChild}[s.Stack.Op.Kind]
	return pipe != "" && slices.ContainsFunc(s.Locks,
		func(l timeline.Lock) bool { return strings.HasSuffix(l.Class, pipe) })
}

// OrphanedPipeAdvice is what to do about a reader whose child process has ended.
const OrphanedPipeAdvice = "Let what the child leaves behind write elsewhere (>/dev/null 2>&1), or redirect the " +
	"child's output to a file: " +
	"as long as one process has the pipe open, no end of it comes. Wait for its readers with a time limit."

// isOrphanedPipe reports that a thread reads what a child process writes that has ended: the
// JVM's reaper of it waits for the reader to let go of the pipe. What keeps that open is a
// process which the child has started. Where no child is left at all, it is so for every
// reader at the same place.
func isOrphanedPipe(f *timeline.Timeline, h *timeline.History) bool {
	m := f.LastMachine()
	return slices.ContainsFunc(f.Alive(), func(o *timeline.History) bool {
		same := o == h || m != nil && m.Children.Count == 0 && o.Last().Stack == h.Last().Stack
		return same && blocksReaper(f, o)
	})
}

// blocksReaper reports that over the capture the JVM waits to clear up the pipe that a thread
// reads from, as it does once the child has ended.
func blocksReaper(f *timeline.Timeline, h *timeline.History) bool {
	return slices.ContainsFunc(f.Alive(), func(o *timeline.History) bool {
		s := o.Last()
		return IsBlockedReaper(s) && h.Last().HeldLock(s.WaitsOn().Address) != nil && f.StandingStill(o).Long()
	})
}

// IsBlockedReaper tells the JVM's own thread that has seen a child process end and waits for its pipe.
func IsBlockedReaper(s *timeline.Sample) bool {
	return s.Wait == stack.WaitMonitor && s.WaitsOn() != nil &&
		strings.HasSuffix(s.Stack.Frames[0].Name(), FromChild+".processExited")
}
