package threadleak_test

import (
	"fmt"
	"strings"
	"testing"

	"jstall/analysis"
	"jstall/analysis/detect/threadleak"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
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
	loopsEach := func(n int) []*threaddump.Thread {
		return selectors(n, "nioEventLoopGroup-%d-1", "io.netty.channel.nio.NioEventLoop.run")
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
		{"a group of event loops each", look(loopsEach, 10, 20, 30), []string{"warning nioEventLoopGroup-29-1"}},
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
		{"hundreds that wait", look(waits, 600, 600), []string{"info w-0"}},
		{"hundreds of idle workers", look(func(n int) []*threaddump.Thread {
			return executors(n, false)
		}, 600, 600), nil},
	} {
		if got := leakOnly(test.report); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Two threads a second are a leak where they have come so all the time, and none has ended.
func TestThreadLeakAtALowRate(t *testing.T) {
	for _, test := range []struct {
		name  string
		start func(i int) float64 // when the i-th was started, in seconds; the capture is from 8 to 10
		want  []string
	}{
		{"at one rate ever since", func(i int) float64 { return float64(i) / 2 }, []string{"warning w-19"}},
		{"most of them at first", func(i int) float64 {
			if i < 16 {
				return float64(i) / 10
			}
			return float64(i) / 2
		}, nil},
		{"since a short time ago", func(i int) float64 { return 5 + float64(i)/2 }, nil},
	} {
		var all []timeline.Observation
		for _, now := range []float64{8, 9, 10} {
			var threads []*threaddump.Thread
			for i := range 20 {
				if age := now - test.start(i); age > 0 {
					th := Thread(int64(100+i), fmt.Sprintf("w-%d", i), Latched(0xabc+uint64(i)*8), Used(0, age))
					threads = append(threads, th)
				}
			}
			all = append(all, Observe(now-8, threads...))
		}
		if got := leakOnly(Diagnose(all...)); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestPatternsLeaveAllNumbersOut(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "main": "main", "pool-12-thread-3": "pool-#-thread-#", "7": "#", "x1y22": "x#y#", "t-٣": "t-٣",
		"req-3f9c01de-00ff": "req-#-#", "cafe": "cafe", "exec-1234": "exec-#",
	} {
		if got := threadleak.WithoutNumbers(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Who starts the threads of a leak is told where a dump shows it.
func TestThreadLeakNamesWhoStartsThem(t *testing.T) {
	at := func(frames ...string) Part { return func(t *threaddump.Thread) { t.Stack = Trace(frames...) } }
	starting := at("!java.lang.Thread.start0", "java.lang.Thread.start", "Desk.open", "Desk.day",
		"java.lang.Thread.run")
	resting := at("!java.lang.Thread.sleep", "Desk.pause", "Desk.day", "java.lang.Thread.run")
	const front = "front"
	look := func(middle Part, others ...Part) string {
		var all []timeline.Observation
		for i, n := range []int{10, 20, 30} {
			threads := many(n, "w-%d", Latched(0xabc))
			place := resting
			if i == 1 {
				place = middle
			}
			threads = append(threads, Thread(11, front, place, AsleepState, Used(1+float64(i)/100, 9+float64(i))))
			for j, p := range others {
				threads = append(threads, Thread(int64(12+j), "other", resting, AsleepState, Used(1, 9+float64(i)), p))
			}
			if len(others) > 0 {
				Used(1+float64(i)/50, 9+float64(i))(threads[len(threads)-1])
			}
			all = append(all, Observe(float64(i), threads...))
		}
		for _, f := range Diagnose(all...).Findings {
			if f.Kind == finding.KindThreadLeak {
				told := strings.Contains(f.Evidence[0].Text, "start")
				if last := f.Culprits[len(f.Culprits)-1]; told != (last.Name == front) {
					t.Errorf("the last culprit is %q: %s", last.Name, f.Evidence[0].Text)
				}
				return f.Evidence[0].Text
			}
		}
		return ""
	}
	awake := func(*threaddump.Thread) {}
	if got := look(starting, awake); got != `"front" starts a thread in a dump, at Desk.open (App.java:7)` {
		t.Errorf("seen: %q", got)
	}
	main := func(t *threaddump.Thread) { t.Name, t.Stack = "main", Trace("!java.lang.Thread.sleep", "Desk.main") }
	if got := look(resting, main); got != "10 at the first dump, 30 at the last, 20 new ones at rest" {
		t.Errorf("beside main, which wakes as well: %q", got)
	}
	if got := look(resting, awake); got != "10 at the first dump, 30 at the last, 20 new ones at rest" {
		t.Errorf("one of two: %q", got)
	}
}

// Executors left behind show no code of the application: who was seen starting them
// does, and is named with the newest of their workers.
func TestLeakedExecutorsAreNamedWithWhoMakesThem(t *testing.T) {
	starts := At("!java.lang.Thread.start0", "java.lang.Thread.start", stack.JUC+"ThreadPoolExecutor.addWorker",
		"Desk.open", "Desk.main")
	var all []timeline.Observation
	for i, n := range []int{10, 20, 30} {
		var threads []*threaddump.Thread
		for j := range n {
			threads = append(threads,
				Thread(int64(100+j), fmt.Sprintf("pool-%d-thread-1", j), idleWorker(uint64(0xf000+j))))
		}
		all = append(all,
			Observe(float64(i), append(threads, Thread(1, "main", starts, Used(1+float64(i)/100, 9+float64(i))))...))
	}
	r := Diagnose(all...)
	Expect(t, r, "thread-leak/warning/likely: pool-29-thread-1,main | ")
	if advice := r.Findings[0].Advice; !strings.HasPrefix(advice, "Shut each executor down") {
		t.Errorf("%q", advice)
	}
}
