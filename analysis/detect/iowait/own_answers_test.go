package iowait_test

import (
	"strings"
	"testing"

	"jstall/analysis"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Those that wait for an answer of this very process stand behind workers of an executor
// that all wait for another, or that stand for another reason; else they are told apart.
func TestThoseWhoAskThisJVM(t *testing.T) {
	asks := func(id int64, name string, below ...string) *threaddump.Thread {
		return Thread(id, name,
			At(append([]string{"!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read"},
				below...)...), Used(1, 9))
	}
	worker := func(id int64, name string) *threaddump.Thread {
		return asks(id, name, "App.fetch", "App.job", stack.JUC+"FutureTask.run", stack.JUC+
			"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	visitor := func(id int64, name string) *threaddump.Thread {
		return asks(id, name, "App.visit", "App.day", "java.lang.Thread.run")
	}
	look := func(threads ...*threaddump.Thread) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), threads...)
			o.Tasks = map[int64]timeline.Task{}
			for _, t := range threads {
				o.Tasks[t.NativeID] = timeline.Task{State: "S", File: "client-socket", Peer: "10.0.0.5:5432"}
				if t.Name == "visitor" {
					o.Tasks[t.NativeID] = timeline.Task{State: "S", File: "own-socket", Peer: "127.0.0.1:8080"}
				}
			}
			all = append(all, o)
		}
		return Diagnose(all...)
	}
	Expect(t,
		look(worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), visitor(3, "visitor"), visitor(4, "other")),
		"io-wait/warning/likely: pool-1-thread-1,pool-1-thread-2 | visitor",
		"io-wait/warning/likely: other | ")
	Expect(t, look(visitor(3, "visitor"), visitor(4, "other")), "io-wait/warning/likely: other | ",
		"io-wait/warning/likely: visitor | ")
	blocked := func(id int64, name string) *threaddump.Thread {
		worker := worker(id, name)
		worker.Stack = worker.Stack[2:]
		BlockedOn(0xa)(worker)
		return worker
	}
	owner := Thread(5, "owner", At("!java.lang.Thread.sleep", "App.rest", "java.lang.Thread.run"), Sleeping, Holds(0xa),
		Used(1, 9))
	Expect(t, look(blocked(1, "pool-1-thread-1"), blocked(2, "pool-1-thread-2"), owner, visitor(3, "visitor")),
		"lock-contention/critical/proven: owner | pool-1-thread-1,pool-1-thread-2",
		"io-wait/warning/likely: visitor |  < lock-contention-1")
	// they are those who are to answer
	answers := func(id int64, name string, address uint64) *threaddump.Thread {
		worker := Thread(id, name,
			At(UnsafePark, stack.JUC+"CountDownLatch.await", "App.answer", "jakarta.servlet.http.HttpServlet.service",
				stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
					"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Used(1, 9))
		worker.State = threaddump.Waiting
		LockOn(worker, threaddump.Parking, address, stack.JUC+"CountDownLatch$Sync")
		return worker
	}
	Expect(t, look(answers(1, "pool-1-thread-1", 0xa), answers(2, "pool-1-thread-2", 0xb), visitor(3, "visitor")),
		"io-wait/warning/likely: visitor | ") // all workers of an executor: that is a finding of its own
	idle := Thread(9, "pool-1-thread-9", IdleAt(0xc), Used(1, 9))
	Expect(t, look(answers(1, "pool-1-thread-1", 0xa), answers(2, "pool-1-thread-2", 0xb), idle, visitor(3, "visitor")),
		"io-wait/warning/likely: pool-1-thread-1,pool-1-thread-2 | visitor")
	polled := answers(1, "pool-1-thread-1", 0xa)
	Timed(polled)
	Expect(t, look(polled, visitor(3, "visitor")), "io-wait/info/possible: visitor | ")
	for _, f := range look(visitor(3, "visitor"), visitor(4, "other")).Findings {
		if own := strings.HasPrefix(f.Advice,
			"Check which thread of this JVM should answer"); own != (f.Culprits[0].Name == "visitor") {
			t.Errorf("%s: %q", f.Culprits[0].Name, f.Advice)
		}
	}
}
