package analysis_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Threads in the middle of work, that hold a lock or that others wait for are in the headline of a report without
// findings. Threads that wait for their next item, and idle workers, are not.
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
	unowned := func(id int64) *threaddump.Thread {
		return Thread(id, "order", Calls(stack.JUC+"locks.ReentrantLock$NonfairSync", 0xa,
			stack.JUC+"locks.ReentrantLock.lock", "com.acme.Stock.take", "com.acme.Orders.place",
			"java.lang.Thread.run"))
	}
	for name, c := range map[string]struct {
		threads []*threaddump.Thread
		several bool
		want    string
	}{
		"the owner of a lock is not in the dump": {
			[]*threaddump.Thread{unowned(1), unowned(2)}, false,
			"one dump proves nothing; 2 threads wait for a lock",
		},
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

// Threads of the program that call out of the JVM for what comes once are named; readers that wait for the next
// message, the console, files and the child of a launcher are not.
func TestOneDumpNamesCallsOutOfTheJVM(t *testing.T) {
	read := func(below ...string) Part {
		return At(append([]string{"!sun.nio.ch.SocketDispatcher.read0", "sun.nio.ch.NioSocketImpl.read",
			"java.net.Socket$SocketInputStream.read"}, below...)...)
	}
	fileRead := At("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "App.load", "App.start",
		"java.lang.Thread.run")
	for name, c := range map[string]struct {
		thread string
		place  Part
		file   string
		want   string
	}{
		"a request": {"a", read("Client.ask", "App.sync", "App.run"), "",
			"1 thread waits for data to read in Client.ask"},
		"a connect": {"a", At("!sun.nio.ch.Net.connect0", "sun.nio.ch.NioSocketImpl.connect",
			"java.net.Socket.connect", "App.run"), "", "1 thread waits for a connection in App.run"},
		"a name": {"main", At("!java.net.Inet6AddressImpl.lookupAllHostAddr", "java.net.InetAddress.getByName",
			"App.main"), "", "1 thread waits for a name lookup (DNS) in App.main"},
		"a FIFO, or a file": {"a", fileRead, "", "1 thread waits for data to read in App.load"},
		"a FIFO":            {"a", fileRead, "named-pipe", "1 thread waits for data to read in App.load"},
		"a file":            {"a", fileRead, "file", ""},
		"a client":          {"a", read("Client.ask", "App.sync", "App.run"), "accepted-socket", ""},
		"a reader":          {"a", read("Wire.readFrame", "Wire.listen", "Wire.run", "java.lang.Thread.run"), "", ""},
		"a library's reader": {"a", read("com.mysql.cj.protocol.ReadAheadInputStream.fill", "java.lang.Thread.run"),
			"", ""},
		"the console": {"main", At("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read",
			"java.io.BufferedInputStream.read", "App.ask", "App.main"), "", ""},
		"a launcher": {"main", At("!java.lang.Object.wait", "java.lang.ProcessImpl.waitFor", "App.main"), "", ""},
	} {
		th := Thread(1, c.thread, c.place)
		o := Saved(Dump(th))
		o.Tasks = map[int64]timeline.Task{th.NativeID: {State: "S", File: c.file}}
		want := "no problem found"
		if c.want != "" {
			want = "one dump proves nothing; " + c.want
		}
		if r := Diagnose(o); !strings.HasPrefix(r.Verdict.Summary, want) {
			t.Errorf("%s: %q", name, r.Verdict.Summary)
		}
	}
}

// The last dump may have threads that were started after the others, as in a recording of a JVM from its start.
func TestHeadlineNamesThreadsThatTheLastDumpHas(t *testing.T) {
	reads := At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "Client.ask",
		"App.sync", "App.run")
	for name, c := range map[string]struct {
		before []*threaddump.Thread
		age    float64
		want   string
	}{
		"started since": {nil, 4, "nothing proven; 1 thread waits for data to read at Client.ask (App.java:7), " +
			"seen in the last dump only"},
		"older, and missing before": {nil, 400, "no problem found"},
		"at work before": {[]*threaddump.Thread{Thread(1, "a", At("App.run"), Used(0, 5))}, 14,
			"no problem found"},
	} {
		other := func(age float64) *threaddump.Thread { return Thread(9, "main", Sleeping, Used(0, age)) }
		r := Diagnose(Observe(0, append(c.before, other(20))...),
			Observe(9, Thread(1, "a", reads, Used(0, c.age)), other(29)))
		if !strings.HasPrefix(r.Verdict.Summary, c.want) {
			t.Errorf("%s: %q", name, r.Verdict.Summary)
		}
	}
}

// A main that waits for the end of the program rests, at any depth. One that holds a lock of the program, or that waits
// for a child process in a method which it called, is in the middle of work.
func TestMainInTheMiddleOfWork(t *testing.T) {
	park := []string{"!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
		"java.util.concurrent.CountDownLatch.await"}
	child := []string{"!java.lang.Object.wait", "java.lang.Object.wait", "java.lang.ProcessImpl.waitFor"}
	join := []string{"!java.lang.Object.wait", "java.lang.Thread.join"}
	const lock = 0xcc
	for name, c := range map[string]struct {
		wait, below []string
		locks       int // the frame that took a lock, -1 if none did
		want        string
	}{
		"a latch": {park, []string{"App.await", "App.serve", "App.main"}, -1, ""},
		"a latch under a lock": {
			park, []string{"App.load", "App.open", "App.main"}, 4, "a CountDownLatch in App.load",
		},
		"a join":                     {join, []string{"App.serve", "App.main"}, -1, ""},
		"a join under a lock":        {join, []string{"App.merge", "App.main"}, 2, "a thread to end in App.merge"},
		"a launcher":                 {child, []string{"App.main"}, -1, ""},
		"a launcher of a library":    {child, []string{"org.apache.maven.Launcher.run", "App.main"}, -1, ""},
		"a launcher that is started": {child, []string{"App.main", "boot.Host.launch", "boot.Host.main"}, -1, ""},
		"a tool": {
			child, []string{"App.pack", "App.main"}, -1, "a child process to end in App.pack",
		},
		"a lock that the JDK entered": {child, []string{"App.main"}, 2, ""},
	} {
		th := Thread(1, "main", At(append(slices.Clone(c.wait), c.below...)...), WaitingState)
		LockOn(th, threaddump.WaitingOn, 0xdd, "java.lang.Object")
		if c.locks >= 0 {
			LockOn(th, threaddump.Locked, lock, "app.Books")
			th.Locks[len(th.Locks)-1].Depth = c.locks
		}
		r, want := Diagnose(Observe(0, th)), "no problem found"
		if c.want != "" {
			want = "one dump proves nothing; 1 thread waits for " + c.want
		}
		if !strings.HasPrefix(r.Verdict.Summary, want) || (r.Threads[0].Idle == "") != (c.want != "") {
			t.Errorf("%s: %q, idle %q", name, r.Verdict.Summary, r.Threads[0].Idle)
		}
	}
}
