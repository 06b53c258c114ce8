package missedsignal_test

import (
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Threads with work in hand that wait for a signal are a hint, whatever other threads do. Workers, timed waits and
// waits for the end of the program are not reported.
func TestMissedSignals(t *testing.T) {
	latch := func(address uint64) Part {
		return Calls(stack.JUC+"CountDownLatch$Sync", address, stack.JUC+"CountDownLatch.await")
	}
	in := func(id int64, name string, wait Part, methods ...string) *threaddump.Thread {
		return Thread(id, name, At(append(methods, "java.lang.Thread.run")...), wait, Used(1, 9))
	}
	notify := Waiting(0xa)
	midway := []string{"Race.line", "Race.cheer", "Race.lambda$main$0"}
	joins := Calls(stack.JUC+"CompletableFuture$Signaller", 0xa, stack.JUC+"CompletableFuture.join")
	request := []string{
		"Shop.price", "jdk.internal.reflect.DirectMethodHandleAccessor.invoke", "java.lang.reflect.Method.invoke",
		"org.springframework.web.method.support.InvocableHandlerMethod.doInvoke",
		"org.apache.catalina.core.StandardWrapperValve.invoke", "org.apache.tomcat.util.net.SocketProcessorBase.run",
	}
	launched := []string{
		"Shop.main", "java.lang.reflect.Method.invoke", "org.springframework.boot.loader.launch.Launcher.launch",
	}
	task := []string{
		"Loft.lambda$sort$0", stack.JUC + "FutureTask.run", stack.JUC + "ThreadPoolExecutor.runWorker",
		stack.JUC + "ThreadPoolExecutor$Worker.run",
	}
	others := []*threaddump.Thread{
		IdleServer(60), Thread(61, "pool-9-thread-1", IdleAt(0xc), Used(1, 9)),
		Thread(62, "sleeper", AsleepIn("Clock.tick", "Clock.run"), Used(1, 9)),
		Thread(63, "busy", At("Sum.add", "Sum.run"), Used(1, 9)),
	}
	one := []string{"missed-signal/info/possible: a | "}
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		want    []string
	}{
		"one in the middle of something": {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...)}, one},
		"among all kinds of threads": {append([]*threaddump.Thread{in(1, "a", latch(0xa), midway...)},
			others...), one},
		"in the method it was started with": {[]*threaddump.Thread{in(1, "a", latch(0xa), "Race.line", "Race.run")},
			nil},
		"several below their first method": {[]*threaddump.Thread{in(1, "a", latch(0xa), "Race.line", "Race.run"),
			in(2, "b", latch(0xa), "Race.line", "Race.run")}, []string{"missed-signal/info/possible: a,b | "}},
		"each at its own object": {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...),
			in(2, "b", latch(0xb), midway...)}, []string{"missed-signal/info/possible: a,b | "}},
		"in two methods at two objects": {[]*threaddump.Thread{in(1, "a", latch(0xa), midway...),
			in(2, "b", latch(0xb), "Race.end", "Race.cheer", "Race.lambda$main$0")},
			append(one, "missed-signal/info/possible: b | ")},
		"a notify in the middle": {[]*threaddump.Thread{in(1, "a", notify, midway...)}, one},
		"a worker that takes its next job": {[]*threaddump.Thread{in(1, "a", notify, "Belt.take", "Hand.loop",
			"Hand.run")}, nil},
		"an accessor is no method": {[]*threaddump.Thread{in(1, "a", notify, "Bell.listen", "Bell.access$000",
			"Bell$Hand.run")}, nil},
		"until the end of the program": {[]*threaddump.Thread{in(1, "a", latch(0xa), "Node.awaitShutdown",
			"Node.serve", "Node.run")}, nil},
		"with a time limit": {[]*threaddump.Thread{Thread(1, "a", At(midway...), latch(0xa), Timed,
			Used(1, 9))}, nil},
		"for its own task that runs": {[]*threaddump.Thread{in(1, "a",
			Calls(stack.JUC+"FutureTask", 0xa, stack.JUC+"FutureTask.get"), "Loom.ask", "Loom.order", "Loom.run"),
			Worker(1, At("Loom.weave", "Loom.lambda$order$0", stack.JUC+"FutureTask.run"))}, nil},
		"a request whose handler is one method": {[]*threaddump.Thread{in(1, "a", joins, request...)}, one},
		"a program that a launcher started":     {[]*threaddump.Thread{in(1, "a", joins, launched...)}, nil},
		"one task of one method":                {[]*threaddump.Thread{in(1, "w-1", latch(0xa), task...)}, nil},
		"tasks of one method": {[]*threaddump.Thread{in(1, "w-1", latch(0xa), task...),
			in(2, "w-2", latch(0xa), task...)}, []string{"missed-signal/info/possible: w-1,w-2 | "}},
		"tasks at a notify": {[]*threaddump.Thread{in(1, "w-1", notify, task...), in(2, "w-2", notify, task...)}, nil},
		"main, kept up by a latch": {[]*threaddump.Thread{Thread(1, "main", At("App.hold", "App.main"), latch(0xa),
			Used(1, 9))}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			expectOnlyAll(t, Diagnose(Observe(0, test.threads...), Observe(1, test.threads...)),
				finding.KindMissedSignal, test.want...)
		})
	}
	moved := in(1, "a", latch(0xa), midway...)
	Used(1.1, 10)(moved)
	ExpectOnly(t, Diagnose(Observe(0, in(1, "a", latch(0xa), midway...)), Observe(1, moved)),
		finding.KindMissedSignal, "")
}

