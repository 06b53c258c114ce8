package iowait_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Clients of java.net.http ask this very process where all of their connections lead to it:
// one that is silent because a handler pauses is no reason to wake anybody.
func TestHTTPClientsOfThisJVM(t *testing.T) {
	client := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name,
			At(UnsafePark, "java.util.concurrent.CompletableFuture.get", "jdk.internal.net.http.HttpClientImpl.send",
				"jdk.internal.net.http.HttpClientFacade.send", "App.ask", "App.price", "java.lang.Thread.run"),
			Waiting(0xa), Used(1, 9))
	}
	selector := func(id int64) *threaddump.Thread {
		return Thread(id, "selector",
			At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
				"jdk.internal.net.http.HttpClientImpl$SelectorManager.run"), Used(1, 9))
	}
	handler := func(wait Part) *threaddump.Thread {
		return Thread(9, "pool-1-thread-1",
			At(UnsafePark, stack.JUC+"LinkedBlockingQueue.poll", "App.news", "App.handle",
				"sun.net.httpserver.ServerImpl$Exchange.run",
				stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
					"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Waiting(0xb), wait, Used(1, 9))
	}
	for _, test := range []struct {
		name     string
		sockets  []string // of each client's selector
		handlers Part
		want     string
	}{
		{"a long poll of the same JVM", []string{"own-socket"}, Timed, "io-wait/info/possible: a,b | "},
		{"handlers that never answer", []string{"own-socket", "own-socket"}, Waiting(0xb),
			"io-wait/warning/likely: a,b | "},
		{"another server", []string{"client-socket"}, Timed, "io-wait/warning/likely: a,b | "},
		{"one of two clients asks another server", []string{"own-socket", "client-socket"}, Timed,
			"io-wait/warning/likely: a,b | "},
		{"what the kernel does not tell", []string{""}, Timed, "io-wait/warning/likely: a,b | "},
	} {
		var all []timeline.Observation
		for i := range 3 {
			idle := Thread(10, "pool-1-thread-2", IdleAt(0xc), Used(1, 9))
			threads := []*threaddump.Thread{client(1, "a"), client(2, "b"), handler(test.handlers), idle}
			tasks := map[int64]timeline.Task{}
			for n, file := range test.sockets {
				s := selector(int64(20 + n))
				threads = append(threads, s)
				tasks[s.NativeID] = timeline.Task{State: "S", File: file}
			}
			o := Observe(float64(i), threads...)
			o.Tasks = tasks
			all = append(all, o)
		}
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(all...), test.want) })
	}
}

// A virtual thread that waits for a CompletableFuture by another object in each dump called its get again meanwhile.
func TestVirtualThreadsThatAskAgain(t *testing.T) {
	asks := func(address uint64) Part {
		return func(t *threaddump.Thread) {
			Calls("java.util.concurrent.CompletableFuture$Signaller", address,
				"java.util.concurrent.CompletableFuture.get", "jdk.internal.net.http.HttpClientImpl.send",
				"jdk.internal.net.http.HttpClientFacade.send", "App.ask", "App.price")(t)
		}
	}
	for want, addresses := range map[string][]uint64{
		"io-wait/warning/likely: client | ": {0xa, 0xa, 0xa},
		"":                                  {0xa, 0xb, 0xc},
	} {
		var all []timeline.Observation
		for i, address := range addresses {
			all = append(all, Observe(float64(i), Virtual(7, "client", asks(address))))
		}
		ExpectOnly(t, Diagnose(all...), "io-wait", want)
	}
}
