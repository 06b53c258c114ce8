package hotthread

import (
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// dividedRest is what the others who work on the parts of a computation take of a core
// at least, as a part of what the busiest does: where it is alone, the rest is done, or
// its part never ends.
const dividedRest = 0.25

// portion is a sample of a thread that works on parts of a computation, and whose they
// are: the name pattern of the pool that it is divided among.
type portion struct {
	sample *timeline.Sample
	of     string
}

// portions are the busy threads that work on the parts of a computation that is divided
// among a fork-join pool: of a parallel stream, a parallel sort, a RecursiveTask. Those
// of a pool in which one works alone are left out. Who calls it takes parts too. They
// are done with one part after the other, though their stacks are alike; so are the
// workers of an executor whose results come one by one, and threads that a queue feeds
// (fed_threads.go).
func portions(f *pools.Pools) map[*timeline.History]portion {
	portions := map[*timeline.History]portion{}
	parts := parts(f.Timeline)
	for _, h := range fedThreads(f) {
		parts[h] = h.Dominant()
	}
	executors := map[*timeline.History]string{}
	for h := range parts {
		executors[h] = dividedAmong(f.Timeline, h, parts)
	}
	divided := divided(f.Timeline, executors)
	for h, s := range parts {
		if divided[executors[h]] {
			portions[h] = portion{s, executors[h]}
		}
	}
	for _, p := range f.Executors() {
		if isBatch(f.Timeline, p) {
			for _, h := range p.Busy {
				portions[h] = portion{h.Dominant(), p.Pattern}
			}
		}
	}
	return portions
}

// parts are the program's busy threads that work on parts, with the sample that shows it.
func parts(f *timeline.Timeline) map[*timeline.History]*timeline.Sample {
	parts := map[*timeline.History]*timeline.Sample{}
	for _, h := range f.Threads {
		s := h.Most(func(s *timeline.Sample) bool { return isPart(s.Stack) })
		if s != nil && h.Thread.Program() && h.Share().Value >= timeline.GroupShare {
			parts[h] = s
		}
	}
	return parts
}

// dividedAmong is the pool whose parts a thread takes: its own, and of a thread of no pool
// one in which the same is done.
func dividedAmong(f *timeline.Timeline, h *timeline.History, parts map[*timeline.History]*timeline.Sample) string {
	if isOfMany(h) {
		return pools.NamePattern(h.Thread.Name)
	}
	for _, other := range f.Threads { // in one order
		if s := parts[other]; s != nil && isOfMany(other) && s.Stack.Work() == parts[h].Stack.Work() {
			return pools.NamePattern(other.Thread.Name)
		}
	}
	return h.Thread.Name
}

// isOfMany tells a thread with a number in its name, as those of a pool have.
func isOfMany(h *timeline.History) bool { return pools.NamePattern(h.Thread.Name) != h.Thread.Name }

// divided are the pools, of threads that take parts, in which none works alone.
func divided(f *timeline.Timeline, executors map[*timeline.History]string) map[string]bool {
	sum, busiest := map[string]float64{}, map[string]float64{}
	for _, h := range f.Threads {
		of, ok := executors[h]
		if !ok {
			of = pools.NamePattern(h.Thread.Name)
		}
		share := h.Share().Value
		sum[of] += share
		busiest[of] = max(busiest[of], share)
	}
	divided := map[string]bool{}
	for _, of := range executors {
		divided[of] = sum[of]-busiest[of] >= dividedRest*busiest[of]
	}
	return divided
}

// isBatch tells an executor of several workers that are busy with the same work, all of
// them, while a thread that wants the results gets one after the other.
func isBatch(f *timeline.Timeline, p *pools.Pool) bool {
	if len(p.Workers) < 2 || len(p.Busy) < len(p.Workers) || !f.Measurable() {
		return false
	}
	work := p.Busy[0].Dominant().Stack.Work()
	for _, h := range p.Busy {
		if h.Share().Value < timeline.GroupShare || h.Dominant().Stack.Work() != work {
			return false
		}
	}
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		s := h.Last()
		return h.Thread.Program() && pools.WaitsForResult(s) && !s.Timed() && p.RunsAsWaited(s.Stack) && f.Woke(h)
	})
}

// isPart tells a task that waits for the parts it is divided into, or is one. Those of
// CompletableFuture stand alone.
func isPart(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		switch fr.Class {
		case stack.JUC + "CountedCompleter", stack.JUC + "RecursiveAction", stack.JUC + "RecursiveTask":
			return fr.Method == "exec"
		}
		return false
	})
}

// partsFinding reports a computation that fills the cores from its parts.
func partsFinding(f *timeline.Timeline, group []cpu.HotThread) finding.Candidate {
	c := hotFinding(f, group, finding.Info, finding.Likely)
	sum := 0.0
	for _, t := range group {
		sum += t.Share
	}
	c.Title = partsTitle(len(group), sum)
	return c
}
