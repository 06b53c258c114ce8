package analysis

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// UnseenVMThreads is the entry of Capture.Unseen for the threads of the JVM itself: GC threads and the VM thread.
const UnseenVMThreads = "vm-threads"

// leastHalted is over how long a thread must be runnable without CPU to count as halted.
const leastHalted = 1.0 // seconds

// halted is the threads of the program that every dump shows RUNNABLE in Java code at one place, without CPU in
// between, where the dumps show nothing of the JVM itself. A garbage collection may hold them, or other processes may
// have the CPUs; neither is in such dumps, as in those that jstall reads from the memory of a JVM that does not answer.
func halted(f *timeline.Timeline) []*timeline.History {
	wall := f.Wall()
	if len(f.Snaps) < 2 || !wall.Known || wall.Value.Seconds() < leastHalted ||
		slices.ContainsFunc(f.Snaps, showsVM) {
		return nil
	}
	var found []*timeline.History
	for _, h := range f.Alive() {
		s := h.Last()
		runs := s.State == threaddump.Runnable && s.Wait == stack.Running && len(s.Stack.Frames) > 0 &&
			!s.Stack.Frames[0].Native && !s.TakesDump()
		if runs && h.Thread.Role == threaddump.Application && !h.Thread.Virtual && h.CPU.Known && f.IsUnchanged(h) {
			found = append(found, h)
		}
	}
	return found
}

// showsVM reports whether a reading shows what the JVM itself does, by its threads, its counters or the kernel. Other
// JVMs than HotSpot, and dumps that Java code writes, have no such threads.
func showsVM(s *timeline.Snapshot) bool {
	if s.JVM == "" || s.Counters != nil || len(s.Tasks) > 0 {
		return true
	}
	return slices.ContainsFunc(s.Samples, func(t timeline.Sample) bool {
		return t.Thread.Role == threaddump.GC || t.Thread.Role == threaddump.VM
	})
}

// haltedWords describes halted threads, and what the dumps do not show.
func haltedWords(f *timeline.Timeline, threads []*timeline.History) string {
	first := threads[0]
	text := first.Thread.Called()
	if n := len(threads) - 1; n > 0 {
		text += " and " + finding.Counted(n, "more thread")
	}
	text += finding.Verb(len(threads), " is", " are") + " RUNNABLE without CPU for " + finding.Seconds(f.Wall().Value)
	if frame := first.Last().Stack.Lead(); frame != nil {
		text += " in " + withoutPackages(frame.Name())
	}
	return text + "; GC and VM threads not shown"
}

// What a reader can do about dumps without the threads of the JVM itself.
const (
	haltedWay    = "run jstall PID"
	haltedRemedy = "run jstall PID: it shows garbage collections and other processes that use the CPUs; or look into " +
		"the JVM's GC log"
)

// noteHalted reports threads without CPU as the error of a report whose verdict depends on them.
func (r *Report) noteHalted(f *timeline.Timeline) {
	if threads := halted(f); len(threads) > 0 {
		r.Error = &Failure{Message: haltedWords(f, threads), Remedy: haltedRemedy}
		r.Capture.Unseen = append(r.Capture.Unseen, UnseenVMThreads)
	}
}
