package pooldeadlock

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// waitForThemselves are those of some stuck executors that are known to run the tasks which their
// workers wait for. A thread outside of them that runs a task of the same code may bring the result.
func waitForThemselves(f *pools.Pools, stuck []*pools.Pool) []*pools.Pool {
	if len(stuck) == 0 {
		return nil
	}
	beside := f.RunnersBeside(stuck)
	return slices.DeleteFunc(slices.Clone(stuck), func(p *pools.Pool) bool {
		return !submitsToItself(f.Timeline, p) || beside.MayBringResult(p)
	})
}

// submitsToItself reports that a worker runs, or ran in one of the dumps, a lambda of a method that
// stands on the stack of a worker which waits now. Of an inner class no dump tells which method
// made it, nor for which executor.
func submitsToItself(f *timeline.Timeline, p *pools.Pool) bool {
	tasks := map[*stack.Stack]bool{}
	for _, h := range p.Workers {
		for _, s := range h.Samples {
			tasks[s.Stack] = true
		}
	}
	asking := map[*stack.Stack]bool{}
	for _, h := range p.Busy {
		if forTask(h.Last()) {
			asking[h.Last().Stack] = true
		}
	}
	for waits := range asking {
		for task := range tasks {
			if waits.DefinesTask(task) {
				return true
			}
		}
	}
	return false
}
