package analysis_test

import (
	"strings"
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
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
	beforeWork := func(id int64, name string, parts ...Part) *threaddump.Thread {
		at := Trace("java.lang.Object.wait", "com.acme.Mill$Sluice.raise", "com.acme.Mill$Hand.run",
			"java.lang.Thread.run")
		return Thread(id, name, append([]Part{Waiting(0xa), func(t *threaddump.Thread) { t.Stack = at },
			Used(0.0002, 9)}, parts...)...)
	}
	result := func(parts ...Part) *threaddump.Thread {
		return Thread(1, "a", append([]Part{Calls(stack.JUC+"CompletableFuture$Signaller", 0xa,
			stack.JUC+"CompletableFuture.get", "com.acme.Mill.weigh", "java.lang.Thread.run")}, parts...)...)
	}
	permit := func(id int64, method string) *threaddump.Thread {
		return Thread(id, method, Calls(stack.JUC+"Semaphore$NonfairSync", uint64(id), stack.JUC+"Semaphore.acquire",
			"com.acme.Mill."+method, "java.lang.Thread.run"), Used(0.0002, 9))
	}
	for name, c := range map[string]struct {
		threads []*threaddump.Thread
		several bool
		want    string
	}{
		"task, several dumps": {
			[]*threaddump.Thread{inTask(1, "a")}, true, "nothing proven; 1 thread waits",
		},
		"task, one dump": {[]*threaddump.Thread{inTask(1, "a")}, false, "one dump proves nothing; 1 thread waits"},
		"first wait since the start": {
			[]*threaddump.Thread{beforeWork(1, "a"), beforeWork(2, "b")}, true,
			"nothing proven; 2 threads wait for a notify",
		},
		"alone at a notify": {[]*threaddump.Thread{beforeWork(1, "a", Daemon)}, true, "no problem found"},
		"after work": {
			[]*threaddump.Thread{beforeWork(1, "a", Used(1, 9)), beforeWork(2, "b", Used(1, 9))}, true,
			"no problem found",
		},
		"first wait, one dump": {
			[]*threaddump.Thread{beforeWork(1, "a"), beforeWork(2, "b")}, false, "no problem found",
		},
		"a daemon for a result": {
			[]*threaddump.Thread{result(Daemon)}, true, "nothing proven; 1 thread waits for a result",
		},
		"may keep the JVM up": {[]*threaddump.Thread{result()}, true, "no problem found"},
		"permits of two semaphores": {
			[]*threaddump.Thread{permit(1, "grind"), permit(2, "sift")}, true,
			"nothing proven; 1 thread waits for a permit",
		},
		"next item": {[]*threaddump.Thread{consumer}, true, "no problem found"},
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
