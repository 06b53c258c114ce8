package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// stuckVirtual reports virtual threads in I/O, for whose end another thread waits.
//
// Rule: over the capture that thread stood in the close of an executor with a thread per
// task, or waited for its end or for that of a virtual thread; all tasks of such
// executors, or else all virtual threads, are in I/O, on connections that this process
// opened or in the call of a library's client, and no carrier has run one of them. Where
// the kernel does not tell which side opened them it is a hint, and so it is where a thread
// is joined whose whole job may be to read; a server that closes waits for its clients, and
// so it is where this side accepted them.
func (f *timeline) stuckVirtual() []candidate {
	v := f.virtualView()
	if v == nil || len(f.snaps) < ioDumps || !f.carriersRested() {
		return nil
	}
	waiter := f.awaitsVirtual()
	tasks := v.awaitedBy(waiter)
	side := f.polledSide()
	byLibrary := !slices.ContainsFunc(tasks, func(s *Sample) bool { return !s.asksByLibrary() })
	asks := byLibrary || side.isClient()
	if len(tasks) == 0 || side.File != "" && !asks || slices.ContainsFunc(tasks, func(s *Sample) bool { return !s.inVirtualIO() }) {
		return nil
	}
	result := Finding{
		Severity: Info, Confidence: Possible, Title: f.virtualIOTitle(tasks, waiter.last(), side.Peer),
		Advice:   "Look at the other end, and give the call a timeout.",
		Culprits: v.refs(inNameOrder(tasks)), Victims: []ThreadRef{f.ref(waiter.last())},
		Evidence: append(v.standEvidence(len(v.snaps)-1, tasks), f.placeEvidence(waiter)...),
	}
	reads := func(s *Sample) bool { return isReaderLoop(s.Stack) }
	if asks && (waiter.last().Stack.closesPerTask() || !slices.ContainsFunc(tasks, reads)) {
		result.Severity, result.Confidence = Warning, Likely
	}
	return []candidate{{Finding: result}}
}

func (f *timeline) virtualIOTitle(tasks []*Sample, waiter *Sample, peer string) string {
	kind, n := tasks[0].Stack.op.kind, sizeOf(tasks)
	what, call := toDo(kind), tasks[0].libraryCall()
	switch {
	case call != "" && !slices.ContainsFunc(tasks, func(s *Sample) bool { return s.libraryCall() != call }):
		what = "for the answer to " + call
	case slices.ContainsFunc(tasks, func(s *Sample) bool { return s.Stack.op.kind != kind }):
		what = "for I/O"
	case peer != "" && kind == opRead:
		what += " from " + peer
	case peer != "":
		what += " to " + peer
	}
	return fmt.Sprintf("%s %s %s, the same for %s, while %s waits for %s to end", Counted(n, "virtual thread"), verb(n, "waits", "wait"),
		what, seconds(f.wall().Value), waiter.Thread.called(), verb(n, "it", "them"))
}

// carriersRested reports that no worker which may run virtual threads used any CPU over
// a capture long enough: none of these threads has moved then.
func (f *timeline) carriersRested() bool {
	if wall := f.wall(); !wall.Known || wall.Value < ioLeast {
		return false
	}
	return !slices.ContainsFunc(f.alive(), func(h *history) bool {
		worker := strings.HasPrefix(h.thread.Name, "ForkJoinPool-") && strings.Contains(h.thread.Name, "-worker-")
		return (worker || carries(h.last())) && (!h.cpu.Known || h.cameRound())
	})
}

// awaitsVirtual is a thread that waits over the capture for virtual ones to end, nil if
// none does.
func (f *timeline) awaitsVirtual() *history {
	for _, h := range f.alive() {
		if h.thread.Role == threaddump.Application && h.last().Stack.awaitsVirtual() && f.standingStill(h).dumps == len(f.snaps) {
			return h
		}
	}
	return nil
}

func (s *Stack) awaitsVirtual() bool {
	return s.op.kind == opTermination && s.closesPerTask() || s.op.kind == opJoin && s.isInside("java.lang.VirtualThread", "joinNanos")
}

// closesPerTask tells a wait for the end of an executor with a thread per task.
func (s *Stack) closesPerTask() bool { return s.isInside(perTask, "awaitTermination") }

const perTask = juc + "ThreadPerTaskExecutor"

// awaitedBy are the virtual threads, one of which at least such a thread waits for.
func (f *timeline) awaitedBy(waiter *history) []*Sample {
	var all []*Sample
	if waiter == nil {
		return nil
	}
	byExecutor := waiter.last().Stack.closesPerTask()
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if s.Thread.Virtual && !s.Stack.polls() && (s.Thread.PerTask || !byExecutor) {
			all = append(all, s)
		}
	}
	return all
}

// inVirtualIO tells a virtual thread in a call that another process or host ends, or that
// waits for a library which makes such a call.
func (s *Sample) inVirtualIO() bool {
	switch s.Stack.op.kind {
	case opRead, opWrite, opConnect:
		return s.waits()
	}
	return s.asksByLibrary()
}
