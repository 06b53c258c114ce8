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
// workers of an executor whose results come one by one.
func (f *facts) portions() map[*history]portion {
	portions := map[*history]portion{}
	for _, h := range f.threads {
		s := h.most(func(s *Sample) bool { return s.Stack.isPart() })
		if s != nil && h.thread.program() && h.share().Value >= groupShare {
			portions[h] = portion{s, namePattern(h.thread.Name)}
		}
	}
	for h, p := range portions {
		p.of = f.calledPool(h, portions)
		portions[h] = p
	}
	divided := f.divided(portions)
	for h, p := range portions {
		if !divided[p.of] {
			delete(portions, h)
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

// calledPool is the pool whose parts a thread of no pool takes: one that does the same.
func (f *facts) calledPool(h *history, portions map[*history]portion) string {
	own := portions[h]
	if own.of != h.thread.Name {
		return own.of
	}
	for _, other := range f.threads { // in one order
		if p, ok := portions[other]; ok && other != h && p.of != other.thread.Name && p.sample.Stack.Work() == own.sample.Stack.Work() {
			return p.of
		}
	}
	return own.of
}

// divided are the pools of some portions in which none works alone.
func (f *facts) divided(portions map[*history]portion) map[string]bool {
	sum, busiest := map[string]float64{}, map[string]float64{}
	for _, h := range f.threads {
		of := namePattern(h.thread.Name)
		if p, ok := portions[h]; ok {
			of = p.of
		}
		share := h.share().Value
		sum[of] += share
		busiest[of] = max(busiest[of], share)
	}
	divided := map[string]bool{}
	for _, p := range portions {
		divided[p.of] = sum[p.of]-busiest[p.of] >= dividedRest*busiest[p.of]
	}
	return divided
}

// isBatch tells an executor of several workers that are busy with the same work, all of
// them, while a thread that wants the results gets one after the other.
func (f *facts) isBatch(p *pool) bool {
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
		return h.thread.program() && waitsForResult(s) && !s.timed() && p.runsAsWaited(s.Stack) && h.cpu.Known && !f.neverWoke(h)
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
func (f *facts) partsFinding(group []hotThread) candidate {
	c := f.hotFinding(group, Info, Likely)
	sum := 0.0
	for _, t := range group {
		sum += t.share
	}
	c.Title = fmt.Sprintf("a computation is divided among %s, which %s %s", Counted(len(group), "thread"), verb(len(group), "takes", "take"), coresUsed(sum))
	return c
}
