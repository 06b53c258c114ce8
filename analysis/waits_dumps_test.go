package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Real dumps of threads in the code of a listener or callback that a library called, with an idle connection pool, a
// scheduler and a sleeping thread.
func TestDumpsOfListenersThatWait(t *testing.T) {
	for _, test := range []struct {
		file    string
		kind    finding.Kind
		culprit string
		victims int
	}{
		{"jms-receive", finding.KindSingleThreadBlocked, "ActiveMQ Session Task-1", 0},
		{"okhttp-calls", finding.KindResourceExhausted, "OkHttp http://127.0.0.1:42859/...", 4},
	} {
		dumps := unpack(t, "../testdata/dumps/waits/"+test.file+".txt.gz")
		for n, want := range map[int]finding.Severity{1: finding.Info, len(dumps): finding.Warning} {
			r := DiagnoseDumps(dumps[:n]...)
			if len(r.Findings) == 0 {
				t.Errorf("%s, %d dumps: nothing", test.file, n)
				continue
			}
			f := r.Findings[0]
			culprit := f.Culprits[0].Name
			if f.Kind != test.kind || f.Severity != want || culprit != test.culprit || f.VictimCount != test.victims {
				t.Errorf("%s, %d dumps: %s %s of %q, %d victims", test.file, n, f.Severity, f.Kind, culprit,
					f.VictimCount)
			}
		}
	}
}

// A real dump of three transactions of Ignite that wait for each other's keys. One dump may show them at work. The
// thread that receives datagrams is idle.
func TestTransactionsOfALibraryThatWait(t *testing.T) {
	dumps := unpack(t, "../testdata/dumps/waits/ignite-put.txt.gz")
	Expect(t, DiagnoseDumps(dumps...), "missed-signal/info/possible: clerk-0,clerk-1,clerk-2 | ")
	Expect(t, DiagnoseDumps(dumps[0]))
}

// Real dumps of writers of one full pipe, which wake each other all the time. It is known that no thread reads if no
// other thread used the CPU.
func TestWritersOfOnePipe(t *testing.T) {
	dumps := unpack(t, "../testdata/dumps/waits/pipe-writers.txt.gz")
	Expect(t, DiagnoseDumps(dumps...), "queue-full/warning/likely: keeper | well-0,well-1,well-2")
	for i, d := range dumps {
		busy := Thread(99, "busy", At("App.work", "App.run"), Used(float64(i+1)/10, float64(i+5)))
		d.Threads = append(d.Threads, busy)
	}
	ExpectOnly(t, DiagnoseDumps(dumps...), finding.KindQueueFull, "")
}

