package deadlock_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// A thread that holds a lock and waits for a task in the queue of an executor whose workers all want that lock. One
// dump of testdata/java/LockedQueue.java, with what was read next to it, shows this where no other code completes the
// task. An executor with a worker that waits for something else is not one of these, nor is a wait with a time limit.
func TestATaskBehindWorkersThatWantTheLockOfItsWaiter(t *testing.T) {
	for name, want := range map[string]string{
		"all-8":     "deadlock/critical/proven: client,orders-1 | orders-2,orders-3",
		"all-25":    "deadlock/critical/proven: client,orders-1 | orders-2,orders-3",
		"stages-8":  "deadlock/info/possible: client,orders-1 | orders-2,orders-3",
		"stages-25": "deadlock/info/possible: client,orders-1 | orders-2,orders-3",
		"free-8":    "", "free-25": "", "timed-8": "", "timed-25": "",
	} {
		r := Diagnose(ReadObjects(t, "locked-queue-"+name)[0])
		ExpectOnly(t, r, finding.KindDeadlock, want)
		if strings.HasPrefix(name, "all") && !strings.HasSuffix(r.Verdict.Summary,
			`holds a lock and waits for a task in the queue of executor "orders-*"; all 3 workers wait for that lock`) {
			t.Errorf("%s: %s", name, r.Verdict.Summary)
		}
	}
}

// Two dumps that agree bear the conclusion on a result that other code may bring as well.
func TestTwoDumpsOfAStageBehindWorkers(t *testing.T) {
	ExpectOnly(t, Diagnose(ReadObjects(t, "locked-queue-stages-25")...), finding.KindDeadlock,
		"deadlock/critical/likely: client,orders-1 | orders-2,orders-3")
}

// One thing is changed in what was read: the task may be run, or nothing shows that it is not.
func TestATaskThatMayBeRun(t *testing.T) {
	orders := func(o *timeline.Observation) *object.Executor { return &o.Objects.Executors[0] }
	for name, change := range map[string]func(o *timeline.Observation){
		"the task is done":             func(o *timeline.Observation) { o.Objects.Futures[0].State = "NORMAL" },
		"the task is in another queue": func(o *timeline.Observation) { o.Objects.Futures[0].QueuedIn++ },
		"a worker more is started":     func(o *timeline.Observation) { orders(o).Workers++ },
		"a worker may be started":      func(o *timeline.Observation) { orders(o).Core, orders(o).Most = 4, 4 },
		"its workers are interrupted":  func(o *timeline.Observation) { orders(o).State = "STOP" },
		"another thread waits":         func(o *timeline.Observation) { o.Objects.Futures[0].WaiterIDs = nil },
		"a worker that no dump shows":  func(o *timeline.Observation) { orders(o).WorkerIDs[0] = 9999 },
		"nothing was read":             func(o *timeline.Observation) { o.Objects = nil },
	} {
		o := ReadObjects(t, "locked-queue-all-25")[0]
		if change(&o); Diagnose(o).Verdict.State == "deadlocked" {
			t.Errorf("%s: a deadlock", name)
		}
	}
}
