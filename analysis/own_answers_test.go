package analysis

import (
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

// asking reads from a connection to the JVM's own port, below what called it.
func asking(id int64, name string, below ...string) *threaddump.Thread {
	frames := append([]string{"!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read"}, below...)
	return thread(id, name, at(frames...), used(1, 9))
}

// askOwnPort diagnoses a look at threads of which those at a socket have a connection to the
// JVM that they are in.
func askOwnPort(threads ...*threaddump.Thread) *Report { return diagnose(ownPortLook(threads...)...) }

func ownPortLook(threads ...*threaddump.Thread) []Observation {
	var all []Observation
	for i := range 3 {
		o := observe(float64(i), threads...)
		o.Tasks = map[int64]Task{}
		for _, t := range threads {
			if strings.HasPrefix(t.Stack[0].Class, "sun.nio.ch.SocketDispatcher") {
				o.Tasks[t.NativeID] = Task{State: "S", File: "own-socket", Peer: "127.0.0.1:8080"}
			}
		}
		all = append(all, o)
	}
	return all
}

// A server all of whose workers ask it in turn never answers.
func TestAServerThatAsksItself(t *testing.T) {
	worker := func(id int64, name string) *threaddump.Thread {
		return asking(id, name, "App.price", "App.doGet", "jakarta.servlet.http.HttpServlet.service", juc+"ThreadPoolExecutor.runWorker",
			juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	client := func(id int64, name string) *threaddump.Thread {
		return asking(id, name, "App.fetch", "App.job", juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	scheduled := asking(1, "pool-1-thread-1", "App.price", "org.springframework.scheduling.support.ScheduledMethodRunnable.run", juc+"FutureTask.runAndReset",
		juc+"ScheduledThreadPoolExecutor$ScheduledFutureTask.run", juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	visitor := asking(8, "visitor", "App.visit", "App.day", "java.lang.Thread.run")
	idle := func(id int64, name string) *threaddump.Thread { return thread(id, name, idleAt(0xc), used(1, 9)) }
	reaper := thread(3, "process reaper", at("!java.lang.ProcessHandleImpl.waitForProcessExit0", "java.lang.ProcessHandleImpl$1.run", juc+"ThreadPoolExecutor.runWorker",
		juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), used(1, 9))
	const itself = "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | visitor"
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		circle  bool
	}{
		"nobody else":               {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), visitor}, true},
		"a worker has nothing":      {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), idle(3, "pool-1-thread-3"), visitor}, false},
		"a reaper of processes":     {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), reaper, visitor}, true},
		"another executor has one":  {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), idle(3, "pool-2-thread-1"), visitor}, true},
		"somebody works":            {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), visitor, thread(9, "other", at("App.count", "App.day"))}, true},
		"somebody is in a request":  {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), visitor, thread(9, "other", at("App.count", "jakarta.servlet.http.HttpServlet.service"))}, false},
		"a scheduler serves nobody": {[]*threaddump.Thread{scheduled}, false},
		"clients, not a server":     {[]*threaddump.Thread{client(1, "pool-1-thread-1"), client(2, "pool-1-thread-2"), visitor}, false},
	} {
		r := askOwnPort(test.threads...)
		if circle := found(r)[0] == itself; circle != test.circle || len(ofKinds(r, KindPoolDeadlock)) > 0 && !circle {
			t.Errorf("%s: %v", name, found(r))
		}
		if want := "wait to read from 127.0.0.1:8080, a port of this JVM itself"; test.circle && !strings.Contains(r.Findings[0].Title, want) {
			t.Error(r.Findings[0].Title)
		}
	}
}

// A thread that waits for a result, in the middle of something, while others want an answer
// of this JVM is who should give it, whatever timer there is; one whose wait ends is not.
func TestAnAnswerThatALostResultKeepsBack(t *testing.T) {
	loop := func(parts ...part) *threaddump.Thread {
		parts = append([]part{parkedIn(juc+"CompletableFuture$Signaller", unsafePark, juc+"CompletableFuture.get", "Gate.site", "Gate.read", "Gate.loop", "java.lang.Thread.run"), used(1, 9)}, parts...)
		return thread(2, "loop", parts...)
	}
	timer := thread(4, "Timer-0", parkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), timed, used(1, 9))
	client := asking(3, "client", "Gate.enter", "java.lang.Thread.run")
	expectOnly(t, askOwnPort(loop(), client, timer), KindMissedSignal, "missed-signal/warning/likely: loop | ")
	expectOnly(t, askOwnPort(loop(timed), client, timer), KindMissedSignal, "")
	expectOnly(t, askOwnPort(loop(), timer), KindMissedSignal, "missed-signal/info/possible: loop | ")
	events := thread(5, "events", parkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "io.netty.channel.nio.NioEventLoop.run", "java.lang.Thread.run"), used(1, 9))
	expectOnly(t, askOwnPort(loop(), client, timer, events), KindMissedSignal, "")
}

