package exhausted

import (
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// standBy reports whether the waiters have no work in hand, and each holder only pauses and is not known to have been
// in one pause over the whole capture: one of several threads does the work, and the others wait for its turn to end.
func standBy(f *timeline.Timeline, x *exhaustion) bool {
	if len(x.holders) == 0 || len(x.greedy) > 0 || !ofProgram(x.Group) || slices.ContainsFunc(x.waiters, hasBegun) {
		return false
	}
	return !slices.ContainsFunc(x.holders, func(s *timeline.Sample) bool {
		h := f.History(s)
		return s.Stack.Op.Kind != stack.OpSleep || h.CPU.Known && f.NeverWoke(h)
	})
}

func gradeExhausted(f *timeline.Timeline, x *exhaustion) (finding.Severity, finding.Confidence) {
	confidence := finding.Likely
	switch {
	case x.evidence == resources.InTransaction, x.evidence == resources.InIO,
		x.evidence == resources.NoHolder && strings.HasPrefix(x.Key, "object"):
		confidence = finding.Possible
	}
	switch {
	case timeline.SizeOf(x.waiters) < 2:
	case locks.OneMoment(f) && (heldForOthers(f, x) || stopsPool(f, x)):
		return finding.Warning, confidence
	case locks.OneMoment(f), !waitThroughout(f, x.Group), turnsOverIn(f, x):
	case len(x.holders) > 0 || len(x.greedy) > 0:
		return finding.Warning, confidence
	case wereServed(f, x), mayBePaced(f, x.Group), ofProgram(x.Group) &&
		!slices.ContainsFunc(x.waiters, hasBegun):
	default:
		return finding.Warning, confidence
	}
	return finding.Info, finding.Possible
}

// roundCost is more CPU time than a waiting thread uses to check a few times, and less than a round of work with what
// it waited for.
const roundCost = 300 * time.Microsecond

// wereServed reports whether all waiters but one used CPU for a round of work from each dump to the next: they got what
// they waited for, and wait for the next one.
func wereServed(f *timeline.Timeline, x *exhaustion) bool {
	waiting := 0
	for _, s := range x.waiters {
		h := f.History(s)
		if h == nil || !h.CPU.Known || h.CPU.Value < roundCost*time.Duration(len(h.Samples)-1) {
			waiting++
		}
	}
	return waiting < 2
}

// heldForOthers reports whether a holder waits for others without a time limit. A read may be a query that is answered
// soon: then there must be at least as many waiters as holders.
func heldForOthers(f *timeline.Timeline, x *exhaustion) bool {
	if x.evidence == resources.InTransaction || x.evidence == resources.InIO {
		return false
	}
	few := timeline.SizeOf(x.waiters) < timeline.SizeOf(x.holders)
	return len(x.greedy) > 0 || slices.ContainsFunc(x.holders, func(h *timeline.Sample) bool {
		return locks.LimitOf(h) == locks.ByOthers && (!timeline.IsIO(h) || !few)
	})
}

// stopsPool reports whether all threads of a pool, at least three, wait without a time limit, in the middle of a task
// or in the pool of a library.
func stopsPool(f *timeline.Timeline, x *exhaustion) bool {
	waiting, size := map[string]int{}, map[string]int{}
	for _, s := range x.waiters {
		if !s.Timed() && (strings.HasPrefix(x.Key, "pool") || midTask(s.Stack)) {
			waiting[stack.PoolName(s.Thread.Name)]++
		}
	}
	for _, h := range f.Alive() {
		size[stack.PoolName(h.Thread.Name)]++
	}
	for pool, n := range waiting {
		if pool != "" && n >= locks.PoolWaiters && n == size[pool] {
			return true
		}
	}
	return false
}

// midTask reports whether a task of an executor is at least two calls of the program away from its start.
func midTask(s *stack.Stack) bool {
	return s.Root != nil && s.Root.Kind <= stack.RootForkJoin && len(stack.WithoutStart(s.Program())) > 1
}

// hasBegun reports whether a thread has work in hand: it runs a task, a library called it for a request or message, or
// it is in more than the method that it was started with.
func hasBegun(s *timeline.Sample) bool {
	if s.Stack.Root != nil {
		return s.Stack.Root.Kind <= stack.RootForkJoin
	}
	own := s.Stack.Program()
	if len(own) == 0 {
		return false
	}
	outermost := own[len(own)-1]
	if below := slices.Index(s.Stack.Frames, outermost) + 1; below < len(s.Stack.Frames) {
		if caller := s.Stack.Frames[below]; stack.OriginOf(caller) == stack.OfLibrary && !stack.IsStart(caller) {
			return true
		}
	}
	return len(own) > 2 || len(own) == 2 && outermost.Method != "run"
}

// turnsOverIn reports, for dumps that Java code wrote of virtual threads, whether a holder has only just got what the
// others wait for. Such dumps are so close together that most of a queue is in all of them although it moves.
func turnsOverIn(f *timeline.Timeline, x *exhaustion) bool {
	return f.Base != nil && slices.ContainsFunc(x.holders, func(s *timeline.Sample) bool {
		return f.Unchanged(f.History(s)).Dumps < len(f.Snaps)
	})
}

// mayBePaced reports whether threads each wait with a time limit in a method that, by its name, hands out something
// that is not returned, and were woken within the capture: a rate limiter makes them wait like that.
func mayBePaced(f *timeline.Timeline, g waits.Group) bool {
	return strings.HasPrefix(g.Key, "object") && !resources.CallsMethodNamed(g.Waiters[0].Last().Stack,
		resources.LendingMethods[:]) &&
		!slices.ContainsFunc(g.Waiters, func(w timeline.Still) bool {
			return w.Untimed() || f.NeverWoke(w.History)
		})
}

// waitThroughout reports whether at least two of the threads waited through the whole of a capture that is long enough:
// in a shorter time a permit may just be handed over. A thread whose wait has a time limit and that ran in between does
// not count: it got what it waited for.
func waitThroughout(f *timeline.Timeline, g waits.Group) bool {
	n := 0
	for _, w := range g.Waiters {
		n += finding.CountIf(w.Dumps == len(f.Snaps) && w.Long() &&
			(w.Untimed() || timeline.ProgressOf(f, w.History) != timeline.Moves))
	}
	return n >= 2
}
