package objects

import (
	"fmt"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// queuedTask is the state of a task that no thread runs yet.
const queuedTask = "in a queue"

// StateOf is the state in memory of what a thread waits for, as text: "count 1", "0 permits", "10 of 10 elements". It
// is empty if that was not read.
func (o *Objects) StateOf(t *timeline.Timeline, h *timeline.History) string {
	if p := o.pools[h]; p != nil {
		return fmt.Sprintf("%d active, %d idle", p.Active, p.Idle)
	}
	if s := o.awaited[h]; s != nil {
		return synchronizerState(t, s)
	}
	if f := o.futures[h]; f != nil {
		return futureState(t, f)
	}
	if q := o.queues[h]; q != nil {
		if q.Capacity > 0 {
			return fmt.Sprintf("%d of %s", q.Size, finding.Counted(q.Capacity, "element"))
		}
		return finding.Counted(q.Size, "element")
	}
	return ""
}

func synchronizerState(t *timeline.Timeline, s *object.Synchronizer) string {
	switch s.Kind {
	case object.Semaphore:
		return finding.Counted(s.Left, "permit")
	case object.Latch:
		return fmt.Sprintf("count %d", s.Left)
	case object.Barrier:
		return fmt.Sprintf("%d of %d parties absent", s.Left, s.Parties)
	}
	if holder := called(t, s.HolderID()); holder != "" {
		return "held by " + holder
	}
	if s.Readers > 0 {
		return "held by " + finding.Counted(s.Readers, "reader")
	}
	return ""
}

func futureState(t *timeline.Timeline, f *object.Future) string {
	switch runner := called(t, f.RunnerID); {
	case f.Done():
		return "done"
	case runner != "":
		return "run by " + runner
	case f.QueuedIn != 0:
		return queuedTask
	}
	return "not done"
}

// called is the name of a thread of the last dump, empty if it has none with the id.
func called(t *timeline.Timeline, id int64) string {
	found := alive(t, []int64{id})
	if len(found) == 0 {
		return ""
	}
	return found[0].Thread.Called()
}
