package pooldeadlock_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// TestTasksInQueues has dumps of testdata/java/OwnQueue.java with what was read from memory with them.
func TestTasksInQueues(t *testing.T) {
	for name, want := range map[string]string{
		"own-8":        "pool-deadlock/critical/proven: orders-1,orders-2,orders-3 | client",
		"own-25":       "pool-deadlock/critical/proven: orders-1,orders-2,orders-3 | client",
		"stages-8":     "pool-deadlock/critical/likely: orders-1,orders-2,orders-3 | client",
		"stages-25":    "pool-deadlock/critical/likely: orders-1,orders-2,orders-3 | client",
		"crosswise-8":  "pool-deadlock/critical/proven: orders-1,orders-2,orders-3,prices-1 | client",
		"crosswise-25": "pool-deadlock/critical/proven: orders-1,orders-2,orders-3,prices-1 | client",
		"other-8":      "", "other-25": "", "grows-8": "", "grows-25": "",
	} {
		ExpectOnly(t, Diagnose(ReadObjects(t, "own-queue-"+name)...), finding.KindPoolDeadlock, want)
	}
}

// TestTasksInQueuesChanged changes one thing in what was read of a deadlock.
func TestTasksInQueuesChanged(t *testing.T) {
	orders := func(o *timeline.Observation) *object.Executor { return &o.Objects.Executors[0] }
	for name, change := range map[string]func(o *timeline.Observation){
		"a task is done":                    func(o *timeline.Observation) { o.Objects.Futures[2].State = "NORMAL" },
		"a task is in another queue":        func(o *timeline.Observation) { o.Objects.Futures[2].QueuedIn++ },
		"a worker more is started":          func(o *timeline.Observation) { orders(o).Workers++ },
		"a core worker may be started":      func(o *timeline.Observation) { orders(o).Core, orders(o).Most = 4, 4 },
		"its workers are interrupted":       func(o *timeline.Observation) { orders(o).State = "STOP" },
		"a worker does not wait any longer": func(o *timeline.Observation) { o.Objects.Futures[2].WaiterIDs = nil },
	} {
		o := ReadObjects(t, "own-queue-own-8")[0]
		if change(&o); Diagnose(o).Verdict.State == "deadlocked" {
			t.Errorf("%s: a deadlock", name)
		}
	}
}
