package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// LikelyHolders returns the threads whose frames show that they hold what some threads wait for, if no line of the dump
// names an owner: read locks, stamps, permits, and locks of java.util.concurrent without -l.
//
// Rule: the holder is in a method that a waiter is in too, at a later line, or deeper at that line. A thread with
// nothing to do holds nothing. More than a few such threads prove nothing.
func (f *Locks) LikelyHolders(at int, waiters []*timeline.Sample) []*timeline.Sample {
	const few = 8
	var holders []*timeline.Sample
	asking := StacksOf(waiters)
	waits := make(map[*timeline.Sample]bool, len(waiters))
	for _, w := range waiters {
		waits[w] = true
	}
	for _, same := range f.busy[at]() {
		frames := same[0].Stack
		if !slices.ContainsFunc(asking, func(w *stack.Stack) bool { return isPast(w, frames) }) {
			continue
		}
		between := betweenRounds(frames, asking)
		for _, s := range same {
			if waits[s] || between && SleepsRepeatedly(f.Timeline, at, s) {
				continue
			}
			if holders = append(holders, s); len(holders) > few {
				return nil
			}
		}
	}
	return timeline.InNameOrder(holders)
}

// busyStacks returns the threads of a dump that may hold something, grouped by stack. Locks.busy computes them once per
// dump, because there may be as many locks as threads.
func busyStacks(snap *timeline.Snapshot) [][]*timeline.Sample {
	var groups [][]*timeline.Sample
	place := map[*stack.Stack]int{}
	for i := range snap.Samples {
		s := &snap.Samples[i]
		if !isBusy(s) {
			continue
		}
		n, seen := place[s.Stack]
		if !seen {
			n = len(groups)
			place[s.Stack] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], s)
	}
	return groups
}

// betweenRounds reports whether a stack sleeps in the method that it was started with, past a call in which others
// acquire: a loop has most likely released there what it acquired.
func betweenRounds(s *stack.Stack, asking []*stack.Stack) bool {
	return SleepsInStartMethod(s) && !slices.ContainsFunc(asking, func(w *stack.Stack) bool {
		return slices.ContainsFunc(w.WorkFrames(), func(a *threaddump.Frame) bool { return stack.InMethodOf(a, s) })
	})
}

// PausesInMain reports whether a main method only keeps its JVM alive: it sleeps, in its own class.
func PausesInMain(s *stack.Stack) bool {
	if s.Op.Kind != stack.OpSleep {
		return false
	}
	bottom := s.Frames[len(s.Frames)-1]
	return bottom.Method == "main" && !slices.ContainsFunc(s.Program(), func(f *threaddump.Frame) bool {
		return f.Class != bottom.Class
	})
}

// SleepsInStartMethod reports whether a stack sleeps in the method that it was started with.
func SleepsInStartMethod(s *stack.Stack) bool {
	return s.Op.Kind == stack.OpSleep && s.Root == nil && len(stack.WithoutStart(s.Program())) < 2
}

// SleepsRepeatedly reports whether a thread pauses repeatedly: it was woken since the last dump. If its CPU time is
// unknown, it may have been.
func SleepsRepeatedly(f *timeline.Timeline, at int, s *timeline.Sample) bool {
	if !SleepsInStartMethod(s.Stack) || len(f.Snaps) < 2 {
		return false
	}
	before := f.History(s).SampleAt(at - 1)
	if before == nil {
		before = f.History(s).SampleAt(at + 1)
	}
	if before == nil {
		return true
	}
	used := max(before.CPUTime, s.CPUTime) - min(before.CPUTime, s.CPUTime)
	return before.CPUTime == timeline.Unknown || s.CPUTime == timeline.Unknown || used > int64(timeline.WakeCost)
}

// StacksOf returns the different stacks of some threads, as many as are worth comparing.
func StacksOf(threads []*timeline.Sample) []*stack.Stack {
	const enough = 8
	var stacks []*stack.Stack
	for _, t := range timeline.InNameOrder(threads) {
		if len(stacks) < enough && !slices.Contains(stacks, t.Stack) {
			stacks = append(stacks, t.Stack)
		}
	}
	return stacks
}
