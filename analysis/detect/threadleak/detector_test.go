package threadleak_test

import (
	"fmt"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// many makes threads of numbered names, from the first id on.
func many(n int, pattern string, parts ...Part) []*threaddump.Thread {
	var all []*threaddump.Thread
	for i := range n {
		all = append(all, Thread(int64(100+i), fmt.Sprintf(pattern, i), parts...))
	}
	return all
}

// idleWorker is a worker of an executor at its queue.
func idleWorker(queue uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.LinkedBlockingQueue.take", "java.util.concurrent.ThreadPoolExecutor.getTask",
			"java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run",
			"java.lang.Thread.run")
		LockOn(t, threaddump.Parking, queue, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

func leakOnly(r *analysis.Report) (all []string) {
	for _, f := range r.Findings {
		if f.Kind == finding.KindThreadLeak {
			all = append(all, fmt.Sprintf("%s %s", f.Severity, f.Culprits[0].Name))
		}
	}
	return all
}

func TestThreadLeak(t *testing.T) {
	executors := func(n int, own bool) []*threaddump.Thread {
		all := many(n, "pool-%d-thread-1")
		for i, th := range all {
			queue := uint64(0x500)
			if own {
				queue += uint64(i) * 8
			}
			idleWorker(queue)(th)
		}
		return all
	}
	teams := func(size, named int) func(n int) []*threaddump.Thread {
		return func(n int) []*threaddump.Thread {
			all := many(n, "pool-%d-worker")
			for i, th := range all {
				idleWorker(0x500 + uint64(i/size%named)*8)(th)
			}
			return all
		}
	}
	look := func(make func(int) []*threaddump.Thread, counts ...int) *analysis.Report {
		var all []timeline.Observation
		for i, n := range counts {
			all = append(all, Observe(float64(i), make(n)...))
		}
		return Diagnose(all...)
	}
	sleepers := func(n int) []*threaddump.Thread {
		all := many(n, "session-%d", AsleepState)
		for _, th := range all {
			th.Stack = Trace("!java.lang.Thread.sleep", "Desk.hold", "java.lang.Thread.run")
		}
		return all
	}
	timers := func(n int) []*threaddump.Thread {
		all := many(n, "Timer-%d", Waiting(0))
		for _, th := range all {
			th.Stack = Trace("!java.lang.Object.wait0", "java.lang.Object.wait", "java.util.TimerThread.mainLoop",
				"java.util.TimerThread.run")
			th.Locks = nil
		}
		return all
	}
	selectors := func(n int, name, frame string) []*threaddump.Thread {
		all := many(n, name)
		for _, th := range all {
			th.Stack = Trace("!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect",
				"sun.nio.ch.SelectorImpl.select", frame, "java.lang.Thread.run")
		}
		return all
	}
	clients := func(n int) []*threaddump.Thread {
		return selectors(n, "HttpClient-%d-SelectorManager", "jdk.internal.net.http.HttpClientImpl$SelectorManager.run")
	}
	producers := func(n int) []*threaddump.Thread {
		return selectors(n, "kafka-producer-network-thread | producer-%d",
			"org.apache.kafka.clients.producer.internals.Sender.run")
	}
	eventLoops := func(n int) []*threaddump.Thread {
		return selectors(n, "nioEventLoopGroup-2-%d", "io.netty.channel.nio.NioEventLoop.run")
	}
	waits := func(n int) []*threaddump.Thread { return many(n, "w-%d", Latched(0xabc)) }
	works := func(n int) []*threaddump.Thread { return many(n, "w-%d") }
	for _, test := range []struct {
		name   string
		report *analysis.Report
		want   []string
	}{
		{"more from dump to dump", look(waits, 10, 20, 30), []string{"warning w-29"}},
		{"a batch that was started", look(waits, 10, 30, 30), nil},
		{"some end", look(waits, 10, 30, 20), nil},
		{"too few to tell", look(waits, 10, 11, 13), nil},
		{"as few where many have stayed", look(waits, 150, 151, 153), []string{"warning w-152"}},
		{"clients of HTTP with a selector each", look(clients, 10, 20, 30),
			[]string{"warning HttpClient-29-SelectorManager"}},
		{"producers of a broker with a loop each", look(producers, 10, 20, 30),
			[]string{"warning kafka-producer-network-thread | producer-29"}},
		{"event loops of a server that begins", look(eventLoops, 10, 20, 30), nil},
		{"two dumps", look(waits, 10, 30), nil},
		{"a burst of work", look(works, 10, 20, 30), nil},
		{"an executor each", look(func(n int) []*threaddump.Thread {
			return executors(n, true)
		}, 10, 20, 30), []string{"warning pool-29-thread-1"}},
		{"one executor that fills up", look(func(n int) []*threaddump.Thread {
			return executors(n, false)
		}, 10, 20, 30), nil},
		{"executors of five, one after the other", look(teams(5, 99), 10, 20, 30), []string{"warning pool-29-worker"}},
		{"executors of five that were all there before", look(teams(5, 2), 10, 20, 30), nil},
		{"executors of five that a program begins with", look(teams(5, 4), 10, 20, 30), nil},
		{"timers at queues that the dumps do not name", look(timers, 10, 20, 30), []string{"warning Timer-29"}},
		{"sleepers", look(sleepers, 10, 20, 30), []string{"warning session-29"}},
	} {
		if got := leakOnly(test.report); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestPatternsLeaveAllNumbersOut(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "main": "main", "pool-12-thread-3": "pool-#-thread-#", "7": "#", "x1y22": "x#y#", "t-٣": "t-٣",
		"req-3f9c01de-00ff": "req-#-#", "cafe": "cafe", "exec-1234": "exec-#",
	} {
		if got := stack.WithoutNumbers(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
