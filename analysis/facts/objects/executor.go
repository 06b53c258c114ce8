package objects

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
)

// MayGrow reports whether an executor may start another worker. An executor that has its core workers starts more only
// if its queue is full. An executor that is stopping counts as one that may grow, because it interrupts its workers.
func (e *Executor) MayGrow() bool {
	unbounded := e.Queue != nil && e.Queue.Capacity < 0 && e.Workers >= e.Core
	ends := e.State != "RUNNING" && e.State != "SHUTDOWN"
	return e.Kind != object.ThreadPool || ends || e.Workers < e.Most && !unbounded
}

// lateBy is how late a delayed task must be to show that no worker was free.
const lateBy = time.Second

// Waiting is how many tasks wait for a worker. For the queue of a scheduler that is known only for the first task, and
// only if that is late.
func (e *Executor) Waiting() int {
	switch {
	case e.Queue == nil || e.Queue.Size == 0:
		return 0
	case e.DueNanos != nil && time.Duration(*e.DueNanos) <= -lateBy:
		return 1
	case e.DueNanos != nil || e.Queue.Object.Class == delayedQueue:
		return 0
	}
	return e.Queue.Size
}

const delayedQueue = "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue"

// Saturated reports whether all workers run a task, no other worker can be started, and tasks wait. A fork-join pool
// that has its workers starts another only for a worker that waits for a task.
func (e *Executor) Saturated() bool {
	if e.Kind == object.ForkJoin {
		return e.Core > 0 && e.Workers >= e.Core && e.Waiting() > 0
	}
	return !e.MayGrow() && e.Workers > 0 && e.Active == e.Workers && e.Waiting() > 0
}

// QueueWords describes how full the queue is: "3 tasks in its queue", "10 of 10 tasks in its queue".
func (e *Executor) QueueWords() string {
	switch {
	case e.Queue == nil:
		return "an unknown queue"
	case e.Queue.Capacity > 0:
		return fmt.Sprintf("%d of %s in its queue", e.Queue.Size, finding.Counted(e.Queue.Capacity, "task"))
	}
	return finding.Counted(e.Queue.Size, "task") + " in its queue"
}

// Words describes what was read of an executor whose workers have a name.
func (e *Executor) Words(name string) string {
	called := "the executor of " + finding.QuoteName(name)
	if name == "" {
		called = finding.ExecutorNamed(name)
	}
	return fmt.Sprintf("read from memory: %s has %d of at most %d workers, and %s", called, e.Workers,
		max(e.Most, e.Workers), e.QueueWords())
}
