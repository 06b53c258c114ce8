package objects

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
)

// MayGrow tells an executor that may start a further worker. One that has its core workers starts more only if its
// queue is full. Of one that ends workers are interrupted.
func (e *Executor) MayGrow() bool {
	unbounded := e.Queue != nil && e.Queue.Capacity < 0 && e.Workers >= e.Core
	ends := e.State != "RUNNING" && e.State != "SHUTDOWN"
	return e.Kind != object.ThreadPool || ends || e.Workers < e.Most && !unbounded
}

// lateBy is how long after its time a delayed task must be for no worker to have been free.
const lateBy = time.Second

// Waiting is how many tasks wait for a worker. Of those in the queue of a scheduler that is known of the first one,
// which is late.
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

// Saturated reports that all workers run a task, none can be started, and tasks wait. A fork-join pool that has its
// workers starts another one only for a worker that waits for a task.
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
