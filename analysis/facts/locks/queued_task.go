package locks

import (
	"github.com/jstall/jstall/analysis/facts/objects"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// QueuedTask is a task in the queue of an executor whose workers all wait for the thread that waits for the task.
type QueuedTask struct {
	Executor *objects.Executor
	// Workers are all threads of the executor, in the order of their names.
	Workers []*timeline.Sample
}

// Pattern is the name of the executor's workers with # for their number.
func (q *QueuedTask) Pattern() string {
	if len(q.Workers) == 1 {
		return q.Workers[0].Thread.Name
	}
	return stack.WithoutNumber(q.Workers[0].Thread.Name, "#")
}
