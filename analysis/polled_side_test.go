package analysis

import (
	"slices"
	"testing"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Clients of java.net.http ask this very process where all of their connections lead to it:
// one that is silent because a handler pauses is no reason to wake anybody.
func TestHTTPClientsOfThisJVM(t *testing.T) {
	client := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at(unsafePark, "java.util.concurrent.CompletableFuture.get", "jdk.internal.net.http.HttpClientImpl.send",
			"jdk.internal.net.http.HttpClientFacade.send", "App.ask", "App.price", "java.lang.Thread.run"), waiting(0xa), used(1, 9))
	}
	selector := func(id int64) *threaddump.Thread {
		return thread(id, "selector", at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "jdk.internal.net.http.HttpClientImpl$SelectorManager.run"), used(1, 9))
	}
	handler := func(wait part) *threaddump.Thread {
		return thread(9, "pool-1-thread-1", at(unsafePark, stack.JUC+"LinkedBlockingQueue.poll", "App.news", "App.handle", "sun.net.httpserver.ServerImpl$Exchange.run",
			stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), waiting(0xb), wait, used(1, 9))
	}
	for _, test := range []struct {
		name     string
		sockets  []string // of each client's selector
		handlers part
		want     string
	}{
		{"a long poll of its own", []string{"own-socket"}, timed, "io-wait/info/possible: a,b | "},
		{"handlers that never answer", []string{"own-socket", "own-socket"}, waiting(0xb), "io-wait/warning/likely: pool-1-thread-1 | a,b"},
		{"another server", []string{"client-socket"}, timed, "io-wait/warning/likely: a,b | "},
		{"one of two clients asks another server", []string{"own-socket", "client-socket"}, timed, "io-wait/warning/likely: a,b | "},
		{"what the kernel does not tell", []string{""}, timed, "io-wait/warning/likely: a,b | "},
	} {
		var all []timeline.Observation
		for i := range 3 {
			idle := thread(10, "pool-1-thread-2", idleAt(0xc), used(1, 9))
			threads := []*threaddump.Thread{client(1, "a"), client(2, "b"), handler(test.handlers), idle}
			tasks := map[int64]timeline.Task{}
			for n, file := range test.sockets {
				s := selector(int64(20 + n))
				threads = append(threads, s)
				tasks[s.NativeID] = timeline.Task{State: "S", File: file}
			}
			o := observe(float64(i), threads...)
			o.Tasks = tasks
			all = append(all, o)
		}
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(all...), test.want) })
	}
}

// A server all of whose workers ask it by an HttpClient, whose own threads serve nobody.
func TestAServerThatAsksItselfByHTTP(t *testing.T) {
	sends := []string{unsafePark, "java.util.concurrent.CompletableFuture.get", "jdk.internal.net.http.HttpClientImpl.send", "jdk.internal.net.http.HttpClientFacade.send", "App.ask"}
	asks := func(id int64, name string, below ...string) *threaddump.Thread {
		return thread(id, name, at(append(slices.Clone(sends), below...)...), waiting(uint64(0xa0+id)), used(1, 9))
	}
	worker := func(id int64, name string) *threaddump.Thread {
		return asks(id, name, "App.outer", "sun.net.httpserver.ServerImpl$Exchange.run", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
	}
	selector := thread(20, "HttpClient-1-SelectorManager", at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "jdk.internal.net.http.HttpClientImpl$SelectorManager.run"), used(1, 9))
	const first = "pool-1-thread-1,pool-1-thread-2"
	for idle, want := range map[string]string{
		"HttpClient-1-Worker-0": "pool-deadlock/warning/likely: " + first + " | guest",
		"pool-2-thread-1":       "pool-deadlock/warning/likely: " + first + " | guest",
	} {
		var all []timeline.Observation
		for i := range 3 {
			o := observe(float64(i), worker(1, "pool-1-thread-1"), worker(2, "pool-1-thread-2"), asks(3, "guest", "App.visit", "java.lang.Thread.run"),
				selector, thread(10, idle, idleAt(0xc), used(1, 9)))
			o.Tasks = map[int64]timeline.Task{selector.NativeID: {State: "S", File: "own-socket"}}
			all = append(all, o)
		}
		if got := found(diagnose(all...)); len(got) == 0 || got[0] != want {
			t.Errorf("beside %s: %q, want %q", idle, got, want)
		}
	}
}
