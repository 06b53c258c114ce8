package iowait_test

import (
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// closing is main, which waits for the tasks of an executor with a virtual thread for each.
func closing(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "parking", "waiting on condition"
	t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.parkNanos",
		"java.util.concurrent.CountDownLatch.await",
		"java.util.concurrent.ThreadPerTaskExecutor.awaitTermination",
		"java.util.concurrent.ThreadPerTaskExecutor.close", "App.main")
}

// joinsVirtual is main, which waits for a virtual thread to end.
func joinsVirtual(t *threaddump.Thread) {
	closing(t)
	t.State = threaddump.Waiting
	t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.CountDownLatch.await",
		"java.lang.VirtualThread.joinNanos", "java.lang.Thread.join", "App.main")
}

// virtualLook is a capture of main, a carrier that has used so many seconds over it, and the
// poller, which waits on sockets of a kind; then virtual threads are listed.
func virtualLook(main Part, carrierCPU float64, sockets string, written ...*threaddump.Thread) []timeline.Observation {
	var all []timeline.Observation
	for _, when := range []float64{0, 1, 2} {
		poller := Thread(8, "Read-Poller", Used(0, 9),
			At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollPoller.poll", "sun.nio.ch.Poller.pollLoop",
				"java.lang.Thread.run", "jdk.internal.misc.InnocuousThread.run"))
		o := Observe(when, Thread(1, "main", Used(0, 9), main), poller,
			Thread(7, "ForkJoinPool-1-worker-1", Used(when*carrierCPU/2, 9),
				At("java.util.concurrent.ForkJoinPool.awaitWork", "java.util.concurrent.ForkJoinPool.runWorker")))
		o.Dump.Version = "21.0.1+9"
		o.Tasks = map[int64]timeline.Task{poller.NativeID: {File: sockets, Peer: "10.0.0.5:80"}}
		all = append(all, o)
	}
	return append(all, JavaWritten("21", 2.1, written...))
}

func task(t *threaddump.Thread) { t.Container = "java.util.concurrent.ThreadPerTaskExecutor@1b974615" }

