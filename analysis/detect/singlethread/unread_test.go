package singlethread_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Requests that no thread will read: a thread accepts, and none waits for the network or is at work.
func TestUnreadRequests(t *testing.T) {
	acceptor := Thread(1, "http-8080-Acceptor", At("!sun.nio.ch.Net.accept",
		"sun.nio.ch.ServerSocketChannelImpl.accept", "org.apache.tomcat.util.net.Acceptor.run"))
	worker := Thread(2, "exec-1", At("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
		"java.util.concurrent.LinkedBlockingQueue.take", "java.util.concurrent.ThreadPoolExecutor.getTask",
		"java.util.concurrent.ThreadPoolExecutor.runWorker"), WaitingState)
	poller := Thread(3, "poller", At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect",
		"sun.nio.ch.SelectorImpl.select", "org.apache.tomcat.util.net.NioEndpoint$Poller.run"))
	busy := Thread(4, "exec-2", At("shop.Orders.list", "shop.Orders.run"))
	unread := func(counts ...int) (ports [][]timeline.Port) {
		for _, n := range counts {
			ports = append(ports, []timeline.Port{{Number: 8080, Open: 5, Unread: n}})
		}
		return ports
	}
	const found = "single-thread-blocked/info/possible:  | http-8080-Acceptor"
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		ports   [][]timeline.Port
		want    []string
	}{
		{"no thread reads", []*threaddump.Thread{acceptor, worker}, unread(2, 2, 3), []string{found}},
		{"a thread waits for the network", []*threaddump.Thread{acceptor, worker, poller}, unread(2, 2, 3), nil},
		{"a thread is at work", []*threaddump.Thread{acceptor, worker, busy}, unread(2, 2, 3), nil},
		{"some were read", []*threaddump.Thread{acceptor, worker}, unread(2, 2, 1), nil},
		{"they have just come", []*threaddump.Thread{acceptor, worker}, unread(0, 0, 3), nil},
		{"no thread accepts either", []*threaddump.Thread{worker}, unread(2, 2, 2), nil},
		{"one dump", []*threaddump.Thread{acceptor, worker}, unread(2), nil},
	} {
		var all []timeline.Observation
		for i, ports := range test.ports {
			o := Observe(float64(i), test.threads...)
			o.Machine = &timeline.Machine{Ports: ports}
			all = append(all, o)
		}
		t.Run(test.name, func(t *testing.T) { Expect(t, Diagnose(all...), test.want...) })
	}
}
