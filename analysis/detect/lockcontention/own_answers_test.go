package lockcontention_test

import (
	"strings"
	"testing"

	"jstall/analysis"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// asking reads from a connection to the JVM's own port, below what called it.
func asking(id int64, name string, below ...string) *threaddump.Thread {
	frames := append([]string{"!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read"}, below...)
	return Thread(id, name, At(frames...), Used(1, 9))
}

// askOwnPort diagnoses a capture of threads of which those at a socket have a connection to the
// JVM that they are in.
func askOwnPort(threads ...*threaddump.Thread) *analysis.Report {
	return Diagnose(ownPortLook(threads...)...)
}

func ownPortLook(threads ...*threaddump.Thread) []timeline.Observation {
	var all []timeline.Observation
	for i := range 3 {
		o := Observe(float64(i), threads...)
		o.Tasks = map[int64]timeline.Task{}
		for _, t := range threads {
			if strings.HasPrefix(t.Stack[0].Class, "sun.nio.ch.SocketDispatcher") {
				o.Tasks[t.NativeID] = timeline.Task{State: "S", File: "own-socket", Peer: "127.0.0.1:8080"}
			}
		}
		all = append(all, o)
	}
	return all
}

// A server all of whose workers ask it in turn never answers.
func TestAServerThatAsksItself(t *testing.T) {
	worker := func(id int64, name string) *threaddump.Thread {
		return asking(id, name, "App.price", "App.doGet", "jakarta.servlet.http.HttpServlet.service", stack.JUC+
			"ThreadPoolExecutor.runWorker",
			stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	client := func(id int64, name string) *threaddump.Thread {
		return asking(id, name, "App.fetch", "App.job", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
			"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	scheduled := asking(1, "pool-1-thread-1", "App.price",
		"org.springframework.scheduling.support.ScheduledMethodRunnable.run", stack.JUC+"FutureTask.runAndReset",
		stack.JUC+"ScheduledThreadPoolExecutor$ScheduledFutureTask.run", stack.JUC+
			"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	visitor := asking(8, "visitor", "App.visit", "App.day", "java.lang.Thread.run")
	idle := func(id int64, name string) *threaddump.Thread { return Thread(id, name, IdleAt(0xc), Used(1, 9)) }
	reaper := Thread(3, "process reaper",
		At("!java.lang.ProcessHandleImpl.waitForProcessExit0", "java.lang.ProcessHandleImpl$1.run", stack.JUC+
			"ThreadPoolExecutor.runWorker",
			stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Used(1, 9))
	const itself = "pool-deadlock/critical/likely: pool-1-thread-1,pool-1-thread-2 | visitor"
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		circle  bool
	}{
		"nobody else": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), visitor}, true},
		"a worker has nothing": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"),
			worker(2, "pool-1-thread-2"), idle(3, "pool-1-thread-3"), visitor}, false},
		"a reaper of processes": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"),
			reaper, visitor}, true},
		"another executor has one": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"),
			idle(3, "pool-2-thread-1"), visitor}, true},
		"somebody works": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"),
			visitor, Thread(9, "other", At("App.count", "App.day"))}, true},
		"somebody is in a request": {[]*threaddump.Thread{worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"),
			visitor, Thread(9, "other", At("App.count", "jakarta.servlet.http.HttpServlet.service"))}, false},
		"a scheduler serves nobody": {[]*threaddump.Thread{scheduled}, false},
		"clients, not a server": {[]*threaddump.Thread{client(1, "pool-1-thread-1"), client(2, "pool-1-thread-2"),
			visitor}, false},
	} {
		r := askOwnPort(test.threads...)
		if circle := Found(r)[0] == itself; circle != test.circle ||
			len(OfKinds(r, finding.KindPoolDeadlock)) > 0 && !circle {
			t.Errorf("%s: %v", name, Found(r))
		}
		if want := "wait to read from 127.0.0.1:8080, a port of this JVM itself"; test.circle &&
			!strings.Contains(r.Findings[0].Title, want) {
			t.Error(r.Findings[0].Title)
		}
	}
}

// Who asks this very JVM under a lock that those want who serve keeps its own answer out.
func TestALockThatKeepsItsOwnAnswerOut(t *testing.T) {
	run := []string{"sun.rmi.transport.Transport.serviceCall", stack.JUC + "ThreadPoolExecutor.runWorker", stack.JUC +
		"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	owner := asking(1, "w-1", append([]string{"App.bid"}, run...)...)
	Holds(0xa)(owner)
	serving := func(id int64, name, method string, parts ...Part) *threaddump.Thread {
		return Thread(id, name, append([]Part{At(append([]string{method}, run...)...), Used(1, 9)}, parts...)...)
	}
	serves := func(id int64, name string) *threaddump.Thread { return serving(id, name, "App.top", BlockedOn(0xa)) }
	works := serving(9, "w-9", "App.count")
	const kept = "all workers that could answer wait for that lock"
	if f := askOwnPort(owner, serves(2, "w-2"), serves(3, "w-3")).Findings[0]; f.Kind != finding.KindLockContention ||
		!strings.Contains(f.Title, kept) {
		t.Errorf("%s %q", f.Kind, f.Title)
	}
	if f := askOwnPort(owner, serves(2, "w-2"), serves(3, "w-3"),
		works).Findings[0]; f.Kind != finding.KindLockContention ||
		strings.Contains(f.Title, kept) {
		t.Errorf("%s %q", f.Kind, f.Title)
	}
}

// Clients of this very JVM wait for what its workers cannot give them: they hold nothing that
// the workers want, and are not to blame.
func TestClientsOfThisJVMAreBehindItsWorkers(t *testing.T) {
	const handle = "com.sun.net.httpserver.Filter$Chain.doFilter"
	run := []string{"App.book", "App.handle", handle, "sun.net.httpserver.ServerImpl$Exchange.run",
		stack.JUC + "ThreadPoolExecutor.runWorker", stack.JUC + "ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}
	look := func(class, method string, parts ...Part) *analysis.Report {
		threads := []*threaddump.Thread{asking(1, "a", "App.visit", "App.run"), asking(2, "b", "App.visit", "App.run")}
		for id := range int64(3) {
			all := append([]Part{At(run...), Calls(class, 0xb0, method), Used(1, 9)}, parts...)
			threads = append(threads, Thread(10+id, "pool-1-thread-"+string(rune('1'+id)), all...))
		}
		return askOwnPort(threads...)
	}
	const workers = "pool-1-thread-1,pool-1-thread-2,pool-1-thread-3"
	ExpectOnly(t, look(stack.JUC+"Semaphore$NonfairSync", stack.JUC+"Semaphore.acquire"), finding.KindResourceExhausted,
		"resource-exhausted/warning/likely: "+workers+" | ")
	const condition, take = stack.JUC + "locks.AbstractQueuedSynchronizer$ConditionObject", stack.JUC +
		"ArrayBlockingQueue.take"
	ExpectOnly(t, look(condition, take), finding.KindExecutorSaturated, "executor-saturated/warning/likely: "+workers+" | ")
	ExpectOnly(t, look(condition, take, Timed), finding.KindExecutorSaturated, "")
}