// Who asks this very JVM under a lock that those want who serve keeps its own answer out.
func TestALockThatKeepsItsOwnAnswerOut(t *testing.T) {
	run := []string{"sun.rmi.transport.Transport.serviceCall", juc + "ThreadPoolExecutor.runWorker", juc + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	owner := asking(1, "w-1", append([]string{"App.bid"}, run...)...)
	holds(0xa)(owner)
	serving := func(id int64, name, method string, parts ...part) *threaddump.Thread {
		return thread(id, name, append([]part{at(append([]string{method}, run...)...), used(1, 9)}, parts...)...)
	}
	serves := func(id int64, name string) *threaddump.Thread { return serving(id, name, "App.top", blockedOn(0xa)) }
	works := serving(9, "w-9", "App.count")
	const kept = "all workers that could answer wait for that lock"
	if f := askOwnPort(owner, serves(2, "w-2"), serves(3, "w-3")).Findings[0]; f.Kind != KindLockContention || !strings.Contains(f.Title, kept) {
		t.Errorf("%s %q", f.Kind, f.Title)
	}
	if f := askOwnPort(owner, serves(2, "w-2"), serves(3, "w-3"), works).Findings[0]; f.Kind != KindLockContention || strings.Contains(f.Title, kept) {
		t.Errorf("%s %q", f.Kind, f.Title)
	}
}

// Clients of this very JVM wait for what its workers cannot give them: they hold nothing that
// the workers want, and are not to blame.
func TestClientsOfThisJVMAreBehindItsWorkers(t *testing.T) {
	const handle = "com.sun.net.httpserver.Filter$Chain.doFilter"
	run := []string{"App.book", "App.handle", handle, "sun.net.httpserver.ServerImpl$Exchange.run",
		juc + "ThreadPoolExecutor.runWorker", juc + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	look := func(class, method string, parts ...part) *Report {
		threads := []*threaddump.Thread{asking(1, "a", "App.visit", "App.run"), asking(2, "b", "App.visit", "App.run")}
		for id := range int64(3) {
			all := append([]part{at(run...), calls(class, 0xb0, method), used(1, 9)}, parts...)
			threads = append(threads, thread(10+id, "pool-1-thread-"+string(rune('1'+id)), all...))
		}
		return askOwnPort(threads...)
	}
	const workers = "pool-1-thread-1,pool-1-thread-2,pool-1-thread-3"
	expectOnly(t, look(juc+"Semaphore$NonfairSync", juc+"Semaphore.acquire"), KindResourceExhausted, "resource-exhausted/warning/likely: "+workers+" | ")
	const condition, take = juc + "locks.AbstractQueuedSynchronizer$ConditionObject", juc + "ArrayBlockingQueue.take"
	expectOnly(t, look(condition, take), KindExecutorSaturated, "executor-saturated/warning/likely: "+workers+" | ")
	expectOnly(t, look(condition, take, timed), KindExecutorSaturated, "")
}

// Several who want what happens once, in the middle of something, while at least as many ask
// this JVM, are who should answer, though a new connection may come.
func TestAnswersThatLostResultsKeepBack(t *testing.T) {
	handler := func(id int64, parts ...part) *threaddump.Thread {
		parts = append([]part{parkedIn(juc+"CompletableFuture$Signaller", unsafePark, juc+"CompletableFuture.get", "Gate.moor", "Gate.serve", "Gate.lambda$main$1", "java.lang.Thread.run"), used(1, 9)}, parts...)
		return thread(id, "quay-"+string(rune('0'+id)), parts...)
	}
	acceptor := thread(9, "harbour", at("!sun.nio.ch.Net.accept", "java.net.ServerSocket.accept", "Gate.lambda$main$0", "java.lang.Thread.run"), used(1, 9))
	a, b := asking(3, "a", "Gate.call", "java.lang.Thread.run"), asking(4, "b", "Gate.call", "java.lang.Thread.run")
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		want    string
	}{
		"two and two":        {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor}, "missed-signal/warning/likely: quay-1,quay-2 | "},
		"more than ask":      {[]*threaddump.Thread{handler(1), handler(2), handler(5), a, b, acceptor}, ""},
		"one":                {[]*threaddump.Thread{handler(1), a, b, acceptor}, ""},
		"one has a limit":    {[]*threaddump.Thread{handler(1), handler(2, timed), a, b, acceptor}, ""},
		"somebody is at it":  {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor, thread(8, "c", at("Gate.count", "Gate.day"), used(1, 9))}, ""},
		"news come in time":  {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor, thread(8, "bell", at("Gate.ring", "java.lang.Thread.run"), sleeping, used(1, 9))}, ""},
		"news are scheduled": {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor, ticking(1)}, ""},
		"main rings":         {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor, thread(8, "main", at("Gate.main"), sleeping, used(1, 9))}, ""},
		"a worker is idle":   {[]*threaddump.Thread{handler(1), handler(2), a, b, acceptor, thread(8, "pool-1-thread-1", idleAt(0xc), timed, used(1, 9))}, "missed-signal/warning/likely: quay-1,quay-2 | "},
		"a selector is idle": {[]*threaddump.Thread{handler(1), handler(2), a, b, thread(8, "events", parkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "io.netty.channel.nio.NioEventLoop.run", "java.lang.Thread.run"), used(1, 9))}, ""},
	} {
		t.Run(name, func(t *testing.T) { expectOnly(t, askOwnPort(test.threads...), KindMissedSignal, test.want) })
	}
}

