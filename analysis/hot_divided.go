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

// parts are the busy threads that work on the parts of a computation that is divided
// among a fork-join pool: of a parallel stream, a parallel sort, a RecursiveTask, each
// with the sample that shows it. Nil if one of them works alone. Who calls it takes
// parts too. They are done with one part after the other, though their stacks are alike;
// so are the workers of an executor whose results come one by one.
func (f *facts) parts() map[*history]*Sample {
	parts, pools := map[*history]*Sample{}, map[string]bool{}
	for _, h := range f.threads {
		s := h.most(func(s *Sample) bool { return s.Stack.isPart() })
		if s != nil && h.thread.program() && h.share().Value >= groupShare {
			parts[h] = s
			pools[namePattern(h.thread.Name)] = true
		}
	}
	sum, busiest := 0.0, 0.0
	for _, h := range f.threads {
		if parts[h] != nil || pools[namePattern(h.thread.Name)] {
			sum += h.share().Value
			busiest = max(busiest, h.share().Value)
		}
	}
	if sum-busiest < dividedRest*busiest || len(parts) == 0 {
		parts = map[*history]*Sample{}
	}
	for _, p := range f.executors() {
		if f.isBatch(p) {
			for _, h := range p.busy {
				parts[h] = h.dominant()
			}
		}
	}
	return parts
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
