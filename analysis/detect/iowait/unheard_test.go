package iowait_test

import (
	"net/netip"
	"testing"

	"jstall/analysis"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func peers(all ...string) []netip.AddrPort {
	out := make([]netip.AddrPort, len(all))
	for i, text := range all {
		out[i] = netip.MustParseAddrPort(text)
	}
	return out
}

// A connection to a port of the JVM itself at which nobody accepts is never answered, whatever
// other threads do.
func TestUnheardConnections(t *testing.T) {
	reads := Thread(2, "c",
		At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "App.load",
			"java.lang.Thread.run"), Used(1, 10))
	latch := Thread(1, "main", Latched(0x77), Used(1, 10))
	latch.Stack = append(Trace("!jdk.internal.misc.Unsafe.park", stack.JUC+"CountDownLatch.await"),
		Trace("App.main")...)
	acceptor := Thread(3, "acc", At("!sun.nio.ch.Net.accept", "java.net.ServerSocket.accept", "Other.run"), Used(1, 10))
	look := func(file, peer string, threads ...*threaddump.Thread) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i), threads...)
			o.Machine = &timeline.Machine{Backlogs: []timeline.Backlog{{Port: 8080, Open: 1,
				Pending: peers("127.0.0.1:5001")}}}
			o.Tasks = map[int64]timeline.Task{reads.NativeID: {State: "S", File: file, Peer: peer}}
			all = append(all, o)
		}
		return Diagnose(all...)
	}
	joins := Thread(1, "main", Waiting(0x99), Used(1, 10))
	joins.Stack = Trace("!java.lang.Object.wait0", "java.lang.Thread.join", "App.main")
	const stuck, alone = "io-wait/warning/likely: c | ", "io-wait/info/possible: c | "
	Expect(t, look("client-socket", "127.0.0.1:8080", latch, reads), stuck)
	Expect(t, look("client-socket", "127.0.0.1:8080", latch, reads, acceptor), stuck)
	Expect(t, look("own-socket", "127.0.0.1:8080", latch, reads), alone)
	Expect(t, look("client-socket", "10.0.0.7:8080", latch, reads), alone)
	Expect(t, look("client-socket", "127.0.0.1:8080", joins, reads), stuck)
}
