package iowait_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestIOWait(t *testing.T) {
	reads := []string{"!sun.nio.ch.SocketDispatcher.read0", "sun.nio.ch.NioSocketImpl.read",
		"java.net.Socket$SocketInputStream.read"}
	stood := At
	at := func(below ...string) Part { return At(append(reads[:len(reads):len(reads)], below...)...) }
	request := at("App.ask", "App.order", "App.run", "java.lang.Thread.run")
	loop := at("App.run", "java.lang.Thread.run")
	served := at("App.fetch", "org.eclipse.jetty.server.Server.handle", "java.lang.Thread.run")
	job := at("App.fetch", "App.job", "java.util.concurrent.FutureTask.run",
		"java.util.concurrent.ThreadPoolExecutor.runWorker",
		"java.util.concurrent.ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	writes := func(t *threaddump.Thread) {
		t.Stack = Trace("!sun.nio.ch.SocketDispatcher.write0", "java.net.Socket$SocketOutputStream.write", "App.push",
			"java.lang.Thread.run")
	}
	caller := func(t *threaddump.Thread) {
		Latched(0x77)(t)
		t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.FutureTask.get", "App.main")
	}
	observations := func(dumps int, file string, cpuEach float64, place Part, others ...Part) []timeline.Observation {
		var all []timeline.Observation
		for i := range dumps {
			threads := []*threaddump.Thread{Thread(1, "a", place, Used(1+float64(i)*cpuEach, 9+float64(i)))}
			for j, p := range others {
				threads = append(threads, Thread(int64(50+j), "main", p, Used(1, 9+float64(i))))
			}
			o := Observe(float64(i), threads...)
			o.Tasks = map[int64]timeline.Task{threads[0].NativeID: {State: "S", File: file, Peer: "10.0.0.5:5432",
				WaitChannel: "wait_woken"}}
			all = append(all, o)
		}
		return all
	}
	look := func(dumps int, file string, cpuEach float64, place Part, others ...Part) *analysis.Report {
		return Diagnose(observations(dumps, file, cpuEach, place, others...)...)
	}
	latch := func(below ...string) Part {
		return func(t *threaddump.Thread) {
			Latched(0x77)(t)
			t.Stack = append(Trace("!jdk.internal.misc.Unsafe.park", stack.JUC+"CountDownLatch.await"),
				Trace(below...)...)
		}
	}
	besideChild := func(each time.Duration, all []timeline.Observation) *analysis.Report {
		for i := range all {
			all[i].Machine = &timeline.Machine{Children: timeline.Children{Count: 1, CPU: time.Duration(i) * each}}
		}
		return Diagnose(all...)
	}
	child := Part(func(t *threaddump.Thread) {
		LockOn(t, threaddump.WaitingOn, 0x88, "java.lang.ProcessImpl")
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
		t.Stack = append(Trace("!java.lang.Object.wait", "java.lang.ProcessImpl.waitFor"),
			Trace("App.convert", "java.lang.Thread.run")...)
	})
	daemonChild := Part(func(t *threaddump.Thread) { child(t); t.Daemon = true })
	joins := func(class string) Part {
		return func(t *threaddump.Thread) {
			LockOn(t, threaddump.WaitingOn, 0x99, class)
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
			t.Stack = Trace("!java.lang.Object.wait", "java.lang.Thread.join", "App.main")
		}
	}
	limited := func(below ...string) Part {
		return func(t *threaddump.Thread) {
			t.Stack = append(Trace("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead",
				"java.net.Socket$SocketInputStream.read"), Trace(below...)...)
		}
	}
	oldRead := stood("!java.net.SocketInputStream.socketRead0", "java.net.SocketInputStream.read", "App.ask",
		"App.order", "App.run", "java.lang.Thread.run")
	opens := stood("!java.io.FileInputStream.open0", "java.io.FileInputStream.open", "java.io.FileInputStream.<init>",
		"App.pump", "App.run", "java.lang.Thread.run")
	inKernel := func(function string, all []timeline.Observation) *analysis.Report {
		for _, o := range all {
			for nid, task := range o.Tasks {
				task.WaitChannel = function
				o.Tasks[nid] = task
			}
		}
		return Diagnose(all...)
	}
	holds := func(p Part) Part {
		return func(t *threaddump.Thread) { p(t); LockOn(t, threaddump.Locked, 0x55, "App") }
	}
	wants := Part(func(t *threaddump.Thread) {
		LockOn(t, threaddump.WaitingToLock, 0x55, "App")
		t.State, t.Stack = threaddump.Blocked, Trace("App.enter", "App.run", "java.lang.Thread.run")
	})
	startingChild := func(all []timeline.Observation) *analysis.Report {
		for i := range all {
			all[i].Machine = &timeline.Machine{Children: timeline.Children{Count: 2, Started: 700 + uint64(i)*30}}
		}
		return Diagnose(all...)
	}
	pausingChild := func(all []timeline.Observation) *analysis.Report {
		for i := range all {
			all[i].Machine = &timeline.Machine{Children: timeline.Children{Count: 2, Pausing: 1}}
		}
		return Diagnose(all...)
	}
	childJob := func(t *threaddump.Thread) {
		child(t)
		t.Stack = append(t.Stack[:2:2],
			Trace("App.convert", "java.util.concurrent.FutureTask.run",
				"java.util.concurrent.ThreadPoolExecutor.runWorker",
				"java.util.concurrent.ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")...)
	}
	stuck, hint := []string{"io-wait/warning/likely: a | "}, []string{"io-wait/info/possible: a | "}
	stuckFor := func(whom string) []string { return []string{stuck[0] + whom} }
	for _, test := range []struct {
		name   string
		report *analysis.Report
		want   []string
	}{
		{"a request without answer", look(3, "client-socket", 0, request), stuck},
		{"a connection whose client is silent", look(3, "accepted-socket", 0, request), nil},
		{"a reader of messages", look(3, "client-socket", 0, loop), nil},
		{"a read of which nothing is known", look(3, "", 0, request), hint},
		{"a request handler that asks somebody", look(3, "", 0, served), stuck},
		{"a driver that waits for its database to greet", look(3, "client-socket", 0,
			at("org.postgresql.core.PGStream.receive", "org.postgresql.Driver.connect",
				"java.sql.DriverManager.getConnection", "App.run", "java.lang.Thread.run")), stuck},
		{"a read of which nothing is known, while main waits for a latch",
			look(3, "", 0, request, latch("App.awaitShutdown", "App.main")), hint},
		{"a job that a thread waits for", look(3, "", 0, job, caller), stuckFor("main")},
		{"a job that no thread waits for", look(3, "pipe", 0, job), hint},
		{"a peer that does not read", look(3, "", 0, writes), stuck},
		{"a child process", look(3, "", 0, child), nil},
		{"a child process of which nothing is known, for whose thread somebody waits",
			look(3, "", 0, child, joins("java.lang.Thread")), []string{hint[0] + "main"}},
		{"a child process that works, for whose thread somebody waits",
			besideChild(time.Second, observations(3, "", 0, child, joins("java.lang.Thread"))),
			[]string{hint[0] + "main"}},
		{"a child process while somebody waits for another thread", look(3, "", 0, child, joins("App$Worker")), nil},
		{"a child process that a daemon thread looks after", look(3, "", 0, daemonChild, joins("java.lang.Thread")),
			nil},
		{"a child process that sleeps, for whose thread somebody waits",
			pausingChild(observations(3, "", 0, child, joins("java.lang.Thread"))), []string{hint[0] + "main"}},
		{"a job that waits for a child process of which nothing is known", look(3, "", 0, childJob, caller),
			stuckFor("main")},
		{"a child process that starts others, and is joined",
			startingChild(observations(3, "", 0, child, joins("java.lang.Thread"))), []string{hint[0] + "main"}},
		{"a job that waits for a child process that sleeps", pausingChild(observations(3, "", 0, childJob, caller)),
			[]string{hint[0] + "main < executor-saturated-1"}},
		{"a request with a time limit",
			look(3, "client-socket", 0, limited("App.ask", "App.order", "App.run", "java.lang.Thread.run")), hint},
		{"a request with a time limit that a library wants", look(3, "", 0,
			limited("App.fetch", "org.eclipse.jetty.server.Server.handle", "java.lang.Thread.run")), hint},
		{"a request with a time limit under a lock", look(3, "client-socket", 0,
			holds(limited("App.ask", "App.order", "App.run", "java.lang.Thread.run")), wants),
			[]string{hint[0] + "main"}},
		{"a request with a time limit, of JDK 8",
			inKernel("poll_schedule_timeout", observations(3, "client-socket", 0, oldRead)), hint},
		{"a request without, of JDK 8", inKernel("wait_woken", observations(3, "client-socket", 0, oldRead)), stuck},
		{"a file that it opens", inKernel("folio_wait_bit_common", observations(3, "", 0, opens)), hint},
		{"a console", look(3, "stdin", 0, request), nil},
		{"a reader that got something meanwhile", look(3, "client-socket", 0.001, request), nil},
		{"two dumps", look(2, "client-socket", 0, request), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for i, f := range Found(test.report) {
				if test.report.Findings[i].Kind == finding.KindIOWait {
					got = append(got, f)
				}
			}
			if len(got) != len(test.want) || len(got) > 0 && got[0] != test.want[0] {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A client of the JDK that reads with a selector serves no other thread: the JDK's own for name servers since 21.
func TestNameServersAskedByWayOfASelector(t *testing.T) {
	asks := func(t *threaddump.Thread) {
		t.Stack = Trace("!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect",
			"sun.nio.ch.SelectorImpl.lockAndDoSelect",
			"sun.nio.ch.SelectorImpl.select", "com.sun.jndi.dns.DnsClient.blockingReceive",
			"com.sun.jndi.dns.DnsClient.doUdpQuery",
			"com.sun.jndi.dns.DnsClient.query", "javax.naming.directory.InitialDirContext.getAttributes", "App.ask",
			"App.find", "java.lang.Thread.run")
	}
	var all []timeline.Observation
	for i := range 3 {
		all = append(all, Observe(float64(i), Thread(1, "a", asks, Used(1, 9+float64(i)))))
	}
	Expect(t, Diagnose(all...), "io-wait/warning/likely: a | ")
}

// What ends a wait for a child process or for a file lock is no peer.
func TestIOWaitNamesWhatIsNoPeer(t *testing.T) {
	writes := func(t *threaddump.Thread) {
		t.Stack = Trace("!java.io.FileOutputStream.writeBytes", "java.io.BufferedOutputStream.write", "App.feed",
			"App.tool", "java.lang.Thread.run")
		LockOn(t, threaddump.Locked, 0x66, "java.lang.ProcessImpl$ProcessPipeOutputStream")
	}
	locks := At("!sun.nio.ch.FileDispatcherImpl.lock0", "sun.nio.ch.FileChannelImpl.lock", "App.compact", "App.run",
		"java.lang.Thread.run")
	for _, test := range []struct {
		place               Part
		want, title, advice string
	}{
		{writes, "io-wait/warning/likely: a | ", "to the pipe of a child process", "Read the output of the child"},
		{locks, "io-wait/warning/likely: a | ", "for a file lock", "lslocks"},
	} {
		var all []timeline.Observation
		for i := range 3 {
			all = append(all, Observe(float64(i), Thread(1, "a", test.place, Used(1, 9+float64(i)))))
		}
		r := Diagnose(all...)
		Expect(t, r, test.want)
		if f := r.Findings[0]; !strings.Contains(f.Title, test.title) || !strings.Contains(f.Advice, test.advice) {
			t.Errorf("%q, %q", f.Title, f.Advice)
		}
	}
}

// Workers that ask and get no answer leave an executor without a worker, of which
// its callers know.
func TestWorkersWithoutAnswer(t *testing.T) {
	ask := func(i int64) *threaddump.Thread {
		return Thread(i, "pool-1-thread-"+string(rune('0'+i)),
			At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read",
				"App.ask", "App.job", stack.JUC+"FutureTask.run", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
					"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Used(1, 9))
	}
	caller := func(name string) *threaddump.Thread {
		return Thread(50, name,
			ParkedIn(stack.JUC+"FutureTask", UnsafePark, stack.JUC+"FutureTask.awaitDone", stack.JUC+"FutureTask.get",
				"App.page", "java.lang.Thread.run"), Used(1, 9))
	}
	look := func(file string, threads ...*threaddump.Thread) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), threads...)
			o.Tasks = map[int64]timeline.Task{}
			for _, t := range threads {
				o.Tasks[t.NativeID] = timeline.Task{State: "S", File: file, Peer: "10.0.0.5:5432"}
			}
			all = append(all, o)
		}
		return Diagnose(all...)
	}
	r := look("client-socket", ask(1), ask(2), caller("page"))
	Expect(t, r, "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | page",
		"io-wait/warning/likely: pool-1-thread-1,pool-1-thread-2 | page < executor-saturated-1")
	if title := r.Findings[0].Title; !strings.Contains(title, `waits to read from 10.0.0.5:5432; "page" waits for its tasks`) {
		t.Errorf("%q", title)
	}
	title := r.Findings[1].Title
	if !strings.Contains(title, `both workers of "pool-1-thread-*" wait`) ||
		!strings.Contains(title, "; 1 thread waits for them") {
		t.Errorf("%q", title)
	}
	for name, r := range map[string]*analysis.Report{
		"only main asks":      look("client-socket", ask(1), ask(2), caller("main")),
		"the peers may pause": look("accepted-socket", ask(1), ask(2), caller("page")),
	} {
		for _, f := range r.Findings {
			if f.Kind == finding.KindExecutorSaturated && f.Severity != finding.Info {
				t.Errorf("%s: %s %q", name, f.Severity, f.Title)
			}
		}
	}
}

// One thread fills an entry of a cache, others want the same and wait for its future.
func TestThreadsThatWaitForWhatACacheLoads(t *testing.T) {
	const cache = "com.google.common.cache.LocalCache"
	loader := Thread(1, "a",
		At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "Shop.load",
			cache+"$Segment.loadSync", cache+".get", "Shop.lambda$main$0", "java.lang.Thread.run"), Used(1, 9))
	waiter := func(where string) *threaddump.Thread {
		return Thread(2, "b", At(where+"$Loading.waitForValue", where+".get", "Shop.run", "java.lang.Thread.run"),
			Used(1, 9),
			Calls("com.google.common.util.concurrent.SettableFuture", 0xf,
				"com.google.common.util.concurrent.AbstractFuture.get",
				"com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly"))
	}
	look := func(threads ...*threaddump.Thread) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), threads...)
			o.Tasks = map[int64]timeline.Task{loader.NativeID: {State: "S", File: "client-socket"}}
			all = append(all, o)
		}
		return Diagnose(all...)
	}
	Expect(t, look(loader, waiter(cache)), "io-wait/warning/likely: a | b")
	Expect(t, look(loader, waiter("com.google.common.net.Other")), "io-wait/info/possible: a | ")
	if got := waiter(cache); stack.NewStack(got.Stack, 0).Op.Kind != stack.OpResult {
		t.Error("a thread parked in a future of Guava waits for no result")
	}
}
