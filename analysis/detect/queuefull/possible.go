package queuefull

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// possibleConsumer returns the only busy thread, apart from the producers, in the classes around the one that puts: in
// its outermost class, else in its package. It must be unchanged over several dumps in I/O that a peer ends. Nil if
// there is no such thread, or more than one.
func possibleConsumer(f *facts.Facts, producers []*timeline.Sample) *timeline.Sample {
	by := producers[0].Stack.Op.Caller
	if len(f.Timeline.Snaps) < 2 || by == nil || stack.OriginOf(by) != stack.OfApplication {
		return nil
	}
	near := nearestOf(f, producers, func(fr *threaddump.Frame) bool {
		return stack.Outermost(fr.Class) == stack.Outermost(by.Class)
	})
	if len(near) == 0 {
		near = nearestOf(f, producers, func(fr *threaddump.Frame) bool {
			return stack.PackageOf(fr.Class) == stack.PackageOf(by.Class) && stack.PackageOf(by.Class) != ""
		})
	}
	if len(near) != 1 || !timeline.IsIO(near[0]) || locks.LimitOf(near[0]) != locks.ByOthers ||
		!f.Timeline.IsUnchanged(f.Timeline.History(near[0])) {
		return nil
	}
	return near[0]
}

// nearestOf returns the busy threads, apart from the producers, with a frame of the program that is near the queue. A
// thread that waits for room itself, or is in a method in which a producer puts, is a producer as well.
func nearestOf(f *facts.Facts, producers []*timeline.Sample, isNear func(*threaddump.Frame) bool) []*timeline.Sample {
	var found []*timeline.Sample
	giving := locks.StacksOf(producers)
	last := f.Timeline.Last()
	for i := range last.Samples {
		s := &last.Samples[i]
		if !resources.IsBusy(s) || !slices.ContainsFunc(s.Stack.Program(), isNear) || slices.Contains(producers, s) ||
			resources.HasWaitedForRoom(f.Timeline, s, producers[0]) {
			continue
		}
		puts := slices.ContainsFunc(giving, func(p *stack.Stack) bool {
			return resources.PutsInSameMethod(p, s.Stack)
		})
		if !puts {
			found = append(found, s)
		}
	}
	return found
}