// Virtual threads that serve requests, and stand, are to blame for those of this JVM that
// wait for an answer; what tells why they stand comes before. One that pauses for a time of
// its own may have news soon.
func TestVirtualHandlersOweAnAnswer(t *testing.T) {
	const workers, exchange = "java.util.concurrent.ForkJoinPool.", "sun.net.httpserver.ServerImpl$Exchange.run"
	handler := func(id int64, wait ...string) *threaddump.Thread {
		return virtual(id, "", at(append(slices.Clone(wait), "App.book", "App.handle", exchange, "java.lang.VirtualThread.run")...))
	}
	const aqs = juc + "locks.AbstractQueuedSynchronizer."
	latch := []string{"java.lang.VirtualThread.park", "java.util.concurrent.locks.LockSupport.park", aqs + "acquireSharedInterruptibly", juc + "CountDownLatch.await"}
	permit := []string{"java.lang.VirtualThread.park", aqs + "acquireSharedInterruptibly", juc + "Semaphore.acquire"}
	take := []string{"java.lang.VirtualThread.park", "java.util.concurrent.locks.LockSupport.park", juc + "locks.AbstractQueuedSynchronizer$ConditionObject.await", juc + "ArrayBlockingQueue.take"}
	poll := []string{"java.lang.VirtualThread.parkNanos", "java.util.concurrent.locks.LockSupport.parkNanos", juc + "ArrayBlockingQueue.poll"}
	ring := thread(9, "bell", at("App.ring", "java.lang.Thread.run"), sleeping, used(1, 9))
	for name, test := range map[string]struct {
		beside []*threaddump.Thread
		wait   []string
		want   string
	}{
		"a latch":               {nil, latch, "missed-signal/warning/likely: , | "},
		"a latch beside a bell": {[]*threaddump.Thread{ring}, latch, "io-wait/warning/likely: , | a,b"},
		"a permit":              {nil, permit, "resource-exhausted/warning/likely: , | a,b"},
		"a queue":               {nil, take, "io-wait/warning/likely: , | a,b"},
		"a queue, for a time":   {nil, poll, "io-wait/info/possible: a,b | "},
	} {
		threads := append([]*threaddump.Thread{asking(1, "a", "App.visit", "App.run"), asking(2, "b", "App.visit", "App.run"),
			thread(7, "ForkJoinPool-1-worker-1", used(1, 9), at(workers+"awaitWork", workers+"runWorker"))}, test.beside...)
		look := append(ownPortLook(threads...), javaWritten("21", 2.1, handler(26, test.wait...), handler(27, test.wait...)))
		for i := range look {
			look[i].Dump.Version = "21.0.1+9"
		}
		if got := found(diagnose(look...)); len(got) == 0 || got[0] != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
