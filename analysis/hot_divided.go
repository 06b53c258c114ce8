package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// dividedRest is what the others who work on the parts of a computation take of a core
// at least, as a part of what the busiest does: where it is alone, the rest is done, or
// its part never ends.
const dividedRest = 0.25

// portion is a sample of a thread that works on parts of a computation, and whose they
// are: the name pattern of the pool that it is divided among.
type portion struct {
	sample *Sample
	of     string
}

// portions are the busy threads that work on the parts of a computation that is divided
// among a fork-join pool: of a parallel stream, a parallel sort, a RecursiveTask. Those
// of a pool in which one works alone are left out. Who calls it takes parts too. They
// are done with one part after the other, though their stacks are alike; so are the
// workers of an executor whose results come one by one, and threads that a queue feeds
// (fed_threads.go).
func (f *poolFacts) portions() map[*history]portion {
	portions := map[*history]portion{}
	parts := f.parts()
	for _, h := range f.fedThreads() {
		parts[h] = h.dominant()
	}
	executors := map[*history]string{}
	for h := range parts {
		executors[h] = f.dividedAmong(h, parts)
	}
	divided := f.divided(executors)
	for h, s := range parts {
		if divided[executors[h]] {
			portions[h] = portion{s, executors[h]}
		}
	}
	for _, p := range f.executors() {
		if f.isBatch(p) {
			for _, h := range p.busy {
				portions[h] = portion{h.dominant(), p.pattern}
			}
		}
	}
	return portions
}

// parts are the program's busy threads that work on parts, with the sample that shows it.
func (f *timeline) parts() map[*history]*Sample {
	parts := map[*history]*Sample{}
	for _, h := range f.threads {
		s := h.most(func(s *Sample) bool { return s.Stack.isPart() })
		if s != nil && h.thread.program() && h.share().Value >= groupShare {
			parts[h] = s
		}
	}
	return parts
}

// dividedAmong is the pool whose parts a thread takes: its own, and of a thread of no pool
// one in which the same is done.
func (f *timeline) dividedAmong(h *history, parts map[*history]*Sample) string {
	if isOfMany(h) {
		return namePattern(h.thread.Name)
	}
	for _, other := range f.threads { // in one order
		if s := parts[other]; s != nil && isOfMany(other) && s.Stack.Work() == parts[h].Stack.Work() {
			return namePattern(other.thread.Name)
		}
	}
	return h.thread.Name
}

// isOfMany tells a thread with a number in its name, as those of a pool have.
func isOfMany(h *history) bool { return namePattern(h.thread.Name) != h.thread.Name }

// divided are the pools, of threads that take parts, in which none works alone.
func (f *timeline) divided(executors map[*history]string) map[string]bool {
	sum, busiest := map[string]float64{}, map[string]float64{}
	for _, h := range f.threads {
		of, ok := executors[h]
		if !ok {
			of = namePattern(h.thread.Name)
		}
		share := h.share().Value
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
func (f *timeline) isBatch(p *pool) bool {
	if len(p.workers) < 2 || len(p.busy) < len(p.workers) || !f.measurable() {
		return false
	}
	work := p.busy[0].dominant().Stack.Work()
	for _, h := range p.busy {
		if h.share().Value < groupShare || h.dominant().Stack.Work() != work {
			return false
		}
	}
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		return h.thread.program() && waitsForResult(s) && !s.timed() && p.runsAsWaited(s.Stack) && f.woke(h)
	})
}

// isPart tells a task that waits for the parts it is divided into, or is one. Those of
// CompletableFuture stand alone.
func (s *Stack) isPart() bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		switch fr.Class {
		case juc + "CountedCompleter", juc + "RecursiveAction", juc + "RecursiveTask":
			return fr.Method == "exec"
		}
		return false
	})
}

// partsFinding reports a computation that fills the cores from its parts.
func (f *timeline) partsFinding(group []hotThread) candidate {
	c := f.hotFinding(group, Info, Likely)
	sum := 0.0
	for _, t := range group {
		sum += t.share
	}
	c.Title = fmt.Sprintf("a computation is divided among %s, which %s %s", Counted(len(group), "thread"), verb(len(group), "takes", "take"), coresUsed(sum))
	return c
}
