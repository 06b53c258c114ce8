package iowait

import (
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
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
func stuckVirtual(f *timeline.Timeline) []finding.Candidate {
	v := timeline.WithVirtualThreads(f)
	if v == nil || len(f.Snaps) < iowaits.IODumps || !timeline.CarriersRested(f) {
		return nil
	}
	waiter := awaitsVirtual(f)
	tasks := awaitedBy(v, waiter)
	side := iowaits.PolledSide(f)
	byLibrary := !slices.ContainsFunc(tasks, func(s *timeline.Sample) bool { return !s.AsksByLibrary() })
	asks := byLibrary || side.IsClient()
	if len(tasks) == 0 || side.File != "" && !asks || slices.ContainsFunc(tasks, func(s *timeline.Sample) bool {
		return !inVirtualIO(s)
	}) {
		return nil
	}
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible, Title: virtualIOTitle(f, tasks, waiter.Last(), side.Peer),
		Advice:   virtualIOAdvice,
		Culprits: v.Refs(timeline.InNameOrder(tasks)), Victims: []finding.ThreadRef{f.Ref(waiter.Last())},
		Evidence: append(v.StandEvidence(len(v.Snaps)-1, tasks), f.PlaceEvidence(waiter)...),
	}
	reads := func(s *timeline.Sample) bool { return iowaits.IsReaderLoop(s.Stack) }
	if asks && (closesPerTask(waiter.Last().Stack) || !slices.ContainsFunc(tasks, reads)) {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return []finding.Candidate{{Finding: result}}
}

// awaitsVirtual is a thread that waits over the capture for virtual ones to end, nil if
// none does.
func awaitsVirtual(f *timeline.Timeline) *timeline.History {
	for _, h := range f.Alive() {
		if h.Thread.Role == threaddump.Application && stackAwaitsVirtual(h.Last().Stack) &&
			f.StandingStill(h).Dumps == len(f.Snaps) {
			return h
		}
	}
	return nil
}

func stackAwaitsVirtual(s *stack.Stack) bool {
	return s.Op.Kind == stack.OpTermination && closesPerTask(s) ||
		s.Op.Kind == stack.OpJoin && s.IsInside("java.lang.VirtualThread", "joinNanos")
}

// closesPerTask tells a wait for the end of an executor with a thread per task.
func closesPerTask(s *stack.Stack) bool { return s.IsInside(timeline.PerTask, "awaitTermination") }

// awaitedBy are the virtual threads, one of which at least such a thread waits for.
func awaitedBy(f *timeline.Timeline, waiter *timeline.History) []*timeline.Sample {
	var all []*timeline.Sample
	if waiter == nil {
		return nil
	}
	byExecutor := closesPerTask(waiter.Last().Stack)
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if s.Thread.Virtual && !iowaits.Polls(s.Stack) && (s.Thread.PerTask || !byExecutor) {
			all = append(all, s)
		}
	}
	return all
}

// inVirtualIO tells a virtual thread in a call that another process or host ends, or that
// waits for a library which makes such a call.
func inVirtualIO(s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect:
		return s.Waits()
	}
	return s.AsksByLibrary()
}