// expectOnlyAll compares the findings of one kind.
func expectOnlyAll(t *testing.T, r *analysis.Report, kind finding.Kind, want ...string) {
	t.Helper()
	only := *r
	only.Findings = nil
	for _, f := range r.Findings {
		if f.Kind == kind {
			only.Findings = append(only.Findings, f)
		}
	}
	Expect(t, &only, want...)
}

// The title says what is waited for and where, and the object has the type that the wait has.
func TestMissedSignalsSayWhatIsMissing(t *testing.T) {
	for _, test := range []struct{ call, class, says string }{
		{stack.JUC + "CountDownLatch.await", stack.JUC + "CountDownLatch$Sync", "a CountDownLatch"},
		{stack.JUC + "CyclicBarrier.await", Condition, "a CyclicBarrier"},
		{stack.JUC + "Phaser.arriveAndAwaitAdvance", stack.JUC + "Phaser", "a Phaser"},
		{stack.JUC + "Exchanger.exchange", stack.JUC + "Exchanger$Participant", "an Exchanger"},
		{stack.JUC + "FutureTask.get", stack.JUC + "FutureTask", "a result (FutureTask.get)"},
		{Condition + ".await", Condition, "a Condition"},
	} {
		all := []*threaddump.Thread{Thread(11, "a", At("Oven.heat", "Oven.bake", "Oven.day", "java.lang.Thread.run"),
			Calls(test.class, 0xa, test.call), Used(1, 9))}
		r := Diagnose(Observe(0, all...), Observe(1, all...))
		if len(r.Findings) != 1 || r.Findings[0].Title != "1 thread waits for "+test.says+" in Oven.heat" {
			t.Errorf("%s: %+v", test.call, r.Findings)
			continue
		}
		if object, waits := r.Findings[0].Resource.Type, r.Threads[0].WaitsFor.Type; object != waits {
			t.Errorf("%s: the object is a %q, the thread waits for a %q", test.call, object, waits)
		}
	}
}

// Platform threads rest in a queue of the program's own. A virtual thread does not: it is there for one task.
func TestAQueueOfTheProgramsOwn(t *testing.T) {
	gate := func(th *threaddump.Thread) {
		th.State, th.StateDetail = threaddump.Waiting, "on object monitor"
		th.Stack = Trace("!java.lang.Object.wait0", "java.lang.Object.wait", "Gate.awaitRefresh", "Gate.take",
			"App.lambda$main$0", "java.lang.Thread.run")
		LockOn(th, threaddump.WaitingOn, 0xa, "Gate")
	}
	ExpectOnly(t, OneDump(Virtual(1, "v", gate)), finding.KindMissedSignal, "missed-signal/info/possible: v | ")
	ExpectOnly(t, OneDump(Thread(1, "p", gate)), finding.KindMissedSignal, "")
}

// Threads that stay in one call of a library of which nothing is known are a hint, not one alone and not those that
// wait there for the next item or for the end.
func TestWaitsInALibrary(t *testing.T) {
	put := []string{
		"org.apache.ignite.internal.util.future.GridFutureAdapter.get0",
		"org.apache.ignite.internal.processors.cache.GridCacheAdapter.put",
		"org.apache.ignite.internal.processors.cache.GatewayProtectedCacheProxy.put",
	}
	poll := []string{
		"org.apache.ignite.internal.util.future.GridFutureAdapter.get0", "org.apache.ignite.internal.Feed.pollNext",
	}
	in := func(id int64, name string, library []string, own ...string) *threaddump.Thread {
		return Thread(id, name, At(append(own, "java.lang.Thread.run")...),
			Calls("org.apache.ignite.Lock", uint64(id), library...), Used(1, 9))
	}
	move, run := []string{"Quay.move", "Quay.lambda$open$0"}, []string{"Quay$Clerk.run"}
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		want    string
	}{
		"two in one call": {[]*threaddump.Thread{in(1, "a", put, move...), in(2, "b", put, move...)},
			"missed-signal/info/possible: a,b | "},
		"one alone":     {[]*threaddump.Thread{in(1, "a", put, move...)}, ""},
		"the next item": {[]*threaddump.Thread{in(1, "a", poll, move...), in(2, "b", poll, move...)}, ""},
		"run methods":   {[]*threaddump.Thread{in(1, "a", put, run...), in(2, "b", put, run...)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := Diagnose(Observe(0, test.threads...), Observe(1, test.threads...))
			ExpectOnly(t, r, finding.KindMissedSignal, test.want)
			const title = "2 threads wait in GatewayProtectedCacheProxy.put, called by Quay.move"
			if test.want != "" && r.Findings[0].Title != title {
				t.Errorf("%s", r.Findings[0].Title)
			}
			ExpectOnly(t, OneDump(test.threads...), finding.KindMissedSignal, "")
		})
	}
}