// A call that reads from the network goes on, and brings what the others wait for.
func TestACallNextToThoseThatWait(t *testing.T) {
	call := func(id int64, top ...string) *threaddump.Thread {
		return Thread(id, "OkHttp http://h/...", At(append(top, "okhttp3.internal.connection.RealCall$AsyncCall.run",
			stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
				"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")...))
	}
	waits := func(id int64) *threaddump.Thread {
		th := call(id, UnsafePark, stack.JUC+"CountDownLatch.await", "App.onResponse")
		Latched(uint64(id))(th)
		th.Stack = call(id, UnsafePark, stack.JUC+"CountDownLatch.await", "App.onResponse").Stack
		return th
	}
	reads := call(3, "!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "okio.Okio.read")
	ExpectOnly(t, OneDump(waits(1), waits(2)), finding.KindResourceExhausted,
		"resource-exhausted/info/possible: OkHttp http://h/...,OkHttp http://h/... | ")
	ExpectOnly(t, OneDump(waits(1), waits(2), reads), finding.KindResourceExhausted, "")
}

// Who takes messages in a thread of the program is a consumer without work; a listener that receives
// again is in the middle of a message.
func TestAReceiveInAListener(t *testing.T) {
	receive := []string{"!java.lang.Object.wait", "org.apache.activemq.FifoMessageDispatchChannel.dequeue",
		"org.apache.activemq.ActiveMQMessageConsumer.receive"}
	for name, test := range map[string]struct {
		below []string
		rests bool
	}{
		"a consumer": {[]string{"App.run", "java.lang.Thread.run"}, true},
		"a listener": {[]string{"App.onMessage",
			"org.apache.activemq.ActiveMQMessageConsumer.dispatch", "java.lang.Thread.run"}, false},
		"called by another framework": {[]string{"App.poll", "org.springframework.jms.Listener.run",
			"java.lang.Thread.run"}, true},
	} {
		s := stack.NewStack(Trace(append(receive, test.below...)...), 0)
		if rests := s.IdleRule != nil; rests != test.rests {
			t.Errorf("%s: rests is %v", name, rests)
		}
	}
}

// A real dump of a listener that a member of Hazelcast called by way of a lambda: it is in the middle of a message. The
// workers next to it wait for their next message.
func TestAListenerThatALambdaOfItsLibraryCalled(t *testing.T) {
	dumps := unpack(t, "../testdata/dumps/waits/hazelcast-listener.txt.gz")
	for _, n := range []int{1, len(dumps)} {
		r := DiagnoseDumps(dumps[:n]...)
		Expect(t, r, "missed-signal/info/possible: hz.suspicious_chandrasekhar.event-2 | ")
		if got := r.Findings[0].Culprits[0].Frame; got != "Faults.bill" {
			t.Errorf("%d dumps: frame %q", n, got)
		}
	}
}

// Real dumps of threads that wait for whatever comes: notifications of PostgreSQL, changes of files by WatchService,
// inotify and a library, items of queues of JCTools, Disruptor and a library that jstall does not know. All are calm;
// those that wait for the answer to a query of the same driver are not.
func TestThreadsThatWaitForWhateverComes(t *testing.T) {
	dumps := unpack(t, "../testdata/dumps/waits/signalbox-idle.txt.gz")
	for _, n := range []int{1, len(dumps)} {
		r := DiagnoseDumps(dumps[:n]...)
		Expect(t, r)
		if !strings.HasPrefix(r.Verdict.Summary, "no problem found") {
			t.Errorf("%d dumps: %s", n, r.Verdict.Summary)
		}
	}
	dumps = unpack(t, "../testdata/dumps/waits/signalbox-query.txt.gz")
	Expect(t, DiagnoseDumps(dumps...), "io-wait/info/possible: pool-query,query | ")
	if got := DiagnoseDumps(dumps[0]).Verdict.Summary; !strings.Contains(got, "2 threads wait for data to read") {
		t.Errorf("one dump: %s", got)
	}
}

// A native method that waits for the events of many sources is known by its name, also where JNA calls it.
func TestPollsInNativeCode(t *testing.T) {
	for frames, want := range map[string]bool{
		"!com.acme.Inotify.inotifyRead com.acme.Watch.run":                                           true,
		"!com.acme.Files.executeRunLoop0 com.acme.Watch.run":                                         true,
		"!com.sun.jna.Native.invokeInt com.sun.jna.Function.invoke $Proxy2.poll com.acme.Watch.run":  true,
		"!com.sun.jna.Native.invokeInt com.sun.jna.Function.invoke $Proxy2.flock com.acme.Watch.run": false,
		"!com.sun.jna.Native.invokeInt com.acme.Watch.poll com.acme.Watch.run":                       false,
		"com.acme.Watch.poll com.acme.Watch.run":                                                     false,
	} {
		s := stack.NewStack(Trace(strings.Fields(frames)...), 0)
		if got := s.PollsInNative() && s.IdleRule != nil && s.Native == stack.WaitSelect; got != want {
			t.Errorf("%s: %v", frames, got)
		}
	}
}

// Real dumps of a thread that holds a lock and waits for a latch, while lambdas of its method want the lock. No dump
// shows which thread counts the latch down, so this is no cycle: the owner that waits without a limit is the culprit.
func TestALatchBehindTasksThatWantTheLockOfItsWaiter(t *testing.T) {
	dumps := unpack(t, "../testdata/dumps/waits/granaries-all.txt.gz")
	Expect(t, DiagnoseDumps(dumps...), "lock-contention/critical/proven: main | pool-1-thread-1,pool-1-thread-2")
	Expect(t, DiagnoseDumps(dumps[0]), "lock-contention/warning/likely: main | pool-1-thread-1,pool-1-thread-2")

	dumps = unpack(t, "../testdata/dumps/waits/granaries-one.txt.gz")
	Expect(t, DiagnoseDumps(dumps...), "lock-contention/warning/proven: main | pool-1-thread-2")
	Expect(t, DiagnoseDumps(dumps[0]), "lock-contention/warning/likely: main | pool-1-thread-2")
}