// Virtual threads that read are stuck if somebody waits for their end, this side opened
// their connections, and none of them has run in the capture.
func TestVirtualThreadsInIO(t *testing.T) {
	reads := At("java.lang.VirtualThread.park", "sun.nio.ch.Poller.poll", "sun.nio.ch.NioSocketImpl.park",
		"java.net.Socket$SocketInputStream.read", "App.call")
	accepts := At("java.lang.VirtualThread.park", "sun.nio.ch.Poller.poll", "sun.nio.ch.NioSocketImpl.accept",
		"java.net.ServerSocket.accept", "App.serve")
	waits := At("java.lang.VirtualThread.park", "sun.nio.ch.Poller.poll", "sun.nio.ch.Poller.subPollerLoop")
	asks := At("java.lang.VirtualThread.park", "sun.nio.ch.NioSocketImpl.park",
		"java.net.Socket$SocketInputStream.read", "App.call", "App.order")
	sends := At("java.lang.VirtualThread.park", "java.util.concurrent.CompletableFuture.get",
		"jdk.internal.net.http.HttpClientImpl.send",
		"jdk.internal.net.http.HttpClientFacade.send", "App.call", "App.order")
	stuck := []*threaddump.Thread{Virtual(26, "", reads, task), Virtual(27, "", reads, task),
		Virtual(28, "SubPoller-0", waits, task)}
	for _, test := range []struct {
		name    string
		main    Part
		cpu     float64
		sockets string
		written []*threaddump.Thread
		want    string
	}{
		{"clients", closing, 0, "client-socket", stuck,
			`warning likely , +1: 2 virtual threads wait to read from 10.0.0.5:80, unchanged for 2.0 s; "main" waits for them to end`},
		{"clients of a library", closing, 0, "",
			[]*threaddump.Thread{Virtual(26, "", sends, task), Virtual(27, "", sends, task)},
			`warning likely , +1: 2 virtual threads wait for the answer to HttpClient.send, unchanged for 2.0 s; "main" waits for them to end`},
		{"who knows", closing, 0, "", stuck,
			`info possible , +1: 2 virtual threads wait to read, unchanged for 2.0 s; "main" waits for them to end`},
		{"clients of ours that have nothing to ask", closing, 0, "accepted-socket", stuck, ""},
		{"some of them run", closing, 0.001, "client-socket", stuck, ""},
		{"one accepts", closing, 0, "client-socket", append(stuck, Virtual(29, "", accepts, task)), ""},
		{"nobody waits", Part(At("App.main")), 0, "client-socket", stuck, ""},
		{"one that main joins, whose job may be to read", joinsVirtual, 0, "client-socket",
			[]*threaddump.Thread{Virtual(26, "", reads)},
			`info possible  +1: 1 virtual thread waits to read from 10.0.0.5:80, unchanged for 2.0 s; "main" waits for it to end`},
		{"one that main joins, in the middle of something", joinsVirtual, 0, "client-socket",
			[]*threaddump.Thread{Virtual(26, "", asks)},
			`warning likely  +1: 1 virtual thread waits to read from 10.0.0.5:80, unchanged for 2.0 s; "main" waits for it to end`},
		{"of no executor", closing, 0, "client-socket", []*threaddump.Thread{Virtual(26, "", reads)}, ""},
	} {
		if got := SummaryOf(Diagnose(virtualLook(test.main, test.cpu, test.sockets, test.written...)...),
			finding.KindIOWait); got != test.want {
			t.Errorf("%s: got  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// Virtual threads in the middle of something that wait for a result are a hint if no carrier has run
// one of them, whatever other threads do.
func TestVirtualThreadsThatMissASignal(t *testing.T) {
	joins := At("java.lang.VirtualThread.park", "java.util.concurrent.CompletableFuture.join", "App.config",
		"App.serve")
	sleeps := At("java.lang.VirtualThread.parkNanos", "java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep",
		"App.load")
	lost := []*threaddump.Thread{Virtual(26, "", joins, task, Alike(8)), Virtual(27, "", joins, task)}
	const told = "info possible , +8: 10 virtual threads wait for a result (CompletableFuture.join) in App.config"
	for _, test := range []struct {
		name    string
		cpu     float64
		written []*threaddump.Thread
		want    string
	}{
		{"alone", 0, lost, told},
		{"some of them run", 0.001, lost, ""},
		{"beside others", 0, append(lost, Virtual(28, "", sleeps)), told},
	} {
		if got := SummaryOf(Diagnose(virtualLook(closing, test.cpu, "", test.written...)...),
			finding.KindMissedSignal); got != test.want {
			t.Errorf("%s: got  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// Virtual threads at a full queue were there throughout if no carrier has run one.
func TestVirtualThreadsAtAFullQueue(t *testing.T) {
	puts := func(id int64) *threaddump.Thread {
		return Virtual(id, "",
			At("java.lang.VirtualThread.park", "java.util.concurrent.LinkedTransferQueue.xfer",
				"java.util.concurrent.SynchronousQueue.put", "App.hand", "App.serve"), task)
	}
	for cpu, want := range map[float64]string{0: "warning likely , +0: 2", 0.001: "info possible , +0: 2"} {
		if got := SummaryOf(Diagnose(virtualLook(closing, cpu, "", puts(26), puts(27))...),
			finding.KindQueueFull); !strings.HasPrefix(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Permits that others have only just got turn over, however long the queue is; where the same
// threads keep them they do not.
func TestVirtualThreadsThatWaitForPermits(t *testing.T) {
	waits := func(id int64) *threaddump.Thread {
		return Virtual(id, "",
			At("java.lang.VirtualThread.park", "java.util.concurrent.Semaphore.acquire", "App.request",
				"App.serve"), task, Alike(100))
	}
	have := func(first, n int64) (all []*threaddump.Thread) {
		for id := first; id < first+n; id++ {
			all = append(all, Virtual(id, "", At("java.lang.VirtualThread.parkNanos",
				"java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep", "App.request", "App.serve"),
				Further("App.request"), task))
		}
		return all
	}
	const title = "Semaphore exhausted: 202 threads wait for a permit; "
	for _, test := range []struct {
		name        string
		first, last []*threaddump.Thread
		want        string
	}{
		{"they turn over", have(31, 1), have(41, 1), "info possible  +202: " + title +
			"virtual #41 holds one and sleeps"},
		{"one keeps it", have(31, 1), have(31, 1), "warning likely  +202: " + title +
			"virtual #31 holds one and sleeps"},
		{"many turn over", have(31, 9), have(41, 9), "info possible ,,,,,,,, +202: " + title +
			"virtual #41, virtual #42, virtual #43 and 6 more hold one each; all sleep"},
		{"many keep them", have(31, 9), have(31, 9), "warning likely ,,,,,,,, +202: " + title +
			"virtual #31, virtual #32, virtual #33 and 6 more hold one each; all sleep"},
		{"nobody has one", nil, nil, "warning likely , +200: " + title +
			"holders unknown: no frame in this dump shows a holder"},
	} {
		look := append(virtualLook(closing, 0.001, "", append(test.first, waits(26), waits(27))...),
			JavaWritten("21", 2.4, append(test.last, waits(26), waits(27))...))
		if got := SummaryOf(Diagnose(look...), finding.KindResourceExhausted); got != test.want {
			t.Errorf("%s: got  %q\nwant %q", test.name, got, test.want)
		}
	}
}
