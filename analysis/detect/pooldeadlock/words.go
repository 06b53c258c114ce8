package pooldeadlock

import (
	"fmt"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func poolDeadlockTitle(group []*pools.Pool, workers int) string {
	first := group[0].Busy[0]
	where := ""
	switch op := first.Last().Stack.Op; op.Kind {
	case stack.OpBarrier:
		where = " at a " + stack.BarrierOf(op)
	case stack.OpLatch:
		where = " at a latch"
	}
	if workers == 1 {
		return fmt.Sprintf("%s, the only worker of its executor, waits%s for a task of the same executor",
			first.Thread.Called(), where)
	}
	same := "the same executor"
	if len(group) > 1 {
		same = "the same executors"
	}
	return fmt.Sprintf("%s of %s wait%s for tasks of %s", finding.AllWords(workers, "worker"), poolsOf(group), where, same)
}

// poolsOf names an executor, or counts several.
func poolsOf(group []*pools.Pool) string {
	if len(group) > 1 {
		return finding.Counted(len(group), "executor")
	}
	return finding.ExecutorNamed(group[0].Pattern)
}

func poolDeadlockAdvice(workers []*timeline.History) string {
	const inTask = "Do not wait in a task for another task of the same executor: "
	switch workers[0].Last().Stack.Op.Kind {
	case stack.OpBarrier:
		return "Give the executor as many workers as the barrier has parties: all parties must run at the same time."
	case stack.OpLatch:
		return inTask + "give the inner tasks their own executor, or set more workers than tasks that wait."
	}
	advice := inTask + "chain them, or give the inner tasks their own executor."
	if shareTasks(workers) {
		advice += " Several wait for one task: check that it was submitted."
	}
	return advice
}

// shareTasks reports that several wait for one and the same task, which may be in no queue.
func shareTasks(workers []*timeline.History) bool {
	awaited := map[uint64]bool{}
	for _, h := range workers {
		l := h.Last().WaitsOn()
		if l == nil || l.Address == 0 || !pools.WaitsForFutureTask(h.Last().Stack) {
			return false
		}
		if awaited[l.Address] {
			return true
		}
		awaited[l.Address] = true
	}
	return false
}

// callbackTitle words a client's executor whose workers wait in callbacks for the same client.
func callbackTitle(p *pools.Pool) string {
	first := p.Busy[0].Last()
	if len(p.Busy) == 1 {
		return fmt.Sprintf("%s, the only worker of its client's executor, waits in a callback for the answer to %s "+
			"of the same library", first.Thread.Called(), first.LibraryCall())
	}
	return fmt.Sprintf("%s of %s, the executor of a client, wait in callbacks for answers to %s of the same library",
		finding.AllWords(len(p.Busy), "worker"), poolsOf([]*pools.Pool{p}), first.LibraryCall())
}

const callbackAdvice = "Do not wait in a callback of a client for an answer of the same client: chain the calls, " +
	"or use another client for the second one."
