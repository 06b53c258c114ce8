package analysis_test

import (
	"strings"
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/threaddump"
)

// Threads in the middle of work, that hold a lock or that others wait for are in the headline of a report without
// findings; those that wait for their next item, and workers at rest, are not.
func TestHeadlineNamesWaitsThatNoFindingExplains(t *testing.T) {
	inTask := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, InTask("", "com.acme.Loader$Job.call"), Latched(uint64(id)))
	}
	consumer := Thread(9, "consumer", InTask("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
		"java.util.concurrent.LinkedBlockingQueue.take", "com.acme.Consumer.next", "com.acme.Consumer.run"))
	for name, c := range map[string]struct {
		threads []*threaddump.Thread
		several bool
		want    string
	}{
		"task, several dumps": {
			[]*threaddump.Thread{inTask(1, "a"), inTask(2, "b")}, true, "nothing proven; 2 threads",
		},
		"task, one dump": {[]*threaddump.Thread{inTask(1, "a")}, false, "one dump proves nothing; 1 thread waits"},
		"next item":      {[]*threaddump.Thread{consumer}, true, "no problem found"},
	} {
		r := OneDump(c.threads...)
		if c.several {
			r = DiagnoseAll(Same(c.threads...))
		}
		if !strings.HasPrefix(r.Verdict.Summary, c.want) {
			t.Errorf("%s: %s: %s %q", name, r.Verdict.State, r.Verdict.Summary, Found(r))
		}
	}
}
