package locks

import (
	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// closeQueued adds the waits for tasks that no worker is left to run, as read from the JVM's memory: the task is in the
// queue of an executor that cannot start more workers, and each worker waits, directly or behind others, for the thread
// that waits for the task. A worker that waits for anything else may take the task later.
func (g *Graph) closeQueued() {
	if len(g.awaited.queues) == 0 {
		return
	}
	for i := range g.Snap.Samples {
		s := &g.Snap.Samples[i]
		queue := g.awaited.queues[s.Thread.ID]
		if queue == nil || s.State != threaddump.Waiting || s.Stack.Op.Kind != stack.OpResult || g.next(i) != None {
			continue
		}
		if first, task := workersBehind(g, i, queue); task != nil {
			g.awaits(i, first)
			g.queued[i] = task
		}
	}
}

// workersBehind returns the workers of an executor if all of them wait for thread i, and the index of the one with the
// shortest chain to i. It returns nil if a worker does not wait for i.
func workersBehind(g *Graph, i int, e *object.Executor) (first int, task *QueuedTask) {
	executor := &objects.Executor{Executor: e}
	if executor.MayGrow() || len(e.WorkerIDs) != e.Workers || e.Workers == 0 {
		return None, nil
	}
	task, shortest := &QueuedTask{Executor: executor}, 0
	for _, id := range e.WorkerIDs {
		j, known := g.awaited.place(id)
		if !known || j == i || g.goesOn(j) {
			return None, nil
		}
		path := g.pathBack(i, j)
		if path == nil {
			return None, nil
		}
		if shortest == 0 || len(path) < shortest {
			first, shortest = j, len(path)
		}
		task.Workers = append(task.Workers, &g.Snap.Samples[j])
	}
	task.Workers = timeline.InNameOrder(task.Workers)
	return first, task
}
